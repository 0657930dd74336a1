import type { MimeBundle } from "../../lib/mod.ts";

/** Where a running cell's output goes, while it runs and after. */
export interface OutputSink {
  /** Text that the cell wrote, in the pieces it was written in. */
  stream(name: "stdout" | "stderr", text: string): void;
  /** Something to be shown beside the result. */
  display(bundle: MimeBundle): void;
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

/** How a cell ended. */
export type Outcome =
  | { readonly status: "ok"; readonly value: unknown; readonly result?: MimeBundle }
  | { readonly status: "error"; readonly error: CellError }
  | { readonly status: "aborted" };
