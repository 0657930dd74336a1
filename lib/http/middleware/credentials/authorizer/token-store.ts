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
  /**
   * Runs a task, or waits for the one that already runs for this key.
   *
   * @param task The signal that it is given is aborted when nobody waits for it any more.
   * @param signal Ends the wait of this caller.
   */
  once(
    key: string,
    task: (signal: AbortSignal) => Promise<Token>,
    signal: AbortSignal,
  ): Promise<Token>;
  /** Removes all tokens and returns how many there were. */
  clear(): number;
}

interface Task {
  readonly token: Promise<Token>;
  /** How many callers wait for it. */
  waiting: number;
  abort(reason: unknown): void;
}

/** Creates an empty store. */
export function createTokenStore(): TokenStore {
  const tokens = new Map<string, Token>();
  const tasks = new Map<string, Task>();
  const start = (key: string, run: (signal: AbortSignal) => Promise<Token>): Task => {
    const controller = new AbortController();
    const remove = (): void => {
      if (tasks.get(key) === task) tasks.delete(key);
    };
    const task: Task = {
      token: run(controller.signal).finally(remove),
      waiting: 0,
      abort(reason) {
        // Who asks from now on needs another one.
        remove();
        controller.abort(reason);
      },
    };
    tasks.set(key, task);
    return task;
  };
  return {
    get size() {
      return tokens.size;
    },
    get: (key) => tokens.get(key),
    set: (key, token) => void tokens.set(key, token),
    delete: (key) => void tokens.delete(key),
    once: (key, run, signal) => waitFor(tasks.get(key) ?? start(key, run), signal),
    clear() {
      const { size } = tokens;
      tokens.clear();
      return size;
    },
  };
}

/** Waits for a task that others may wait for as well; the last of them that leaves aborts it. */
function waitFor(task: Task, signal: AbortSignal): Promise<Token> {
  task.waiting += 1;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      task.waiting -= 1;
      if (task.waiting > 0) reject(signal.reason);
      else task.abort(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    const settled = (): void => signal.removeEventListener("abort", leave);
    task.token.finally(settled).then(resolve, reject);
  });
}
