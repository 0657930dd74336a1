import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Client } from "../../lib/mod.ts";
import type { Cell, CellScope, Outcome, OutputSink, RunningLimit } from "./cell/mod.ts";
import { unlessAborted } from "./cell/mod.ts";
import type { LazyEvaluator } from "./lazy-evaluator.ts";
import { type CellOutput, mapStack, runInCell, show, toCellError } from "./output/mod.ts";
import { runRequest } from "./run-request.ts";
import type { Settings } from "./settings.ts";
import { checkDepth } from "./typescript/mod.ts";

interface KindsOptions {
  readonly client: Client;
  /** The folder of the files that requests name. */
  readonly directory: string;
  readonly evaluator: LazyEvaluator;
  readonly settings: Settings;
  readonly scope: Pick<CellScope, "setResult">;
}

/** One run of a cell. */
export interface CellRun {
  readonly cell: Cell;
  readonly sink: OutputSink;
  readonly output: CellOutput;
  /** Started when the cell's own code starts. */
  readonly limit: RunningLimit | undefined;
  /** What a trace calls the cell. */
  readonly name: string;
}

/** Runs a cell by its kind; an error that is thrown is the cell's failure. */
export type CellKinds = Readonly<Record<Cell["kind"], (run: CellRun) => Promise<Outcome>>>;

/** Creates the functions that run the cells of one session. */
export function createCellKinds({
  client,
  directory,
  evaluator,
  settings,
  scope,
}: KindsOptions): CellKinds {
  const hasFile = (path: string): boolean => existsSync(resolve(directory, path));
  return {
    empty: async () => ({ status: "ok" }),
    request: async ({ cell, sink, output, limit }) => {
      limit?.start();
      const { signal } = output.owner;
      const sent = client.history.at(-1);
      const outcome = await runRequest(client, cell.text, { sink, signal, hasFile });
      // The result may have been shown while it arrived.
      const last = client.history.at(-1);
      if (last !== sent) scope.setResult(last, 'import("restlab").Exchange');
      return outcome;
    },
    typescript: async ({ cell, sink, output, limit, name }) => {
      checkDepth(cell.text);
      const ready = await evaluator.get();
      if (output.owner.reason !== undefined) throw output.owner.reason;
      limit?.start();
      const onWarning = (warning: Error): void => {
        const { traceback } = toCellError(warning, evaluator.locate, client.secrets);
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
      // An error that is the result names the lines of its cell, too.
      if (ended.value instanceof Error) mapStack(ended.value, evaluator.locate);
      return { status: "ok", result: show(ended.value, client.secrets) };
    },
  };
}
