import { cwd, env } from "node:process";
import { crc32 } from "node:zlib";
import { describeRequest } from "../../lib/exchange/mod.ts";
import { isError } from "../../lib/interpolation/mod.ts";
import type { AssertionResult, Client, EnvironmentInfo, SkippedRequest } from "../../lib/mod.ts";
import { hideLong } from "../../lib/secrets/mod.ts";
import {
  type CellScope,
  cameOfEnd,
  createLimit,
  createOwners,
  InterruptedError,
  type Outcome,
  type OutputSink,
  type Owner,
} from "./cell/mod.ts";
import { type Cell, kindOfCell } from "./cell.ts";
import { type CellKinds, type CellRun, createCellKinds } from "./cell-kinds.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { LazyEvaluator } from "./lazy-evaluator.ts";
import { createMaskedSink } from "./masked-sink.ts";
import {
  type CellHooks,
  type CellOutput,
  createCellOutput,
  runInCell,
  runOutsideCells,
} from "./output.ts";
import { createScriptHost } from "./script-host.ts";
import type { ExecuteOptions, SessionOptions } from "./session.ts";
import type { Settings } from "./settings.ts";
import { show } from "./show.ts";
import { mapStack, toCellError } from "./trace.ts";

interface CellRunnerParts {
  readonly client: Client;
  readonly settings: Settings;
  readonly evaluator: LazyEvaluator;
  readonly checkpoint: Checkpoint;
  readonly scope: CellScope;
}

/** Runs the cells of a session, one at a time. */
export class CellRunner {
  readonly #client: Client;
  readonly #settings: Settings;
  readonly #evaluator: LazyEvaluator;
  readonly #checkpoint: Checkpoint;
  readonly #kinds: CellKinds;
  readonly #scope: CellScope;
  readonly #hooks: CellHooks;
  readonly #demo: ReturnType<typeof createDemoLine>;
  readonly #hasEnvironments: boolean;
  readonly #platform: SessionOptions["platform"];
  readonly #owners = createOwners();
  /** Requests leave nothing running: one owner serves all of them until one is interrupted. */
  #requestOwner = this.#owners.create();
  #interrupt: ((reason: Error) => void) | undefined;
  #count = 0;
  #isStarted = false;

