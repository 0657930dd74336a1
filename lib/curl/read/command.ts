import type { Span } from "../../interpolation/mod.ts";

/** A body as a curl command has it. Texts may hold placeholders, which are filled later. */
export type CurlBody =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "form"; readonly fields: readonly CurlField[] };

/** A field of a multipart form. */
export interface CurlField {
  readonly name: string;
  readonly value: { readonly text: string } | { readonly path: string };
  readonly type?: string;
  readonly fileName?: string;
}

/** How a curl command reaches the server; certificates and keys are paths. */
export interface CurlConnection {
  /** `false` for none, whatever the environment says. */
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

/** What a curl command asks for. */
export interface CurlCommand {
  readonly method: string;
  readonly url: string;
  /** In order; those that curl would add for the body are among them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: CurlBody | undefined;
  /** Whether redirects are followed: curl does it when told to. */
  readonly follows: boolean;
  /** How many redirects are followed, where that is said. */
  readonly redirectLimit?: number;
  readonly connection?: CurlConnection;
  /** Seconds for the whole, where a limit is set. */
  readonly seconds?: number;
  /** How often to try again. */
  readonly retries?: number;
  /** Where the answer is to be saved. */
  readonly output?: string;
  readonly span: Span;
}
