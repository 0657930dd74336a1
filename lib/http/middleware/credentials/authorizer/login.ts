/** What the user has to do to log in. */
export type LoginPrompt =
  | {
      /** Open `url` in a browser, which is then redirected to this machine. */
      readonly kind: "browser";
      readonly url: string;
    }
  | {
      /** Open `url` on any device and enter `code`. */
      readonly kind: "device";
      readonly url: string;
      readonly code: string;
      /** The URL that includes the code, if the server has one. */
      readonly completeUrl?: string;
      readonly expiresAt: Date;
    };

/** Listens on loopback for the redirect of a login. */
export interface RedirectListener {
  /** The URL of the listener. */
  readonly redirectUri: string;
  /** Waits for the redirect and returns its URL. */
  wait(signal: AbortSignal): Promise<URL>;
  /** Stops listening. */
  close(): Promise<void> | void;
}

/** How a client logs in with a browser. */
export interface LoginTools {
  /** Shows the prompt, and opens a browser if there is one. */
  readonly login?: (prompt: LoginPrompt) => Promise<void> | void;
  /**
   * Listens on loopback, at `redirectUri` or any free port, for the redirect with `state`; others belong to
   * another login.
   */
  readonly listenForRedirect?: (redirectUri?: string, state?: string) => Promise<RedirectListener>;
}
