import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isError } from "../../lib/interpolation/mod.ts";
import { type Client, type Exchange, readText } from "../../lib/mod.ts";
import { withoutLines } from "../../lib/request/mod.ts";
import {
  CellExit,
  type CellScope,
  type Outcome,
  type OutputSink,
  type RunningLimit,
  UnknownMagicError,
  unlessEnded,
} from "./cell/mod.ts";
import type { Cell } from "./cell.ts";
import { withTests } from "./cell-tests.ts";
import { checkDepth } from "./compiler/mod.ts";
import { placeholderValue } from "./complete-request.ts";
import { displaysOf } from "./display-queue.ts";
import type { LazyEvaluator } from "./lazy-evaluator.ts";
import { type CellOutput, noteScript, runInCell } from "./output.ts";
import { runAssertions, runRequest } from "./run-request.ts";
import type { ScriptHost } from "./script-host.ts";
import type { Settings } from "./settings.ts";
import { show } from "./show.ts";
import { mapStack, toCellError } from "./trace.ts";

interface KindsOptions {
  readonly client: Client;
  /** The folder of the files that requests name. */
  readonly directory: string;
  readonly evaluator: LazyEvaluator;
  readonly settings: Settings;
  readonly scripts: ScriptHost;
  readonly scope: Pick<CellScope, "setResult">;
}

/** One run of a cell. */
export interface CellRun<Kind extends Cell["kind"] = Cell["kind"]> {
  readonly cell: Extract<Cell, { readonly kind: Kind }>;
  readonly sink: OutputSink;
  readonly output: CellOutput;
  /** Started when the cell's own code starts. */
  readonly limit: RunningLimit | undefined;
  /** What a trace calls the cell. */
  readonly name: string;
  /** The file that contains it, if it is a file of requests. */
  readonly file: string | undefined;
  /** The line on which it begins in the text that contains it. */
  readonly firstLine: number | undefined;
  /** Variables that its lines leave as they are. */
  readonly given: ReadonlySet<string> | undefined;
}

/** Runs a cell by its kind; an error that is thrown is the cell's failure. */
export type CellKinds = {
  readonly [Kind in Cell["kind"]]: (run: CellRun<Kind>) => Promise<Outcome>;
};

/** Creates the functions that run the cells of one session. */
export function createCellKinds({
  client,
  directory,
  evaluator,
  settings,
  scripts,
  scope,
}: KindsOptions): CellKinds {
  const hasFile = (path: string): boolean => existsSync(resolve(directory, path));
  return {
    empty: async () => ({ status: "ok" }),
    "unknown-magic": ({ cell }) => Promise.reject(new UnknownMagicError(cell.magic)),
    request: async ({ cell, output, limit, name, file, firstLine, given: fixed }) => {
      limit?.start();
      const runScript = scripts.runnerOf({ output, limit, name: file ?? name });
      let last: Exchange | undefined;
      const onExchange = (exchange: Exchange): void => {
        last = exchange;
      };
      const read = cell.parsed ?? readText(cell.text, firstLine);
      const text = fixed === undefined ? read : withoutLines(read, fixed);
      const given = { output, hasFile, runScript, file, onExchange };
      const outcome = await runRequest(client, text, given);
      if (last !== undefined) scope.setResult(last, 'import("restlab").Exchange');
      return outcome;
    },
    placeholder: async ({ cell }) => {
      const value = placeholderValue(client, cell.path);
      // Without a value rendering fails, and says what is missing.
      if (value === undefined) client.render(cell.text);
      scope.setResult(value, "any");
      return { status: "ok", result: show(value, client.secrets) };
    },
    assertions: async ({ cell, output, limit, name, file, firstLine }) => {
      limit?.start();
      const runScript = scripts.runnerOf({ output, limit, name: file ?? name });
      const { signal } = output.owner;
      await runAssertions(client, cell.text, output, { signal, runScript, firstLine, file });
      return { status: "ok" };
    },
    typescript: async ({ cell, sink, output, limit, name, firstLine }) => {
      checkDepth({ source: cell.text, firstLine });
      const ready = await evaluator.get();
      if (output.owner.reason !== undefined) throw output.owner.reason;
      const onWarning = (warning: Error): void => {
        const { traceback } = toCellError(warning, evaluator.locate, client.secrets);
        sink.stream("stderr", `${traceback.join("\n")}\n`);
      };
      const tested = { source: cell.text, firstLine, name, locate: evaluator.locate };
      const shown = await withTests(output, tested, async (settle) => {
        const running = runInCell(output, async () => {
          const isStrict = settings.isStrict;
          const onScript = (id: number): void => noteScript(id, output);
          const options = { name, firstLine, limit, isStrict, onScript, onWarning };
          const ended = await ready.evaluate(cell.text, options);
          if (ended.status === "ok") await settle();
          // An assertion that nothing has awaited adds nothing to the error of the cell.
          else if (!(ended.thrown instanceof CellExit)) await settle().catch(() => undefined);
          const result = ended.status === "ok" ? ended.value : undefined;
          // An error that is the result names the lines of its cell, too.
          if (isError(result)) mapStack(result, evaluator.locate);
          return { ended, shown: await displaysOf(output).end(result) };
        });
        const { ended, shown } = await unlessEnded(output.owner, running);
        if (ended.status === "error") throw ended.thrown;
        return shown;
      });
      return { status: "ok", ...(shown.value !== undefined && { result: shown }) };
    },
  };
}
