/** A token as it was got. */
export interface Token {
  readonly accessToken: string;
  /** How it is named in the header, `Bearer` nearly always. */
  readonly tokenType: string;
  readonly refreshToken?: string;
  /** Who logged in, signed by the server (OpenID Connect); no request of ours looks into it. */
  readonly idToken?: string;
  /** When it was got, in milliseconds since 1970. */
  readonly obtainedAt: number;
  /** When it is to be renewed; left out where the server does not say. */
  readonly expiresAt?: number;
}

/** The tokens of a session. */
export interface TokenStore {
  readonly size: number;
  get(key: string): Token | undefined;
  set(key: string, token: Token): void;
  delete(key: string): void;
  /** Runs a task, or waits for the one that is at work for this key already. */
  once(key: string, task: () => Promise<Token>): Promise<Token>;
  /** Forgets all, and says how many that were. */
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
