import type { VerifyRule } from "../../shape/mod.ts";

/** A request with all values, as it would be sent. The order of headers and repeated headers are preserved. */
export interface RenderedRequest {
  /** From `# @name login`. */
  readonly name?: string;
  /** From the line `### title` before it. */
  readonly title?: string;
  /** From `# @verify exact` and `# @ignore $.path`. */
  readonly verify?: VerifyRule;
  /** In upper case if it is a known method. */
  readonly method: string;
  /** The URL as text, before it is parsed. */
  readonly url: string;
  /** Names and values in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Names of headers that were added, for example `Content-Type`. */
  readonly added: readonly string[];
  /** The text, a file that is not read yet, text with files in it, or nothing. */
  readonly body: string | BodyFile | BodyMixture | undefined;
  /** The messages of a WebSocket request, and its waits for the server. */
  readonly messages?: readonly MessageStep[];
  /** The file to save the body of the response to. */
  readonly saveTo?: { readonly path: string; readonly replace: boolean };
  /** Lines without an effect: scripts, annotations of other clients. */
  readonly notes?: readonly string[];
  /** Probable mistakes that do not prevent sending, for example an invalid JSON body. */
  readonly warnings: readonly string[];
}

/** A message to send, or a wait for a message of the server. */
export type MessageStep =
  | { readonly kind: "send"; readonly text: string }
  | { readonly kind: "wait" };

/** A body from a file. */
export interface BodyFile {
  /** The rendered path; the client decides what it is relative to. */
  readonly path: string;
  /** Whether to render the placeholders in the file. */
  readonly interpolated: boolean;
  /** From `<@encoding path`; UTF-8 by default. */
  readonly encoding?: string;
  /** How its content is changed: without line breaks and NUL, or percent-encoded, as curl does. */
  readonly change?: "unbroken" | "encoded";
}

/** A body of text and files, such as a multipart form. */
export interface BodyMixture {
  /** In order. */
  readonly pieces: readonly (string | BodyFile)[];
}
