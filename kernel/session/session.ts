import { resolve } from "node:path";
import { setTimeout } from "node:timers";
import {
  type Client,
  createClient,
  type Exchange,
  type GrowingFile,
  type Question,
} from "../../lib/mod.ts";
import { openGrowingFile } from "../platform/mod.ts";
import { captureOutput, untilIdle, whenStuck } from "./capture.ts";
import {
  type CellLimit,
  type CellScope,
  createCellScope,
  type Outcome,
  type OutputSink,
  type ScriptEvents,
} from "./cell/mod.ts";
import type { Cell } from "./cell.ts";
import { type CellHelp, createCellHelp } from "./cell-help.ts";
import { CellRunner } from "./cell-runner.ts";
import { createCheckpoint } from "./checkpoint.ts";
import { type ClientPlatform, clientOptionsOf } from "./client-options.ts";
import { LazyEvaluator } from "./lazy-evaluator.ts";
import { runOutsideCells } from "./output.ts";
import type { SessionRecording } from "./recording.ts";
import { type Settings, withSettings } from "./settings.ts";
import { observeExchanges } from "./test-group.ts";
import { writeTraces } from "./trace.ts";

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
  /** Replaces the value of a variable of the TypeScript cells, if one of them has declared it. */
  assign(name: string, value: () => unknown): void;
  /** Interrupts the running cell if it waits, and aborts those in the queue. */
  interrupt(): void;
  /**
   * Waits for all that cells have started and not awaited, as a program does at its end; until the session is closed.
   *
   * @param onWaiting Called once, with words for what it is, if that takes long.
   */
  untilIdle(onWaiting: (what: string) => void): Promise<void>;
  /** Loads TypeScript while no cell runs, in short steps, so that the first cell does not wait for it. */
  warmUp(): Promise<void>;
  /** Whether TypeScript is loaded, which takes most of a second. */
  readonly isWarm: boolean;
  /**
   * The exit status of `--check-status`: 3, 4 or 5 for the worst status of 3xx, 4xx or 5xx of its own client so far, as
   * in HTTPie; else 0. The history forgets.
   */
  readonly worstStatus: number;
  /** Forgets the variables of the TypeScript cells and of the client, and its history. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a session. */
export async function createSession(options: SessionOptions): Promise<Session> {
  const scope = createCellScope();
  /** The files of `client.record`, which the session completes. */
  const recorded = new Set<GrowingFile>();
  let worstStatus = 0;
  const onExchange = (exchange: Exchange): void => {
    const kind = Math.floor(exchange.status / 100);
    // A login is not in the history: it may be refused, and then made anew.
    if (kind >= 3 && kind <= 5 && exchange === inner.history.at(-1))
      worstStatus = Math.max(worstStatus, kind);
  };
  const inner = options.client ?? createOwnClient(options, scope, recorded, onExchange);
  const { client, settings } = withSettings(inner, observeExchanges);
  const stopCapture = captureOutput(options.platform.isGuest);
  const checkpoint = createCheckpoint(options.scriptEvents);
  const evaluator = new LazyEvaluator(options, { client, scope, events: checkpoint.events });
  const stopTraces = writeTraces(evaluator.locate);
  const runner = new CellRunner(options, { client, settings, evaluator, checkpoint, scope });
  const stopWatching = whenStuck((reason) => runner.interrupt(reason));
  let queue: Promise<unknown> = Promise.resolve();
  /** Counts interrupts: a cell that was queued before one is aborted. */
  let generation = 0;
  let isClosed = false;
  const closing = new AbortController();

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
    assign: (name, value) => {
      if (scope.variables.has(name)) scope.values[name] = value();
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
    untilIdle: (onWaiting) => evaluator.steps.during(() => untilIdle(onWaiting, closing.signal)),
    warmUp: () => evaluator.warmUp(),
    get isWarm() {
      return evaluator.loaded !== undefined;
    },
    get worstStatus() {
      return worstStatus;
    },
    reset: async () => {
      evaluator.loaded?.reset();
      scope.clear();
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
      closing.abort();
      runner.interrupt();
      await queue;
      await runner.end();
      await untilSettled(client);
      for (const file of recorded) file.commit();
      await evaluator.close();
      stopWatching();
      stopTraces();
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
  onExchange: (exchange: Exchange) => void,
): Client {
  return createClient({
    ...clientOptionsOf(platform),
    cellVariables: variables,
    ...recording?.client,
    onExchange: (exchange) => {
      recording?.client.onExchange?.(exchange);
      onExchange(exchange);
    },
    openGrowingFile: (path, frame) => {
      const file = openGrowingFile(resolve(platform.directory, path), frame);
      recorded.add(file);
      return file;
    },
    timeout,
    // What a front end prints to ask is not the cell's output.
    ...(ask && { ask: (question) => runOutsideCells(() => ask(question)) }),
    seed,
    now,
  });
}

/** Options of a session. */
export interface SessionOptions {
  readonly platform: ClientPlatform;
  /** The client of the cells; a new one by default. */
  readonly client?: Client;
  /** The time limit of each request of a new client, in milliseconds. */
  readonly timeout?: number;
  /** Asks the user for a value, for a new client. */
  readonly ask?: (question: Question) => Promise<string | undefined>;
  /** Records or answers the requests of a new client. */
  readonly recording?: SessionRecording | undefined;
  /** Makes the generated values of a new client reproducible. */
  readonly seed?: string;
  /** The clock of a new client and of the embedded API; by default that of the machine. */
  readonly now?: () => Date;
  /** Further globals of TypeScript cells, for example `prompt`. */
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Their declarations, in the form of `declare global`. */
  readonly globalTypes?: string;
  /** How the code of TypeScript cells is ended from outside. */
  readonly scriptEvents?: ScriptEvents;
  /** The file of the library's declarations; by default the one of the program. */
  readonly libraryTypes?: string;
  /** Called when a cell calls `process.exit`; by default the process ends. */
  readonly onExit?: (status: number) => void;
}

/** Options of running one cell. */
export interface ExecuteOptions {
  /** Ends only this cell. */
  readonly signal?: AbortSignal;
  /** Ends only this cell after a time, even while it computes, at least up to its first `await`. */
  readonly limit?: CellLimit;
  /** Whether the cell is of a file of requests: it is a request, whatever it looks like. */
  readonly isRequestFile?: boolean;
  /** The file of requests that contains the cell; the results of assertions name it. */
  readonly file?: string;
  /** The line on which the cell begins in the text that contains it; 1 by default. Errors name the lines of that text. */
  readonly firstLine?: number;
  /** Whether it is a program's, not a person's: its result is not kept as `_`. */
  readonly isSilent?: boolean;
  /** Variables that lines of the cell leave as they are. */
  readonly given?: ReadonlySet<string>;
  /** The name of the cell in stack frames; `cell 3` for the third by default. */
  readonly name?: string;
}
