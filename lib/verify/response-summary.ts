import type { Shape, VerifyRule } from "../shape/mod.ts";

/**
 * What a response promises to those who use it. It is stored with the output of a cell, in the key `response` of
 * the metadata of restlab, and contains no secrets.
 */
export interface ResponseSummary {
  /** The name of the request. */
  readonly name?: string;
  /** The method. */
  readonly method: string;
  /** The URL of the request. */
  readonly url: string;
  /** The status. */
  readonly status: number;
  /** The media type, or an empty string. */
  readonly type: string;
  /** The shape of a JSON body. */
  readonly shape?: Shape;
  /** The body: JSON, or a text. It is kept where values are compared. */
  readonly body?: unknown;
  /** What was left out: levels of the shape, or the body. */
  readonly omitted?: readonly Omission[];
}

/** A part of a summary that is left out, because it is too large or cannot be read. */
export type Omission = "shape" | "body";

/** A summary, and where in a document it belongs. */
export interface PlacedSummary {
  /** The id of the cell; without one, the place is not known. */
  readonly cell?: string;
  /** The index among the responses of the cell. */
  readonly index: number;
  /** The summary. */
  readonly summary: ResponseSummary;
  /** The request as it was first sent, if the summary has its last hop. */
  readonly sent?: Pick<ResponseSummary, "method" | "url">;
  /** What is compared. */
  readonly rule?: VerifyRule | undefined;
}
