import type {
  AssertionResult,
  Exchange,
  MimeBundle,
  ResponseHead,
  SkippedRequest,
} from "../../../lib/mod.ts";
import type { RunningLimit } from "./scope.ts";

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
  /** Receives a response that is not forwarded: the record of a WebSocket too, and one that was saved to a file. */
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
  /** The requests of the cell that were not sent; not masked. */
  readonly skipped?: readonly SkippedRequest[];
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
  /** Called before the cell runs, with the number of its script, by which stacks name it. */
  readonly onScript?: (id: number) => void;
  /** Called before the cell runs, with the errors that do not stop it. */
  readonly onWarning?: (warning: Error) => void;
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
  /** Called before the code runs, with the number of its script, by which stacks name it. */
  readonly onScript: (id: number) => void;
}

/** Runs TypeScript cells that share their variables. */
export interface Evaluator {
  /**
   * Reads a part of the types that cells know, or at once what no cell can do without. A cell that needs more reads it.
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
  reset(): void;
}
