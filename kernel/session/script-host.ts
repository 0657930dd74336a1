import { basename, resolve } from "node:path";
import { inspect } from "node:util";
import { inspectSafely } from "../../lib/display/mod.ts";
import { isError, messageOf, readProperty } from "../../lib/interpolation/mod.ts";
import type { Client, RunScript, ScriptEnd, ScriptRun } from "../../lib/mod.ts";
import { createBlockObjects, createExpressionObjects } from "./block-objects.ts";
import {
  CellExit,
  type Evaluator,
  InterruptedError,
  type RunningLimit,
  unlessAborted,
} from "./cell/mod.ts";
import { withoutImports } from "./handler-imports.ts";
import { createHandlerObjects, EXIT, type HandlerState } from "./handler-objects.ts";
import { type CellOutput, noteScript, runInCell, runOutsideCells } from "./output.ts";
import { createPlaces } from "./test-group.ts";
import { Tests } from "./tests.ts";
import type { Locate } from "./trace.ts";

/** What runs the scripts of a session. */
export interface ScriptHost {
  /** Creates the runner of a cell, whose output, owner and limit are those of its scripts. */
  runnerOf(cell: ScriptCell): RunScript;
}

interface ScriptCell {
  readonly output: CellOutput;
  readonly limit: RunningLimit | undefined;
  /** What a trace calls the cell. */
  readonly name: string;
}

interface HostOptions {
  readonly client: Client;
  readonly headers: HandlerState["headers"];
  /** The folder of the session. */
  readonly directory: string;
  readonly evaluator: { get(): Promise<Evaluator>; readonly locate: Locate };
}

/** Creates the host of a session. */
export function createScriptHost({
  client,
  headers,
  directory,
  evaluator,
}: HostOptions): ScriptHost {
  const state: HandlerState = { client, headers, directory, names: new Set(), code: new Map() };
  return {
    runnerOf: (cell) => async (run) => {
      const { signal } = cell.output.owner;
      cell.limit?.pause();
      try {
        const ready = await unlessAborted(signal, evaluator.get());
        return await unlessAborted(signal, runScript(run, cell, ready, state, evaluator.locate));
      } finally {
        cell.limit?.start();
      }
    },
  };
}

async function runScript(
  run: ScriptRun,
  { output, limit, name }: ScriptCell,
  evaluator: Evaluator,
  state: HandlerState,
  locate: Locate,
): Promise<ScriptEnd> {
  const { location } = run;
  const file = location.file ?? name;
  const place = createPlaces(locate, file, location.file);
  const isEnd = (error: unknown): boolean =>
    error === EXIT ||
    error instanceof CellExit ||
    error instanceof InterruptedError ||
    (error !== undefined && (error === limit?.reason || error === output.owner.reason));
  const mask = (text: string): string => output.secrets.mask(text);
  const tests = new Tests({ placeOf: place, location, isEnd, mask });
  try {
    const own = basename(location.file ?? "script.http");
    // The path of the cell's own file may be relative to another folder than that of the session.
    const path = resolve(state.directory, location.file === name ? own : (location.file ?? own));
    const { text, parameters, end } = prepare(run, state, path, evaluator.requireFrom(path));
    const options = {
      name: file,
      firstLine: location.line,
      // That of the cell goes on once the script is checked.
      limit,
      parameters,
      onScript: (id: number): void => noteScript(id, output),
    };
    const value = await runInCell(output, () =>
      tests.run(() => evaluator.runScript(text, options)),
    );
    await tests.settle();
    const isCancelled = await end?.();
    return { results: tests.close(), value, ...(isCancelled ? { isCancelled } : {}) };
  } catch (error) {
    const settled = (): Promise<void> => tests.settle().catch(() => undefined);
    if (error === EXIT) {
      await settled();
      return { results: tests.close() };
    }
    if (isEnd(error)) {
      // The runtime itself may have ended the code.
      runOutsideCells(() => output.owner.end(error as Error));
      throw error;
    }
    const message = describe(error);
    const at = isError(error) ? place(error) : undefined;
    const thrown = { message, location: at };
    await settled();
    return { results: tests.close(), thrown };
  }
}

/** What the code of a script is run with. */
interface PreparedScript {
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Called when it has ended without an error; returns whether it has cancelled the request. */
  readonly end?: () => Promise<boolean>;
}

function prepare(
  run: ScriptRun,
  state: HandlerState,
  file: string,
  requireFile: (name: string) => unknown,
): PreparedScript {
  const { dialect, kind, code, request, exchange } = run;
  if (dialect === "httpyac" && kind !== "expression") {
    // In a block its declarations may have the names of parameters.
    return { text: `{${code}\n}`, ...createBlockObjects(run, state, file, requireFile) };
  }
  if (request === undefined) throw new TypeError("The script has no request");
  if (kind !== "expression") {
    const parameters = createHandlerObjects(state, request, exchange);
    const text = withoutImports(code, file);
    return text === code
      ? { text, parameters }
      : { text, parameters: { ...parameters, require: requireFile } };
  }
  const parameters = createExpressionObjects(state.client, code, request, exchange);
  return { text: `return (${code}\n)`, parameters };
}

function describe(error: unknown): string {
  if (isError(error)) return messageOf(error) || String(readProperty(error, "name"));
  const text = typeof error === "string" ? error : inspectSafely(error, inspect);
  return `The script threw ${text}`;
}
