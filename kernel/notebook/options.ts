import type { Secrets } from "../../lib/mod.ts";
import type { LoopBreaker } from "../platform/mod.ts";
import type { RecordingOptions, SessionOptions } from "../session/mod.ts";
import type { Document } from "./document/mod.ts";
import type { DocumentSession } from "./open-session.ts";
import type { TerminalReporter } from "./terminal-reporter.ts";

export interface RunOptions extends RecordingOptions {
  readonly files: readonly string[];
  /** Initial variables; JSON values are JSON, anything else is text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly environment?: string;
  readonly seed?: string;
  /** Where to write the notebook with its outputs: a file, a folder for several, `-` for stdout. */
  readonly output?: string;
  /** Whether the outputs have no times and dates. */
  readonly stable?: boolean;
  /** Whether to start the embedded API on a free port and set `base` to its URL. */
  readonly demo: boolean;
  /** The time limit of each request and each cell, in seconds. */
  readonly timeout?: number;
  readonly keepGoing: boolean;
  /** Whether to print whole answers, one line per request, or one line of JSON per result. */
  readonly form: "shown" | "brief" | "json";
  /** Whether a status of 3xx, 4xx or 5xx makes the exit status 3, 4 or 5. */
  readonly checkStatus: boolean;
  /** Asks the person at the terminal for the values of prompts. */
  readonly ask?: SessionOptions["ask"];
  /** Called with the session of the last document before it is closed. */
  readonly interact?: (opened: DocumentSession, breaker: LoopBreaker) => Promise<void>;
  /** Reports the run in place of the reporter of `restlab run`. */
  readonly observer?: RunObserver;
}

/** The run of a document that is observed. */
export interface ObservedRun {
  /** Whether a cell failed. */
  readonly hasFailed: boolean;
  /** Whether it was interrupted, or ended by `process.exit`. */
  readonly isInterrupted: boolean;
  /** Writes the document with its outputs to its own file, and returns remarks. */
  save(): Promise<readonly string[]>;
}

/** Observes the run of a command that runs documents for another purpose. */
export interface RunObserver {
  /** Whether the outputs are kept, so that `save` can write them. */
  readonly keepOutputs: boolean;
  /**
   * Called before anything is sent.
   *
   * @throws {DocumentError} The documents cannot be used.
   */
  documentsRead(documents: readonly Document[]): Promise<void>;
  /** Creates the reporter of a document. */
  createReporter(document: Document, secrets: Secrets): TerminalReporter;
  /**
   * Called at the end of a document, also if it was interrupted.
   *
   * @returns Lines for the person.
   */
  documentEnded(document: Document, run: ObservedRun): Promise<readonly string[]>;
}
