import { isNumberText, isRecord, memberOf, type Path } from "../interpolation/mod.ts";
import { parsePathPattern, readShape, type Shape, type VerifyRule } from "../json/mod.ts";

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

const OMISSIONS = ["shape", "body"] as const satisfies readonly Omission[];

/**
 * Reads a summary from the metadata of an output.
 *
 * @param metadata JSON from a file, which may be of any type.
 * @returns `undefined` if it has none, or one that is not valid.
 */
export function readSummary(metadata: unknown): ResponseSummary | undefined {
  const stored = memberOf(memberOf(metadata, "restlab"), "response");
  if (!isRecord(stored)) return undefined;
  const { name, method, url, status, type, shape, omitted } = stored;
  if (typeof method !== "string" || typeof url !== "string") return undefined;
  if (typeof status !== "number" || !Number.isInteger(status)) return undefined;
  const left = OMISSIONS.filter((one) => Array.isArray(omitted) && omitted.includes(one));
  return {
    name: typeof name === "string" ? name : undefined,
    method,
    url,
    status,
    type: typeof type === "string" ? type : "",
    shape: isRecord(shape) ? readShape(shape) : undefined,
    body: stored["body"],
    omitted: left.length === 0 ? undefined : left,
  };
}

/** The places that one of the JSONPaths selects, with everything within them; invalid ones select nothing. */
export function ignoredPaths(patterns: readonly string[]): (path: Path) => boolean {
  const ignored = patterns.flatMap((pattern) => {
    try {
      return [parsePathPattern(pattern)];
    } catch {
      return [];
    }
  });
  return (path) => ignored.some((selects) => selects(path));
}

/** Nothing deeper is compared. */
const DEEPEST = 500;

/**
 * A body as JSON that can be stored, without the members and items that the JSONPaths select. Numbers that a double
 * cannot represent become strings, so that they keep their digits.
 */
export function toStoredBody(value: unknown, ignore: readonly string[]): unknown {
  const isIgnored = ignoredPaths(ignore);
  const copy = (inner: unknown, path: Path): unknown => {
    if (typeof inner === "bigint") return String(inner);
    if (typeof inner !== "object" || inner === null) return inner;
    if (isNumberText(inner)) return String(inner);
    if (path.length > DEEPEST) return null;
    if (Array.isArray(inner)) {
      // The others keep their places.
      return inner.map((item, at) => (isIgnored([...path, at]) ? null : copy(item, [...path, at])));
    }
    const entries = Object.entries(inner).filter(([name]) => !isIgnored([...path, name]));
    return Object.fromEntries(entries.map(([name, item]) => [name, copy(item, [...path, name])]));
  };
  return isIgnored([]) ? undefined : copy(value, []);
}
