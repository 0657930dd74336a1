import type { Span } from "../interpolation/mod.ts";
import type { Word } from "./words.ts";

/** The body of a curl command. Texts may contain placeholders, which are rendered later. */
export type CurlBody =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "pieces"; readonly pieces: readonly CurlPiece[] }
  | { readonly kind: "form"; readonly fields: readonly CurlField[] };

/** A piece of data: text, possibly with bytes as `bytes.ts` has them, or a file. */
export type CurlPiece =
  | {
      readonly text: string;
      /** What it is in a part of a form: a name, a file name or a type, or content that is JSON. */
      readonly within?: "part-name" | "json" | undefined;
    }
  | {
      readonly path: string;
      /** `unbroken`: without line breaks and NUL, as after `-d`. `encoded`: percent-encoded. `json`: as text in JSON. */
      readonly change?: "unbroken" | "encoded" | "json" | undefined;
    };

/** The assertion of a command with `-f`, with which curl exits with 22 if it fails. */
export const FAIL_ASSERTION = "status < 400";

/** A field of a multipart form. */
export interface CurlField {
  readonly name: string;
  readonly value: { readonly text: string } | { readonly path: string };
  readonly type?: string | undefined;
  readonly fileName?: string | undefined;
}

/** The connection options of a curl command; certificates and keys are paths. */
export interface CurlConnection {
  /** `false` for no proxy, even if the environment names one. */
  readonly proxy?: string | false | undefined;
  readonly noProxy?: string | undefined;
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly unixSocket?: string | undefined;
  readonly pathAsIs?: boolean | undefined;
  readonly decompress?: boolean | undefined;
  readonly http2?: boolean | "prior-knowledge" | undefined;
  readonly clientCertificate?:
    | {
        readonly cert: string;
        readonly key: string;
        readonly passphrase?: string | undefined;
      }
    | undefined;
}

/** A parsed curl command. */
export interface CurlCommand {
  readonly method: string;
  readonly url: string;
  /** The query, at the end of the URL, if files are in it. */
  readonly query?: readonly CurlPiece[] | undefined;
  /** The headers in order, including those that curl adds for the body, except the type of a form. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Headers that are not to be added, in lower case: those of `-H 'Accept:'`. */
  readonly without: readonly string[];
  readonly body: CurlBody | undefined;
  /** Whether redirects are followed (`-L`). */
  readonly follows: boolean;
  /** The maximum number of redirects (`--max-redirs`). */
  readonly redirectLimit?: number | undefined;
  readonly connection?: CurlConnection | undefined;
  /** The files whose cookies are sent (`-b file`), which nothing is read from here. */
  readonly cookieFiles: readonly string[];
  /** The file to save cookies to (`-c`). */
  readonly cookieJar?: string | undefined;
  /** The timeout in seconds (`-m`). */
  readonly seconds?: number | undefined;
  /** The number of retries (`--retry`). */
  readonly retries?: number | undefined;
  /** The path to save the response to (`-o`, `-O`). */
  readonly output?: string | undefined;
  /** Whether a status of 400 and above is a failure (`-f`). */
  readonly fails?: boolean | undefined;
  /** What is written behind the answer, with its variables (`-w`); `@FILE` for the text of a file. */
  readonly writeOut?: string | undefined;
  /** Whether a part of that file, which an earlier command has left, is continued (`-C -`). */
  readonly resume?: boolean | undefined;
  readonly span: Span;
}

/** The effects of the options so far. */
export interface State {
  /** The standard input, if it is written before the command. */
  readonly input: string | undefined;
  method?: string | undefined;
  readonly urls: Word[];
  readonly headers: (readonly [name: string, value: string])[];
  /** Headers that nothing must add, from `-H 'Accept:'`, in lower case. */
  readonly removed: Set<string>;
  /** Headers that options make, which yield to those of `-H`; `undefined` for none, as after `-A ''`. */
  readonly made: Map<string, string | undefined>;
  readonly cookies: string[];
  readonly cookieFiles: string[];
  cookieJar?: string | undefined;
  /** The pieces of each value. */
  readonly data: CurlPiece[][];
  readonly fields: CurlField[];
  readonly query: CurlPiece[][];
  uploads?: string | undefined;
  isHead?: boolean;
  isGet?: boolean;
  isJson?: boolean;
  isLiteral?: boolean;
  /** Whether a compressed answer is asked for. */
  isCompressed?: boolean;
  follows?: boolean;
  user?: string | undefined;
  /** How `user` is sent. */
  scheme: "basic" | "digest" | "aws";
  /** Region and service for `aws`, as in an `Authorization` line. */
  signedFor: string;
  redirectLimit?: number | undefined;
  readonly connection: ConnectionState;
  seconds?: number | undefined;
  retries?: number | undefined;
  output?: string | undefined;
  savesByName?: boolean;
  resumes?: boolean;
  fails?: boolean;
  writeOut?: string;
}

/** The effects of the connection options. */
export interface ConnectionState {
  proxy?: string | false;
  /** `user:password`, from `--proxy-user`. */
  proxyUser?: string;
  noProxy?: string;
  ca?: string;
  insecure?: boolean;
  unixSocket?: string;
  pathAsIs?: boolean;
  decompress?: boolean;
  http2?: boolean | "prior-knowledge";
  cert?: string;
  key?: string;
  passphrase?: string;
}

/** The state before the first option. */
export function emptyState(input?: string): State {
  return {
    input,
    urls: [],
    headers: [],
    removed: new Set(),
    made: new Map(),
    cookies: [],
    cookieFiles: [],
    data: [],
    fields: [],
    query: [],
    scheme: "basic",
    signedFor: "",
    connection: {},
  };
}
