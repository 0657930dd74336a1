import type { OutgoingOptions } from "./outgoing-options.ts";
import type { BodySource, Compression, Fields, MultipartInput } from "./request/bodies/mod.ts";
import type { HeadersInput } from "./request/mod.ts";

/**
 * A request as data. Double braces in its strings are not placeholders.
 *
 * @example
 * ```ts
 * const spec: RequestSpec = { url: "http://127.0.0.1:8787/users", json: { name: "Ada" } };
 * // await client.send(spec) sends a POST, since there is a body.
 * ```
 */
export interface RequestSpec {
  /** The name of its response in `client.responses` and placeholders, as `# @name` in a text. */
  readonly name?: string;
  /** `GET` by default, or `POST` with a body. */
  readonly method?: string;
  /** An absolute URL. */
  readonly url: string;
  /** The headers to send. */
  readonly headers?: HeadersInput;
  /** Fields to add to the query of the URL; they are percent-encoded. */
  readonly query?: Fields;
  /** The body: text, bytes, a `Blob`, or the path of a file. At most one of the body options is allowed. */
  readonly body?: string | Uint8Array | BodySource | { readonly file: string };
  /** A value to send as JSON; numbers keep all their digits. */
  readonly json?: unknown;
  /** Fields to send as `application/x-www-form-urlencoded`. */
  readonly form?: Fields;
  /** Parts to send as `multipart/form-data` (RFC 7578): text, bytes, `Blob`, `File`, `{ file: path }`. */
  readonly multipart?: MultipartInput;
  /** A GraphQL query with its variables, to send as JSON. */
  readonly graphql?: GraphqlInput;
  /** Compresses the body and sets `Content-Encoding`. */
  readonly compress?: Compression;
  /** The credentials, instead of those of the client; `false` sends none. */
  readonly auth?: OutgoingOptions["auth"];
}

/** A GraphQL query. */
export interface GraphqlInput {
  /** The text of the query; double braces in it are not placeholders. */
  readonly query: string;
  /** The values of its variables; numbers keep all their digits. */
  readonly variables?: unknown;
  /** The operation to run if the query has several. */
  readonly operationName?: string;
}
