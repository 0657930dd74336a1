import type { Fault, Faulty } from "../../../lib/mod.ts";
import type { ScriptEvents } from "./outcome.ts";

/** What a {@link TypeScriptError} is about: syntax, names and types, or types that do not stop the cell. */
type Subject = "SyntaxError" | "TypeScriptError" | "TypeScriptWarning";

/** A cell is not valid TypeScript. */
export class TypeScriptError extends Error implements Faulty {
  override readonly name: string;
  readonly source: string;
  readonly faults: readonly Fault[];

  constructor(name: Subject, source: string, faults: readonly Fault[]) {
    super(faults.map((fault) => `${fault.line}:${fault.column} ${fault.message}`).join("\n"));
    this.name = name;
    this.source = source;
    this.faults = faults;
    // The frames are those of restlab, not of the cell.
    this.stack = `${name}: ${this.message}`;
  }
}

export class InterruptedError extends Error {
  override readonly name = "InterruptedError";

  /** @param what What was interrupted, for example a request. */
  constructor(what: string = "the cell") {
    super(`Interrupted ${what}: values set before are kept`);
  }
}

/** A cell awaits a promise that cannot settle: no request, timer or stream is left. */
export class StuckError extends Error {
  override readonly name = "StuckError";

  constructor() {
    super("Cannot continue: the cell awaits a promise that nothing can settle any more");
  }
}

/** A cell begins with an unknown `%%` line. */
export class UnknownMagicError extends SyntaxError {
  override readonly name = "UnknownMagicError";

  constructor(magic: string) {
    super(
      `Cannot run a cell that begins with "${magic}": cells begin with "%%http" for requests, ` +
        `"%%ts" for TypeScript, or neither`,
    );
  }
}

/** Ends the code of a cell that has called `process.exit`. */
export class CellExit extends Error {
  override readonly name = "CellExit";
  readonly status: number;

  constructor(status: number) {
    super(`Ended by process.exit(${status})`);
    this.status = status;
  }
}

/** The script events of a session whose cells are ended from outside, when `mustEnd` returns true. */
export function endedBy(
  scripts: Pick<ScriptEvents, "run" | "compiles"> & { readonly mustEnd: () => boolean },
): ScriptEvents {
  const { run, compiles } = scripts;
  return {
    run,
    compiles,
    checkpoint: () => {
      if (scripts.mustEnd()) throw new InterruptedError();
    },
  };
}
