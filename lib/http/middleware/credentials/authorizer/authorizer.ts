import type { LoginTools } from "./login.ts";
import type { Token, TokenStore } from "./token-store.ts";

/** A request that is about to be sent. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes, text, or a source that can be read repeatedly. */
  readonly body: string | Uint8Array | { stream(): ReadableStream<Uint8Array> } | undefined;
}

/** What is added to a request. */
export interface Authorization {
  /** They replace headers of the same names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The URL to use instead. */
  readonly url?: URL;
  /** A note for the exchange. */
  readonly note?: string;
}

/** Adds credentials to requests. */
export interface Authorizer {
  /** Gets a token, for example, before the timeout of the request starts. */
  ready?(signal: AbortSignal): Promise<void>;
  /** The token, for placeholders; only for credentials that have one. */
  token?(signal: AbortSignal): Promise<Token>;
  /**
   * Records the status of a response to a request with a token.
   *
   * @param sent The token as it was sent.
   * @returns A new token, if that one was rejected and a new one may help.
   */
  refreshRejected?(sent: string, status: number): Promise<Token | undefined>;
  authorize(request: OutgoingRequest): Authorization | Promise<Authorization>;
  /** Returns what to send instead after a refusal, if anything may help. */
  answerChallenge?(
    request: OutgoingRequest,
    response: Pick<Response, "status" | "headers">,
  ): Promise<Authorization | undefined>;
}

/** What authorizers need of a client. */
export interface CredentialContext extends LoginTools {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly tokens: TokenStore;
  /** Called with every new secret: tokens, codes. */
  readonly hide: (secret: string) => void;
  /** Milliseconds for each token request; 0 for no limit. */
  readonly timeout: number;
}
