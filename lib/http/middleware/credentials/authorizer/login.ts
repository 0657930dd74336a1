/** What a person has to do to log in. */
export type LoginPrompt =
  | {
      /** To be opened in a browser, which is led back to this machine. */
      readonly kind: "browser";
      readonly url: string;
    }
  | {
      /** To be opened on any device, where the code is typed in. */
      readonly kind: "device";
      readonly url: string;
      readonly code: string;
      /** The same with the code in it, where the server gives one. */
      readonly completeUrl?: string;
      readonly expiresAt: Date;
    };

/** Waits on this machine for the browser to come back from a login. */
export interface RedirectListener {
  /** Where it listens. */
  readonly redirectUri: string;
  /** The URL that the browser came back to. */
  wait(signal: AbortSignal): Promise<URL>;
  /** Stops listening. */
  close(): Promise<void> | void;
}

/** What a login needs of the outside; each is handed in. */
export interface LoginTools {
  /** Tells the person what to do, and opens a browser where there is one. */
  readonly login?: (prompt: LoginPrompt) => Promise<void> | void;
  /**
   * Listens on loopback, at `redirectUri` or any free port, for the answer that brings `state` back;
   * one with another state is not of this login.
   */
  readonly listenForRedirect?: (redirectUri?: string, state?: string) => Promise<RedirectListener>;
}
