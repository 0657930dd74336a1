import type { AssertionResult, Exchange, MimeBundle, ResponseHead } from "../../../lib/mod.ts";

/**
 * A value to show. Its bundle is created on demand: a terminal renders the value itself, and a run
 * that prints one line for each request does not need HTML.
 */
export interface Shown {
  /** The value itself, which a program gets. */
  readonly value: unknown;
  /** What is shown in its place, if it displays itself. */
  readonly display?: unknown;
  /**
   * Stored with the bundle, under the key `restlab`: what a response promises, and whether the bundle contains
   * revealed secrets.
   */
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * The MIME bundle, the same object each time; it never throws.
   *
   * @param options Whether it has no times and dates.
   */
  bundle(options?: { readonly stable?: boolean }): MimeBundle;
  /** Why the bundle shows an error instead of the value, if it does. */
  readonly failure?: { readonly cause: unknown } | undefined;
}

/** Receives the bodies of responses while they arrive, instead of showing them. */
export interface BodySink {
  /** How many bytes of a body its exchange keeps. */
  readonly keepBytes: number;
  /** Whether to forward the body of a response; by default all are forwarded. */
  begins?(head: Pick<ResponseHead, "mediaType">): boolean;
  /** Writes the next bytes; resolves when more can be written. */
  write(bytes: Uint8Array): Promise<void>;
  /** Receives a response that is not forwarded: the record of a WebSocket too. */
  whole(exchange: Exchange): void;
}

/** Receives the output of a cell, while it runs and after. */
export interface OutputSink {
  /** Text that the cell wrote, in the chunks that it wrote. */
  stream(name: "stdout" | "stderr", text: string): void;
  /** A value to show besides the result. */
  display(shown: Shown): void;
  /** Shows a value that can be replaced; absent if the front end cannot replace output. */
  displayWithId?(shown: Shown, id?: string): string;
  /** Replaces the value with an id. */
  update?(id: string, shown: Shown): void;
  /** Receives the bodies of responses to request cells; absent if responses are shown. */
  readonly bodies?: BodySink;
  /** Prints an item of a stream that is being received; absent if only complete responses are shown. */
  streamItem?(text: string): void;
  /**
   * An error that the cell did not catch: a rejection, an exception in a timer. It may come after the
   * cell's end; by default it is text on standard error.
   */
  uncaught?(error: CellError): void;
}

/** A failure of a cell, as a front end shows it. */
export interface CellError {
  readonly name: string;
  readonly message: string;
  /** Readable lines: the message with carets, or the stack without frames of restlab. */
  readonly traceback: readonly string[];
  readonly cause: unknown;
}

/** How a cell ended. */
export type Outcome = Ending & {
  /** The results of the assertions and tests of the cell, in order; not masked. */
  readonly assertions?: readonly AssertionResult[];
};

/** The result is absent if the last value is `undefined`, or was shown by `display`. */
type Ending =
  | { readonly status: "ok"; readonly result?: Shown }
  | { readonly status: "error"; readonly error: CellError }
  | { readonly status: "aborted" };

/** Whether a text is a complete cell, in the terms of `is_complete_reply`. */
export type IsComplete =
  | { readonly status: "complete" | "invalid" | "unknown" }
  | { readonly status: "incomplete"; readonly indent: string };
