import type { OutgoingOptions } from "./outgoing-options.ts";
import type { BodySource, Compression, Fields, MultipartInput } from "./request/bodies/mod.ts";
import type { HeadersInput } from "./request/mod.ts";

/** A request as data. It is sent as it stands: double braces in its strings are not placeholders. */
export interface RequestSpec {
  /** What `client.responses` and placeholders call its answer, as `# @name` in a text. */
  readonly name?: string;
  /** `GET` where it is left out, or `POST` with a body. */
  readonly method?: string;
  /** An absolute URL. */
  readonly url: string;
  /** The headers to send. */
  readonly headers?: HeadersInput;
  /** Fields that are added to the query of the URL, percent-encoded. */
  readonly query?: Fields;
  /** The body: text, bytes, a `Blob`, or the path of a file. At most one option makes the body. */
  readonly body?: string | Uint8Array | BodySource | { readonly file: string };
  /** A value to be sent as JSON, all its digits kept. */
  readonly json?: unknown;
  /** Fields to be sent as `application/x-www-form-urlencoded`. */
  readonly form?: Fields;
  /** Parts to be sent as `multipart/form-data`: text, bytes, `Blob`, `File`, `{ file: path }`. */
  readonly multipart?: MultipartInput;
  /** A GraphQL query with its variables, sent as JSON. */
  readonly graphql?: GraphqlInput;
  /** Compresses the body and says so in `Content-Encoding`. */
  readonly compress?: Compression;
  /** What lets the request in, in the place of what the client has; `false` sends none. */
  readonly auth?: OutgoingOptions["auth"];
}

/** A GraphQL query on its way to a server. */
export interface GraphqlInput {
  /** The text of the query; placeholders are not looked for. */
  readonly query: string;
  /** The values of its variables, all their digits kept. */
  readonly variables?: unknown;
  /** Which operation is meant, where the query has several. */
  readonly operationName?: string;
}
