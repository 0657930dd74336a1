import type { Client, Question } from "../../lib/mod.ts";
import type { CellLimit, ScriptEvents } from "./cell/mod.ts";
import type { ClientPlatform, SessionRecording } from "./client/mod.ts";

/** Options of a session. */
export interface SessionOptions {
  readonly platform: ClientPlatform;
  /** The client of the cells; a new one by default. */
  readonly client?: Client;
  /** The time limit of each request of a new client, in milliseconds. */
  readonly timeout?: number;
  /** Asks the user for a value, for a new client. */
  readonly ask?: (question: Question) => Promise<string | undefined>;
  /** Records or answers the requests of a new client. */
  readonly recording?: SessionRecording | undefined;
  /** Makes the generated values of a new client reproducible. */
  readonly seed?: string;
  /** The clock of a new client and of the embedded API; by default that of the machine. */
  readonly now?: () => Date;
  /** Further globals of TypeScript cells, for example `prompt`. */
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Their declarations, in the form of `declare global`. */
  readonly globalTypes?: string;
  /** How the code of TypeScript cells is ended from outside. */
  readonly scriptEvents?: ScriptEvents;
  /** The file of the library's declarations; by default the one of the program. */
  readonly libraryTypes?: string;
  /** Called when a cell calls `process.exit`; by default the process ends. */
  readonly onExit?: (status: number) => void;
}

/** Options of running one cell. */
export interface ExecuteOptions {
  /** Ends only this cell. */
  readonly signal?: AbortSignal;
  /** Ends only this cell after a time, even while it computes, at least up to its first `await`. */
  readonly limit?: CellLimit;
  /** Whether the cell is of a file of requests: it is a request, whatever it looks like. */
  readonly isRequestFile?: boolean;
  /** The file of requests that contains the cell; the results of assertions name it. */
  readonly file?: string;
  /** The line on which the cell begins in the text that contains it; 1 by default. Errors name the lines of that text. */
  readonly firstLine?: number;
  /** The name of the cell in stack frames; `cell 3` for the third by default. */
  readonly name?: string;
}
