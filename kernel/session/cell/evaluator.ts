import type { RunningLimit } from "./cell-limit.ts";
import type { TypeScriptError } from "./errors.ts";

/** How the evaluation of a cell ended. */
export type Evaluation =
  | { readonly status: "ok"; readonly value: unknown; readonly hasValue: boolean }
  | { readonly status: "error"; readonly thrown: unknown };

/** A stack line of a cell or local file, in the numbering of the text that was written. */
export interface Frame {
  /** `cell 3`, or the path of a file. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Candidates for the text from `start` to `end`, UTF-16 offsets in the cell. */
export interface Completion {
  readonly start: number;
  readonly end: number;
  readonly candidates: readonly Candidate[];
}

/** One way to go on. */
export interface Candidate {
  readonly text: string;
  /** `method`, `property`, `variable`, `header`, … */
  readonly kind: string;
  /** A few words about it: a type, a value. */
  readonly detail?: string;
}

/** What is known about a place in a cell. */
export interface Inspection {
  /** The type, request or value, as text. */
  readonly signature: string;
  readonly documentation: string;
  /** What the signature is written in; TypeScript unless it says so. */
  readonly language?: "http" | "text";
}

/** What ends the code of cells from outside. */
export interface ScriptEvents {
  /** The compiler is about to hold the thread up. */
  readonly compiles?: () => void;
  /**
   * Runs the script of a cell, which is compiled by then, up to its end or its first `await`. Nothing
   * else may be cut off: the compiler would not survive it. What ends it at SIGINT is its business.
   */
  readonly run: <T>(script: () => T) => T;
  /**
   * Called now and then in the loops and functions of a cell (see {@link guardCode}); what it throws
   * ends them, and the running cell. Unless given, code stays as it is.
   */
  readonly checkpoint?: () => void;
}

/** How one cell is evaluated. */
export interface EvaluateOptions {
  /** What frames of the trace call the cell, for example `cell 3`. */
  readonly name: string;
  /** Counts from where the cell's own code begins, and ends it even where it computes. */
  readonly limit?: RunningLimit | undefined;
  /** Whether faults of types stop the cell as faults of names do. */
  readonly isStrict?: boolean;
  /** Called before the cell runs, with faults that do not stop it. */
  readonly onWarning?: (warning: TypeScriptError) => void;
}

/** Runs TypeScript cells that share their variables. */
export interface Evaluator {
  evaluate(code: string, options: EvaluateOptions): Promise<Evaluation>;
  /** Rejects what the running cell awaits. */
  interrupt(reason: Error): void;
  complete(code: string, position: number): Completion;
  inspect(code: string, position: number): Inspection | undefined;
  /** Where a stack line really is; `undefined` for code that the user did not write. */
  locate(frame: Frame): Frame | undefined;
  /** Replaces what cells know of the answers of named requests, as it stands in `declare global`. */
  declareResponses(declaration: string): void;
  reset(): void;
}
