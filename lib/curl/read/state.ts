import type { CurlField, CurlPiece } from "./command.ts";
import type { Word } from "./word.ts";

/** The effects of the options so far. */
export interface State {
  method?: string | undefined;
  readonly urls: Word[];
  readonly headers: (readonly [name: string, value: string])[];
  /** Headers that curl must not add, from `-H 'Accept:'`. */
  readonly removed: Set<string>;
  readonly cookies: string[];
  /** The pieces of each value. */
  readonly data: CurlPiece[][];
  readonly fields: CurlField[];
  readonly query: CurlPiece[][];
  uploads?: string | undefined;
  isHead?: boolean;
  isGet?: boolean;
  isJson?: boolean;
  isLiteral?: boolean;
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
}

/** The effects of the connection options. */
export interface ConnectionState {
  proxy?: string | false;
  /** `user:password`, from `--proxy-user`. */
  proxyUser?: string;
  noProxy?: string;
  ca?: string;
  insecure?: boolean;
  cert?: string;
  key?: string;
  passphrase?: string;
}

/** The state before the first option. */
export function emptyState(): State {
  return {
    urls: [],
    headers: [],
    removed: new Set(),
    cookies: [],
    data: [],
    fields: [],
    query: [],
    scheme: "basic",
    signedFor: "",
    connection: {},
  };
}
