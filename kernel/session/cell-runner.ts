import { describeRequest } from "../../lib/exchange/mod.ts";
import type { AssertionResult, Client } from "../../lib/mod.ts";
import { hideLong } from "../../lib/secrets/mod.ts";
import {
  type Cell,
  type CellScope,
  cameOfEnd,
  createLimit,
  createOwners,
  InterruptedError,
  kindOfCell,
  type Outcome,
  type OutputSink,
  type Owner,
} from "./cell/mod.ts";
import { type CellKinds, type CellRun, createCellKinds } from "./cell-kinds.ts";
import type { Settings } from "./client/mod.ts";
import { createDemoLine, type DemoLine } from "./demo-line.ts";
import type { LazyEvaluator } from "./lazy-evaluator.ts";
import {
  type CellHooks,
  type Checkpoint,
  createCellOutput,
  createMaskedSink,
  mapStack,
  runOutsideCells,
  show,
  toCellError,
} from "./output/mod.ts";
import { createScriptHost } from "./scripts/mod.ts";
import type { ExecuteOptions, SessionOptions } from "./session-options.ts";
import { applyStrict } from "./strict-line.ts";

interface CellRunnerParts {
  readonly client: Client;
  readonly settings: Settings;
  readonly evaluator: LazyEvaluator;
  readonly checkpoint: Checkpoint;
  readonly scope: Pick<CellScope, "setResult">;
}

/** Runs the cells of a session, one at a time. */
export class CellRunner {
  readonly #client: Client;
  readonly #settings: Settings;
  readonly #evaluator: LazyEvaluator;
  readonly #checkpoint: Checkpoint;
  readonly #kinds: CellKinds;
  readonly #hooks: CellHooks;
  readonly #demo: DemoLine;
  readonly #hasEnvironments: boolean;
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
    const { directory, readFile } = options.platform;
    this.#hasEnvironments = options.client === undefined && readFile !== undefined;
    const { headers } = settings;
    const scripts = createScriptHost({ client, headers, directory, evaluator });
    this.#kinds = createCellKinds({ client, directory, evaluator, settings, scripts, scope });
    this.#demo = createDemoLine(client, options);
    this.#hooks = {
      exit: options.onExit,
      secrets: client.secrets,
      prepare: (values) => this.#prepare(values),
      describe: (error) => toCellError(error, evaluator.locate, client.secrets),
    };
  }

  /** Runs a cell. It never rejects: a failure is an outcome. */
  async run(given: string | Cell, target: OutputSink, options: ExecuteOptions): Promise<Outcome> {
    const { secrets } = this.#client;
    const sink = createMaskedSink(target, secrets);
    this.#count += 1;
    const cell = typeof given === "string" ? kindOfCell(given, options.isRequestFile) : given;
    secrets.learn({ kind: "source", text: cell.source }, "person");
    const assertions: AssertionResult[] = [];
    const checked = (): Pick<Outcome, "assertions"> =>
      assertions.length === 0 ? {} : { assertions };
    try {
      return { ...(await this.#runCell(cell, sink, options, assertions)), ...checked() };
    } catch (error) {
      return { status: "error", error: this.#hooks.describe(error), ...checked() };
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
    { signal, name = `cell ${this.#count}`, limit: given, file, firstLine }: ExecuteOptions,
    assertions: AssertionResult[],
  ): Promise<Outcome> {
    const owner = this.#ownerOf(cell);
    const output = createCellOutput(sink, this.#hooks, owner, assertions);
    // The code of a cell may interrupt itself, but does not own what follows.
    const interrupt = (reason: Error): void =>
      runOutsideCells(() => {
        owner.end(reason);
        this.#evaluator.loaded?.interrupt(reason);
      });
    const onAbort = (): void => interrupt(this.#interruption());
    const limit = given === undefined ? undefined : createLimit(given, interrupt);
    signal?.addEventListener("abort", onAbort);
    this.#checkpoint.setRunning({ output, limit, end: interrupt });
    this.#interrupt = interrupt;
    try {
      await this.#useEnvironment(cell, sink);
      if (cell.strict !== undefined) applyStrict(cell.strict, this.#settings, sink);
      if (cell.demo !== undefined) await this.#demo.apply(cell.demo, sink);
      // The compiler does not see that a cell goes to the function of its own kind.
      const runKind = this.#kinds[cell.kind] as (run: CellRun) => Promise<Outcome>;
      return await runKind({ cell, sink, output, limit, name, file, firstLine });
    } catch (error) {
      // The runtime itself, or a question, may have ended the cell.
      const isEnd = error instanceof InterruptedError || (given && error === given.reason);
      if (isEnd && !cameOfEnd(error)) interrupt(error as Error);
      throw owner.reason ?? error;
    } finally {
      output.waiting.end();
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

  /** Applies a `%env` line, and before the first cell what all environments share. */
  async #useEnvironment({ environment, kind }: Cell, sink: OutputSink): Promise<void> {
    const client = this.#client;
    const isFirst = kind !== "empty" && !this.#isStarted && this.#hasEnvironments;
    if (environment?.name !== undefined) await client.useEnv(environment.name);
    else if (isFirst && client.environment === undefined) await client.useEnv();
    if (kind !== "empty") this.#isStarted = true;
    else if (environment !== undefined) sink.display(show(client.environment, client.secrets));
  }

  /** Prepares values that a cell prints. */
  #prepare(values: readonly unknown[]): readonly unknown[] {
    const { secrets } = this.#client;
    for (const value of values) {
      if (value instanceof Error) mapStack(value, this.#evaluator.locate);
      else if (typeof value === "object" && value !== null) {
        secrets.learn({ kind: "value", value }, "person");
      }
    }
    return values.map((value) => hideLong(value, secrets));
  }
}
