import type { Exchange, MimeBundle } from "../../../lib/mod.ts";

/**
 * A value to be shown. The bundle is made when it is asked for: a terminal shows the value in its
 * own way, and a run that prints one line for each request must not pay for HTML.
 */
export interface Shown {
  readonly value: unknown;
  /** What is stored beside the bundle: that it holds secrets, where they were revealed. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What it looks like by media type; the same object each time. It never throws. */
  bundle(): MimeBundle;
  /** Why the bundle shows an error in the place of the value, where it does. */
  readonly failure?: { readonly cause: unknown } | undefined;
}

/** Where the bodies of answers go while they come, in the place of what would be shown of them. */
export interface BodySink {
  /** How many bytes of each its exchange keeps. */
  readonly keepBytes: number;
  /** Takes the next bytes; those behind them come when they have left. */
  write(bytes: Uint8Array): Promise<void>;
  /** An answer is there that did not come as bytes: the record of a WebSocket. */
  whole(exchange: Exchange): void;
}

/** Where a running cell's output goes, while it runs and after. */
export interface OutputSink {
  /** Text that the cell wrote, in the pieces it was written in. */
  stream(name: "stdout" | "stderr", text: string): void;
  /** Something to be shown beside the result. */
  display(shown: Shown): void;
  /** Shows something that can be replaced later; absent where nothing that was shown can change. */
  displayWithId?(shown: Shown, id?: string): string;
  /** Replaces what was shown under an id. */
  update?(id: string, shown: Shown): void;
  /** Takes the bodies of what request cells send; absent where answers are shown. */
  readonly bodies?: BodySink;
  /** Prints a piece of a stream that is on its way; absent where only what is whole is shown. */
  arrive?(text: string): void;
  /**
   * Takes what nobody in the cell has caught: a rejection, an exception in a timer. It may come after
   * the cell's end, and is text on standard error where this is left out.
   */
  uncaught?(error: CellError): void;
}

/** A failure of a cell, as a front end shows it. */
export interface CellError {
  readonly name: string;
  readonly message: string;
  /** Readable lines: the message with carets or the trace without frames of restlab. */
  readonly traceback: readonly string[];
  /** What was thrown. */
  readonly cause: unknown;
}

/** How a cell ended; `result` is absent where the last value is `undefined` or there is none. */
export type Outcome =
  | { readonly status: "ok"; readonly result?: Shown }
  | { readonly status: "error"; readonly error: CellError }
  | { readonly status: "aborted" };

/** Whether a text is a whole cell, as `is_complete_reply` has it. */
export type IsComplete =
  | { readonly status: "complete" | "invalid" | "unknown" }
  | { readonly status: "incomplete"; readonly indent: string };
