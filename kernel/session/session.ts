import { resolve } from "node:path";
import { type Client, createClient, type GrowingFile } from "../../lib/mod.ts";
import { openGrowingFile } from "../platform/mod.ts";
import {
  type Cell,
  type CellScope,
  createCellScope,
  type Outcome,
  type OutputSink,
} from "./cell/mod.ts";
import { CellRunner } from "./cell-runner.ts";
import { clientOptionsOf, type Settings, withSettings } from "./client/mod.ts";
import { type CellHelp, createCellHelp } from "./completion/mod.ts";
import { LazyEvaluator } from "./lazy-evaluator.ts";
import { captureOutput, createCheckpoint, runOutsideCells, whenStuck } from "./output/mod.ts";
import type { ExecuteOptions, SessionOptions } from "./session-options.ts";
import { observeExchanges } from "./tests/mod.ts";

/** Cells that share a client and variables, for any front end. */
export interface Session extends CellHelp {
  readonly client: Client;
  /** The headers and the time limit of every request of the client; they can be changed. */
  readonly settings: Settings;
  /** The same client without these settings. */
  readonly inner: Client;
  /**
   * Runs a cell after those before it. It never rejects: a failure is an outcome.
   *
   * @param cell Its text, or the cell if {@link kindOfCell} has been called for it.
   */
  execute(cell: string | Cell, sink: OutputSink, options?: ExecuteOptions): Promise<Outcome>;
  /** Interrupts the running cell if it waits, and aborts those in the queue. */
  interrupt(): void;
  /** Loads TypeScript while no cell runs, in short steps, so that the first cell does not wait for it. */
  warmUp(): Promise<void>;
  /** Whether TypeScript is loaded, which takes most of a second. */
  readonly isWarm: boolean;
  /** Forgets the variables of the TypeScript cells and of the client, and its history. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a session. */
export async function createSession(options: SessionOptions): Promise<Session> {
  const scope = createCellScope();
  /** The files of `client.record`, which the session completes. */
  const recorded = new Set<GrowingFile>();
  const inner = options.client ?? createOwnClient(options, scope, recorded);
  const { client, settings } = withSettings(inner, observeExchanges);
  const stopCapture = captureOutput();
  const checkpoint = createCheckpoint(options.scriptEvents);
  const evaluator = new LazyEvaluator(options, { client, scope, events: checkpoint.events });
  const runner = new CellRunner(options, { client, settings, evaluator, checkpoint, scope });
  const stopWatching = whenStuck((reason) => runner.interrupt(reason));
  let queue: Promise<unknown> = Promise.resolve();
  /** Counts interrupts: a cell that was queued before one is aborted. */
  let generation = 0;
  let isClosed = false;

  return {
    client,
    settings,
    inner,
    execute: (cell, sink, given = {}) => {
      const queuedIn = generation;
      const outcome = queue.then(async (): Promise<Outcome> => {
        const isAborted = isClosed || queuedIn !== generation || given.signal?.aborted === true;
        if (isAborted) return { status: "aborted" };
        return await evaluator.steps.during(() => runner.run(cell, sink, given));
      });
      queue = outcome;
      return outcome;
    },
    interrupt: () => {
      generation += 1;
      runner.interrupt();
    },
    ...createCellHelp(
      client,
      scope,
      () => evaluator.get(),
      () => evaluator.syntax(),
    ),
    warmUp: () => evaluator.warmUp(),
    get isWarm() {
      return evaluator.loaded !== undefined;
    },
    reset: async () => {
      evaluator.loaded?.reset();
      settings.isStrict = false;
      client.clearVars();
      client.clearHistory();
      client.cookies.clear();
      client.clearTokens();
      runner.resetCount();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      runner.interrupt();
      await queue;
      await runner.end();
      await untilSettled(client);
      for (const file of recorded) file.commit();
      await evaluator.close();
      stopWatching();
      stopCapture();
    },
  };
}

/** Lets aborted requests fail while their errors can still be handled. */
async function untilSettled(client: Client): Promise<void> {
  for (let round = 0; round < 2 || (round < 50 && client.pending.length > 0); round++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function createOwnClient(
  { platform, timeout, ask, recording, now, seed = recording?.nextSeed() }: SessionOptions,
  { variables }: CellScope,
  recorded: Set<GrowingFile>,
): Client {
  return createClient({
    ...clientOptionsOf(platform),
    cellVariables: variables,
    ...recording?.client,
    openGrowingFile: (path, frame) => {
      const file = openGrowingFile(resolve(platform.directory, path), frame);
      recorded.add(file);
      return file;
    },
    ...(timeout === undefined ? {} : { timeout }),
    // What a front end prints to ask is not the cell's output.
    ...(ask && { ask: (question) => runOutsideCells(() => ask(question)) }),
    ...(seed === undefined ? {} : { seed }),
    ...(now === undefined ? {} : { now }),
  });
}
