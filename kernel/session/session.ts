import * as library from "../../lib/mod.ts";
import { type Client, createClient } from "../../lib/mod.ts";
import type { Evaluator, Outcome, OutputSink } from "./cell/mod.ts";
import {
  type Cell,
  cameOfEnd,
  createLimit,
  createOwners,
  InterruptedError,
  kindOfCell,
  type Owner,
} from "./cell/mod.ts";
import { createCellKinds } from "./cell-kinds.ts";
import { clientOptionsOf } from "./client-options.ts";
import { declareResponses } from "./compiler/mod.ts";
import { type CellHelp, createCellHelp } from "./completion/mod.ts";
import {
  type CellHooks,
  captureOutput,
  createCellOutput,
  createCheckpoint,
  createMaskedSink,
  type Locate,
  mapStack,
  ownedTimerModules,
  runOutsideCells,
  show,
  toCellError,
  whenStuck,
} from "./output/mod.ts";
import type { ExecuteOptions, SessionOptions } from "./session-options.ts";
import { type Settings, settleClient } from "./settings.ts";
import { applyStrict } from "./strict-line.ts";
import type { CellSyntax } from "./typescript/mod.ts";

/** Cells on one client and one set of variables, for whatever front end. */
export interface Session extends CellHelp {
  readonly client: Client;
  /** Headers and the time limit of every request, whoever sends it; they may be changed. */
  readonly settings: Settings;
  /** Runs a cell after those before it. It never rejects: a failure is an outcome. */
  execute(code: string, sink: OutputSink, options?: ExecuteOptions): Promise<Outcome>;
  /** Ends the running cell as far as it waits, and gives up those in the queue. */
  interrupt(): void;
  /** Loads what TypeScript cells need, so that the first one does not wait for it. */
  warmUp(): Promise<void>;
  /** Whether that is loaded: it takes a second, in which nothing else is done. */
  readonly isWarm: boolean;
  /** Forgets the variables of the TypeScript cells and of the client, and its history. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a session. TypeScript is loaded when the first cell, or completion, needs it. */
export async function createSession(options: SessionOptions): Promise<Session> {
  const { platform } = options;
  const { client, settings } = settleClient(options.client ?? createOwnClient(options));
  let evaluator: Promise<Evaluator> | undefined;
  let loaded: Evaluator | undefined;
  const locate: Locate = (frame) => loaded?.locate(frame);
  const release = captureOutput();
  const hooks: CellHooks = {
    exit: options.onExit,
    prepare: (values) => {
      for (const value of values) {
        if (value instanceof Error) mapStack(value, locate);
        else if (typeof value === "object" && value !== null) client.secrets.learnValue(value);
      }
    },
    secrets: client.secrets,
    describe: (error) => toCellError(error, locate, client.secrets),
  };
  let queue: Promise<unknown> = Promise.resolve();
  let generation = 0;
  let count = 0;
  let isClosed = false;
  const hasFiles = options.client === undefined && platform.readFile !== undefined;
  let isStarted = false;
  const owners = createOwners();
  let requestOwner = owners.create();
  const kinds = createCellKinds({
    client,
    directory: platform.directory,
    locate,
    settings,
    withEvaluator,
  });
  let interruptRunning: ((reason: Error) => void) | undefined;
  const endWatch = whenStuck((reason) => interruptRunning?.(reason));
  const checkpoint = createCheckpoint(options.scriptEvents);

  async function loadEvaluator(): Promise<Evaluator> {
    const { createTypeScriptEvaluator } = await import("./typescript/mod.ts");
    const { findLibraryTypes } = await import("./compiler/mod.ts");
    loaded = createTypeScriptEvaluator({
      directory: platform.directory,
      running: new Map<string, unknown>([
        ["restlab", { ...library, client }],
        ...ownedTimerModules,
      ]),
      libraryTypes: options.libraryTypes ?? findLibraryTypes(),
      globals: { ...options.globals, client },
      globalTypes: options.globalTypes ?? "",
      scriptEvents: checkpoint.events,
    });
    return loaded;
  }

  /** With the types of the answers that have come until now. */
  async function withEvaluator(): Promise<Evaluator> {
    options.scriptEvents?.compiles?.();
    evaluator ??= loadEvaluator().catch((error: unknown) => {
      evaluator = undefined;
      throw error;
    });
    const ready = await evaluator;
    ready.declareResponses(declareResponses(client.responses));
    return ready;
  }

  async function withSyntax(): Promise<CellSyntax> {
    const { createCellSyntax } = await import("./typescript/mod.ts");
    const { loadCompiler } = await import("./compiler/mod.ts");
    return createCellSyntax(loadCompiler());
  }

  async function runCell(
    code: string,
    target: OutputSink,
    { signal, name, limit: given }: ExecuteOptions,
  ): Promise<Outcome> {
    const sink = createMaskedSink(target, client.secrets);
    client.secrets.learnSource(code);
    const owner = ownerFor(code);
    const output = createCellOutput(sink, hooks, owner);
    // Whoever ends it may be code of a cell, whose own what follows is not.
    const interruptCell = (reason: Error): void =>
      runOutsideCells(() => {
        owner.end(reason);
        loaded?.interrupt(reason);
      });
    const onAbort = (): void => interruptCell(new InterruptedError());
    const limit = given === undefined ? undefined : createLimit(given, interruptCell);
    signal?.addEventListener("abort", onAbort);
    checkpoint.setRunning({ output, limit, end: interruptCell });
    interruptRunning = interruptCell;
    count += 1;
    try {
      const cell = kindOfCell(code);
      await useEnvironment(cell, sink);
      if (cell.strict !== undefined) applyStrict(cell.strict, settings, sink);
      const run = { cell, sink, output, limit, name: name ?? `cell ${count}` };
      return await kinds[cell.kind](run);
    } catch (error) {
      // The runtime itself, or a question, may have ended it.
      const isEnd = error instanceof InterruptedError || (given && error === given.reason);
      if (isEnd && !cameOfEnd(error)) interruptCell(error as Error);
      const thrown: unknown = owner.reason ?? error;
      return {
        status: "error",
        error: toCellError(thrown, locate, client.secrets),
      };
    } finally {
      limit?.stop();
      signal?.removeEventListener("abort", onAbort);
      interruptRunning = undefined;
      checkpoint.setRunning(undefined);
      const remarks = client.secrets.takeRemarks();
      if (remarks.length > 0) sink.stream("stderr", `${remarks.join("\n")}\n`);
      sink.end();
    }
  }

  /** A request leaves nothing behind: one owner serves all of them until one is interrupted. */
  function ownerFor(code: string): Owner {
    if (isTypeScript(code)) return owners.create();
    if (requestOwner.reason !== undefined) requestOwner = owners.create();
    return requestOwner;
  }

  /** What all environments share is there from the first cell on. */
  async function useEnvironment({ environment, kind }: Cell, sink: OutputSink): Promise<void> {
    if (environment?.name !== undefined) await client.useEnv(environment.name);
    else if (kind !== "empty" && !isStarted && hasFiles && client.environment === undefined) {
      await client.useEnv();
    }
    if (kind !== "empty") isStarted = true;
    else if (environment !== undefined) sink.display(show(client.environment, client.secrets));
  }

  return {
    client,
    settings,
    execute: (code, sink, given = {}) => {
      const mine = generation;
      const run = queue.then((): Outcome | Promise<Outcome> =>
        isClosed || mine !== generation || given.signal?.aborted === true
          ? { status: "aborted" }
          : runCell(code, sink, given),
      );
      queue = run;
      return run;
    },
    interrupt: () => {
      generation += 1;
      interruptRunning?.(new InterruptedError());
    },
    ...createCellHelp(client, withEvaluator, withSyntax),
    warmUp: async () => {
      await withEvaluator();
    },
    get isWarm() {
      return loaded !== undefined;
    },
    reset: async () => {
      loaded?.reset();
      settings.isStrict = false;
      client.clearVars();
      client.clearHistory();
      client.cookies.clear();
      client.clearTokens();
      count = 0;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      interruptRunning?.(new InterruptedError());
      await queue;
      // Nobody could show what cells print or fail with from here on.
      runOutsideCells(() => owners.end(new InterruptedError()));
      await untilSettled(client);
      endWatch();
      release();
    },
  };
}

/** Lets what was aborted fail, as long as somebody listens to that. */
async function untilSettled(client: Client): Promise<void> {
  for (let round = 0; round < 2 || (round < 50 && client.pending.length > 0); round++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function isTypeScript(code: string): boolean {
  try {
    return kindOfCell(code).kind === "typescript";
  } catch {
    // Running the cell fails with the same error.
    return false;
  }
}

function createOwnClient({ platform, timeout, ask, seed }: SessionOptions): Client {
  return createClient({
    ...clientOptionsOf(platform),
    ...(timeout === undefined ? {} : { timeout }),
    ...(ask === undefined ? {} : { ask }),
    ...(seed === undefined ? {} : { seed }),
  });
}
