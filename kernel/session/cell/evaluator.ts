import type { RunningLimit } from "./cell-limit.ts";
import type { TypeScriptError } from "./errors.ts";

/** How the evaluation of a cell ended. */
export type Evaluation =
  | { readonly status: "ok"; readonly value: unknown; readonly hasValue: boolean }
  | { readonly status: "error"; readonly thrown: unknown };

/** A stack frame in a cell or local file, with positions in the source as it was written. */
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
  /** The signature of the function whose argument is being typed. */
  readonly signature?: string;
}

/** A candidate of a completion. */
export interface Candidate {
  readonly text: string;
  /** `method`, `property`, `variable`, `header`, … */
  readonly kind: string;
  /** A short description: a type, a value. */
  readonly detail?: string;
}

/** A description of a place in a cell. */
export interface Inspection {
  /** The type, request or value, as text. */
  readonly signature: string;
  readonly documentation: string;
  /** The language of the signature; TypeScript by default. */
  readonly language?: "http" | "text";
}

/** How the code of cells is ended from outside. */
export interface ScriptEvents {
  /** The compiler is about to block the thread. */
  readonly compiles?: () => void;
  /**
   * Runs the compiled script of a cell up to its end or its first `await`, and may terminate it.
   * Nothing else may be terminated: the compiler would not survive it.
   */
  readonly run: <T>(script: () => T) => T;
  /**
   * Called regularly in the loops and functions of a cell (see {@link guardCode}); what it throws
   * ends them, and the running cell. Without it the code of cells is not changed.
   */
  readonly checkpoint?: () => void;
}

/** How a cell is evaluated. */
export interface EvaluateOptions {
  /** The name in stack frames, for example `cell 3`. */
  readonly name: string;
  /** The line on which the cell begins in the text that contains it; 1 by default. */
  readonly firstLine?: number | undefined;
  /** Started with the cell's own code, which it ends even while that computes. */
  readonly limit?: RunningLimit | undefined;
  /** Whether type errors stop the cell, as name errors do. */
  readonly isStrict?: boolean;
  /** Called before the cell runs, with the errors that do not stop it. */
  readonly onWarning?: (warning: TypeScriptError) => void;
}

/** How a script of a request file is run. */
export interface RunScriptOptions {
  /** The name in stack frames. */
  readonly name: string;
  /** The line of that file where the code begins. */
  readonly firstLine: number;
  readonly limit: RunningLimit | undefined;
  /** The names that the code sees beside those of the runtime. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Runs TypeScript cells that share their variables. */
export interface Evaluator {
  /**
   * Reads a part of the types that cells know, or all that is left of them.
   *
   * @returns Whether something is left to be read; no cell can be evaluated before.
   */
  readTypes(isUrgent: boolean): boolean;
  /** Compiles a cell, unless one has been: the first takes longer than those after it. */
  rehearse(): void;
  evaluate(code: string, options: EvaluateOptions): Promise<Evaluation>;
  /**
   * Runs JavaScript, the body of an asynchronous function, and returns its value. It shares no variables with
   * cells, but ends as their code does.
   */
  runScript(code: string, options: RunScriptOptions): Promise<unknown>;
  /** The `require` of code in a file. */
  requireFrom(file: string): (name: string) => unknown;
  /** Rejects what the running cell awaits. */
  interrupt(reason: Error): void;
  complete(code: string, position: number): Completion;
  inspect(code: string, position: number): Inspection | undefined;
  /** Maps a frame to the source; `undefined` for code that the user did not write. */
  locate(frame: Frame): Frame | undefined;
  /** Replaces the declarations of the responses to named requests, in the form of `declare global`. */
  declareResponses(declaration: string): void;
  reset(): void;
}
