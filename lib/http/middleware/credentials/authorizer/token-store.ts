/** A token from a token endpoint. */
export interface Token {
  readonly accessToken: string;
  /** The scheme of its header, usually `Bearer`. */
  readonly tokenType: string;
  readonly refreshToken?: string;
  /** The ID token of OpenID Connect, which is not validated. */
  readonly idToken?: string;
  /** When it was received, in milliseconds since 1970. */
  readonly obtainedAt: number;
  /** When to renew it, in milliseconds since 1970; left out if the server does not say. */
  readonly expiresAt?: number;
}

/** The tokens of a session. */
export interface TokenStore {
  readonly size: number;
  get(key: string): Token | undefined;
  set(key: string, token: Token): void;
  delete(key: string): void;
  /** Runs a task, or waits for the one that already runs for this key. */
  once(key: string, task: () => Promise<Token>): Promise<Token>;
  /** Removes all tokens and returns how many there were. */
  clear(): number;
}

/** Creates an empty store. */
export function createTokenStore(): TokenStore {
  const tokens = new Map<string, Token>();
  const tasks = new Map<string, Promise<Token>>();
  return {
    get size() {
      return tokens.size;
    },
    get: (key) => tokens.get(key),
    set: (key, token) => void tokens.set(key, token),
    delete: (key) => void tokens.delete(key),
    once(key, task) {
      const running = tasks.get(key) ?? task().finally(() => tasks.delete(key));
      tasks.set(key, running);
      return running;
    },
    clear() {
      const { size } = tokens;
      tokens.clear();
      return size;
    },
  };
}
