import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Client } from "../../lib/mod.ts";
import type { Cell, Evaluator, Outcome, OutputSink, RunningLimit } from "./cell/mod.ts";
import { unlessAborted } from "./cell/mod.ts";
import {
  type CellOutput,
  type Locate,
  mapStack,
  runInCell,
  show,
  toCellError,
} from "./output/mod.ts";
import { runRequest } from "./run-request.ts";
import type { Settings } from "./settings.ts";
import { checkDepth } from "./typescript/mod.ts";

/** What cells of whatever kind run with. */
export interface KindsOptions {
  readonly client: Client;
  /** The folder that files of requests are looked for in. */
  readonly directory: string;
  readonly locate: Locate;
  readonly settings: Settings;
  /** Loads TypeScript where it is not there yet. */
  readonly withEvaluator: () => Promise<Evaluator>;
}

/** One run of a cell. */
export interface CellRun {
  readonly cell: Cell;
  readonly sink: OutputSink;
  readonly output: CellOutput;
  /** The cell's time begins where its own work does. */
  readonly limit: RunningLimit | undefined;
  /** What a trace calls the cell. */
  readonly name: string;
}

/** What running a cell means, by its kind; what it throws is the cell's failure. */
export type CellKinds = Readonly<Record<Cell["kind"], (run: CellRun) => Promise<Outcome>>>;

/** Creates the table of kinds of one session. */
export function createCellKinds({
  client,
  directory,
  locate,
  settings,
  withEvaluator,
}: KindsOptions): CellKinds {
  const hasFile = (path: string): boolean => existsSync(resolve(directory, path));
  return {
    empty: async () => ({ status: "ok" }),
    request: ({ cell, sink, output, limit }) => {
      limit?.start();
      return runRequest(client, cell.text, { sink, signal: output.owner.signal, hasFile });
    },
    typescript: async ({ cell, sink, output, limit, name }) => {
      checkDepth(cell.text);
      const ready = await withEvaluator();
      if (output.owner.reason !== undefined) throw output.owner.reason;
      limit?.start();
      const onWarning = (warning: Error): void => {
        const { traceback } = toCellError(warning, locate, client.secrets);
        sink.stream("stderr", `${traceback.join("\n")}\n`);
      };
      const ended = await unlessAborted(
        output.owner.signal,
        runInCell(output, () =>
          ready.evaluate(cell.text, { name, limit, isStrict: settings.isStrict, onWarning }),
        ),
      );
      if (ended.status === "error") throw ended.thrown;
      if (!ended.hasValue) return { status: "ok" };
      // An error may be a result as well: it names the lines of its cell, too.
      if (ended.value instanceof Error) mapStack(ended.value, locate);
      return { status: "ok", result: show(ended.value, client.secrets) };
    },
  };
}
