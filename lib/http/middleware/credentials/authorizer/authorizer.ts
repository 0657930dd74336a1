import type { LoginTools } from "./login.ts";
import type { Token, TokenStore } from "./token-store.ts";

/** A request that is about to go out. */
export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes, text, or something that gives its bytes again and again. */
  readonly body: string | Uint8Array | { stream(): ReadableStream<Uint8Array> } | undefined;
}

/** What is added to a request. */
export interface Authorization {
  /** They take the place of headers of the same names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The URL to be used instead. */
  readonly url?: URL;
  /** What a person is to know of it. */
  readonly remark?: string;
}

/** Credentials at work. */
export interface Authorizer {
  /** Gets what takes time, tokens for example, before the clock of the request runs. */
  ready?(signal: AbortSignal): Promise<void>;
  /** The token alone, for who writes it elsewhere; credentials without one have nothing to give. */
  token?(signal: AbortSignal): Promise<Token>;
  /**
   * Takes note of the status that came for a token.
   *
   * @param sent The token as it was sent.
   * @returns Another token where that one was refused and a new one may help.
   */
  refreshRejected?(sent: string, status: number): Promise<Token | undefined>;
  authorize(request: Outgoing): Authorization | Promise<Authorization>;
  /** What to send instead after a refusal; nothing where the refusal stands. */
  answer?(
    request: Outgoing,
    response: Pick<Response, "status" | "headers">,
  ): Promise<Authorization | undefined>;
}

/** What credentials need of the outside. */
export interface CredentialContext extends LoginTools {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly tokens: TokenStore;
  /** Called with every secret that comes up: tokens, codes. */
  readonly hide: (secret: string) => void;
  /** The longest time for one request to a token endpoint, in milliseconds; 0 for no limit. */
  readonly timeout: number;
}
