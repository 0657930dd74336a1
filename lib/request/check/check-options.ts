import type { Value } from "../../interpolation/mod.ts";
import type { ExpandOptions } from "../imports/mod.ts";

/** Options of `checkText`. */
export interface CheckOptions {
  /** Parses JSON in variable lines; `JSON.parse` by default. */
  readonly parseJson?: (text: string) => Value;
  /** Names that will have a value when the text is sent: responses of earlier cells, questions. */
  readonly deferred?: Iterable<string>;
  /** Names of requests in other texts, for `# @ref`. */
  readonly requests?: Iterable<string>;
  /** The names that the value of a variable refers to, if it has none yet. */
  readonly madeOf?: (name: string) => readonly string[];
  /** Whether the scripts of the text are run when it is sent, so that their variables have values. */
  readonly runsScripts?: boolean;
  /** The line of its file on which the text begins; 1 by default. */
  readonly firstLine?: number | undefined;
  /** Whether a file exists; without it, files are not checked. */
  readonly hasFile?: (path: string) => boolean;
}

/** Options of `checkParsedText`. */
export interface SessionCheckOptions extends Omit<CheckOptions, "requests"> {
  /** Whether there is a request of this name in another text. */
  readonly hasRequest: (name: string) => boolean;
  /** The files that the text imports, and the requests that it may run. */
  readonly imports: ExpandOptions;
}