  constructor(
    options: SessionOptions,
    { client, settings, evaluator, checkpoint, scope }: CellRunnerParts,
  ) {
    this.#client = client;
    this.#settings = settings;
    this.#evaluator = evaluator;
    this.#checkpoint = checkpoint;
    this.#scope = scope;
    this.#platform = options.platform;
    const { directory, readFile } = options.platform;
    this.#hasEnvironments = options.client === undefined && readFile !== undefined;
    const { headers } = settings;
    const scripts = createScriptHost({ client, headers, directory, evaluator });
    this.#kinds = createCellKinds({ client, directory, evaluator, settings, scripts, scope });
    this.#demo = createDemoLine(client, options);
    this.#hooks = {
      exit: options.onExit,
      secrets: client.secrets,
      globals: evaluator.globals,
      prepare: (values) => this.#prepare(values),
      describe: (error) => toCellError(error, evaluator.locate, client.secrets),
    };
  }

  /** Runs a cell. It never rejects: a failure is an outcome. */
  async run(given: string | Cell, target: OutputSink, options: ExecuteOptions): Promise<Outcome> {
    const { secrets } = this.#client;
    const sink = createMaskedSink(target, secrets);
    this.#count += 1;
    const assertions: AssertionResult[] = [];
    const skipped: SkippedRequest[] = [];
    const noted = (): Pick<Outcome, "assertions" | "skipped"> => ({
      ...(assertions.length > 0 && { assertions }),
      ...(skipped.length > 0 && { skipped }),
    });
    try {
      const cell = typeof given === "string" ? kindOfCell(given, options.isRequestFile) : given;
      secrets.learn({ kind: "source", text: cell.source }, "person");
      const lists = { assertions, skipped };
      return { ...(await this.#runCell(cell, sink, options, lists)), ...noted() };
    } catch (error) {
      return { status: "error", error: this.#hooks.describe(error), ...noted() };
    } finally {
      const remarks = secrets.takeRemarks();
      if (remarks.length > 0) sink.stream("stderr", `${remarks.join("\n")}\n`);
      sink.end();
    }
  }

  interrupt(reason: Error = this.#interruption()): void {
    this.#interrupt?.(reason);
  }

  /** The error of an interrupt, which says what was waited for. */
  #interruption(): InterruptedError {
    const [first, ...more] = this.#client.pending;
    if (first === undefined) return new InterruptedError();
    const seconds = ((Date.now() - first.startedAt.getTime()) / 1000).toFixed(1);
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    return new InterruptedError(`${describeRequest(first)} after ${seconds} s${others}`);
  }

  /** Ends everything that cells began. */
  async end(): Promise<void> {
    runOutsideCells(() => this.#owners.end(new InterruptedError()));
    await this.#demo.close();
  }

  /** Counts the cells from 1 again. */
  resetCount(): void {
    this.#count = 0;
  }

  async #runCell(
    cell: Cell,
    sink: OutputSink,
    {
      signal,
      name = `cell ${this.#count}`,
      limit: limited,
      file,
      firstLine,
      isSilent = false,
      given,
    }: ExecuteOptions,
    lists: Pick<CellOutput, "assertions" | "skipped">,
  ): Promise<Outcome> {
    const owner = this.#ownerOf(cell);
    const output = createCellOutput(sink, this.#hooks, owner, lists);
    // The code of a cell may interrupt itself, but does not own what follows.
    const interrupt = (reason: Error): void =>
      runOutsideCells(() => {
        owner.end(reason);
        this.#evaluator.loaded?.interrupt(reason);
      });
    const onAbort = (): void => interrupt(this.#interruption());
    const limit = limited === undefined ? undefined : createLimit(limited, interrupt);
    signal?.addEventListener("abort", onAbort);
    this.#checkpoint.setRunning({ output, limit, end: interrupt });
    this.#interrupt = interrupt;
    this.#scope.keepsResult = !isSilent;
    try {
      for (const line of cell.imports ?? []) await this.#import(line, output);
      await this.#useEnvironment(cell, sink);
      if (cell.strict !== undefined) applyStrict(cell.strict, this.#settings, sink);
      if (cell.demo !== undefined) await this.#demo.apply(cell.demo, sink);
      // The compiler does not see that a cell goes to the function of its own kind.
      const runKind = this.#kinds[cell.kind] as (run: CellRun) => Promise<Outcome>;
      return await runKind({ cell, sink, output, limit, name, file, firstLine, given });
    } catch (error) {
      // The runtime itself, or a question, may have ended the cell.
      const isEnd = error instanceof InterruptedError || (limited && error === limited.reason);
      if (isEnd && !cameOfEnd(error)) interrupt(error as Error);
      throw owner.reason ?? error;
    } finally {
      output.live.end(owner.reason !== undefined);
      limit?.stop();
      signal?.removeEventListener("abort", onAbort);
      this.#interrupt = undefined;
      this.#checkpoint.setRunning(undefined);
    }
  }

  #ownerOf({ kind }: Cell): Owner {
    if (kind === "typescript") return this.#owners.create();
    if (this.#requestOwner.reason !== undefined) this.#requestOwner = this.#owners.create();
    return this.#requestOwner;
  }

  /** Imports documents, whose environment is read then. */
  async #import(line: string, output: CellOutput): Promise<void> {
    const { directory, importDocuments } = this.#platform;
    if (importDocuments === undefined) {
      throw new Error("Importing failed: %import works where the command restlab runs the cell");
    }
    const report = await runInCell(output, () => importDocuments(line, directory));
    output.sink.stream("stdout", `${report.join("\n")}\n`);
    if (this.#isStarted && this.#hasEnvironments) {
      await this.#client.useEnv(this.#client.environment?.name);
    }
  }

  /** Applies a `%env` line, and before the first cell what all environments share. */
  async #useEnvironment({ environment, kind }: Cell, sink: OutputSink): Promise<void> {
    const client = this.#client;
    const isFirst = kind !== "empty" && !this.#isStarted && this.#hasEnvironments;
    let used: EnvironmentInfo | undefined;
    if (environment?.name !== undefined) used = await client.useEnv(environment.name);
    else if (isFirst) used = client.environment ?? (await client.useEnv());
    for (const warning of used?.warnings ?? []) sink.stream("stderr", `${warning}\n`);
    if (kind !== "empty") this.#isStarted = true;
    else if (environment !== undefined) sink.display(show(client.environment, client.secrets));
  }

  /** Prepares values that a cell prints. */
  #prepare(values: readonly unknown[]): readonly unknown[] {
    const { secrets } = this.#client;
    for (const value of values) {
      if (isError(value)) mapStack(value, this.#evaluator.locate);
      else if (typeof value === "object" && value !== null) {
        secrets.learn({ kind: "value", value }, "person");
      }
    }
    return values.map((value) => hideLong(value, secrets));
  }
}

const VALUES: Readonly<Record<string, boolean>> = { on: true, off: false };

/**
 * Does what a line `%strict` of a cell says.
 *
 * @throws {SyntaxError} It says neither `on` nor `off`.
 */
function applyStrict(
  { value }: NonNullable<Cell["strict"]>,
  settings: Settings,
  sink: Pick<OutputSink, "stream">,
): void {
  if (value === undefined) {
    const effect = settings.isStrict ? "type errors stop a cell" : "type errors are warnings";
    sink.stream("stdout", `%strict is ${settings.isStrict ? "on" : "off"}: ${effect}\n`);
    return;
  }
  const isStrict = Object.hasOwn(VALUES, value) ? VALUES[value] : undefined;
  if (isStrict === undefined) {
    throw new SyntaxError(`Cannot set "%strict ${value}": write "%strict on" or "%strict off"`);
  }
  settings.isStrict = isStrict;
}

type Demo = Awaited<ReturnType<typeof import("../demo/mod.ts").startDemo>>;

/** The name of the variable that contains the URL, as for `--demo`. */
const BASE = "base";

/** Creates the embedded users API that a line `%demo` starts, and that ends with the session; nothing is loaded yet. */
function createDemoLine(client: Client, options: Pick<SessionOptions, "now">) {
  let running: Demo | undefined;
  let isClosed = false;
  return {
    /**
     * Starts the API, unless it runs, and sets `base` to its URL. Starts nothing if `base` is set to something else.
     *
     * @throws {SyntaxError} The line has a port that is not a number from 0 to 65535.
     * @throws {Error} The port is not available.
     */
    apply: async (
      { port }: NonNullable<Cell["demo"]>,
      sink: Pick<OutputSink, "stream">,
    ): Promise<void> => {
      if (client.hasVar(BASE) && client.getVar(BASE) !== running?.url) {
        const reason = `{{${BASE}}} is set already`;
        sink.stream("stdout", `${reason}, so %demo starts nothing\n`);
        return;
      }
      // Its connections and timers belong to no cell.
      running ??= await runOutsideCells(() => start(port, options));
      if (isClosed) return await running.close();
      client.setVar(BASE, running.url);
      sink.stream("stdout", `{{${BASE}}} is ${running.url}, the URL of the demo API\n`);
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await running?.close();
    },
  };
}

async function start(
  text: string | undefined,
  { now }: Pick<SessionOptions, "now">,
): Promise<Demo> {
  const port = text === undefined ? undefined : toPort(text);
  // Loaded on demand: few sessions start it.
  const { startDemo } = await import("../demo/mod.ts");
  if (port !== undefined) return await startDemo({ port, now });
  // While the usual port is in use, a notebook has one of its own again and again: its answers stay the same.
  for (const proposed of [undefined, ...portsOf(env["JPY_SESSION_NAME"] ?? cwd())]) {
    const demo = await startDemo({ port: proposed, now }).catch(() => undefined);
    if (demo !== undefined) return demo;
  }
  return await startDemo({ port: 0, now });
}

/** A few ports above the usual one, by the name of a notebook. Jupyter Server names it, others have the folder alone. */
function portsOf(name: string): readonly number[] {
  const first = 8_800 + (crc32(name) % 1_000);
  return [first, first + 1, first + 2, first + 3];
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SyntaxError(
    `Cannot start the demo API on port "${text}": write %demo, or %demo with a port from 0 to 65535`,
  );
}
