import type { Span } from "../../interpolation/mod.ts";

/** The body of a curl command. Texts may contain placeholders, which are rendered later. */
export type CurlBody =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "pieces"; readonly pieces: readonly CurlPiece[] }
  | { readonly kind: "form"; readonly fields: readonly CurlField[] };

/** A piece of data: text, or a file. */
export type CurlPiece =
  | { readonly text: string }
  | {
      readonly path: string;
      /** `unbroken`: without line breaks and NUL, as after `-d`. `encoded`: percent-encoded. */
      readonly change?: "unbroken" | "encoded";
    };

/** A field of a multipart form. */
export interface CurlField {
  readonly name: string;
  readonly value: { readonly text: string } | { readonly path: string };
  readonly type?: string;
  readonly fileName?: string;
}

/** The connection options of a curl command; certificates and keys are paths. */
export interface CurlConnection {
  /** `false` for no proxy, even if the environment names one. */
  readonly proxy?: string | false;
  readonly noProxy?: string;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly clientCertificate?: {
    readonly cert: string;
    readonly key: string;
    readonly passphrase?: string;
  };
}

/** A parsed curl command. */
export interface CurlCommand {
  readonly method: string;
  readonly url: string;
  /** The headers in order, including those that curl adds for the body. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: CurlBody | undefined;
  /** Whether redirects are followed (`-L`). */
  readonly follows: boolean;
  /** The maximum number of redirects (`--max-redirs`). */
  readonly redirectLimit?: number;
  readonly connection?: CurlConnection;
  /** The timeout in seconds (`-m`). */
  readonly seconds?: number;
  /** The number of retries (`--retry`). */
  readonly retries?: number;
  /** The path to save the response to (`-o`, `-O`). */
  readonly output?: string;
  readonly span: Span;
}
