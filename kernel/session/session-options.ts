import type { Client, Question } from "../../lib/mod.ts";
import type { CellLimit, ScriptEvents } from "./cell/mod.ts";
import type { ClientPlatform } from "./client-options.ts";

/** What a session is made with. */
export interface SessionOptions {
  /** What comes from outside. */
  readonly platform: ClientPlatform;
  /** The client of the cells; a new one unless given. */
  readonly client?: Client;
  /** Limit of each request in milliseconds, where the client is not given. */
  readonly timeout?: number;
  /** Asks the person at the front end for a value, where the client is not given. */
  readonly ask?: (question: Question) => Promise<string | undefined>;
  /** Makes generated values repeat, where the client is not given. */
  readonly seed?: string;
  /** Further names that TypeScript cells see, for example `prompt`. */
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Declarations of such names, as they stand in `declare global`. */
  readonly globalTypes?: string;
  /** Told when the code of a TypeScript cell runs, for what ends it from outside. */
  readonly scriptEvents?: ScriptEvents;
  /** Where the library's declarations are; they are looked for beside the program unless given. */
  readonly libraryTypes?: string;
  /** Called when a cell calls `process.exit`; it ends the process unless given. */
  readonly onExit?: (status: number) => void;
}

/** Options of running one cell. */
export interface ExecuteOptions {
  /** Ends this cell alone. */
  readonly signal?: AbortSignal;
  /** Ends this cell alone after a time, even where it computes, up to its first `await` at least. */
  readonly limit?: CellLimit;
  /** What a trace calls the cell; `cell 3` for the third unless given. */
  readonly name?: string;
}
