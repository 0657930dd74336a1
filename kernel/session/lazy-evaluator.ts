import { setImmediate } from "node:timers/promises";
import { readable } from "../../lib/interpolation/mod.ts";
import type { Client } from "../../lib/mod.ts";
import * as library from "../../lib/mod.ts";
import { type LoadedModule, loadLargeModule } from "../platform/mod.ts";
import { type CellScope, CHECKPOINT, type Evaluator, type ScriptEvents } from "./cell/mod.ts";
import { defineCellGlobals } from "./cell-globals.ts";
import type { CellSyntax, Compiler } from "./compiler/mod.ts";
import { createDisplay, DISPLAY_TYPES, DisplayHandle } from "./display.ts";
import { declareExpect, EXPECT, isAssertion, loadExpect, TEST_TYPES } from "./expect.ts";
import { runOutsideCells } from "./output.ts";
import { ownedTimerModules } from "./owned-timers.ts";
import { declareResponses } from "./response-types.ts";
import type { SessionOptions } from "./session.ts";
import { runTest } from "./test-group.ts";
import type { Locate } from "./trace.ts";

interface EvaluatorParts {
  readonly client: Client;
  /** Where cells keep their variables. */
  readonly scope: CellScope;
  readonly events: ScriptEvents | undefined;
}

/** Loads TypeScript when the first cell or completion needs it, or in steps while nothing runs. */
export class LazyEvaluator {
  /** The evaluator, once it is loaded. */
  loaded: Evaluator | undefined;
  /** When loading rests. */
  readonly steps: IdleSteps = new IdleSteps();
  readonly locate: Locate = (frame) => this.loaded?.locate(frame);
  /** What cells see beside the globals of the runtime, by name. */
  readonly globals: Readonly<Record<string, unknown>>;
  readonly #options: SessionOptions;
  readonly #scope: CellScope;
  readonly #client: Client;
  readonly #events: ScriptEvents | undefined;
  readonly #compiler: () => Promise<LoadedModule>;
  readonly #evaluator: () => Promise<Evaluator>;
  readonly #readiness: () => Promise<void>;
  #releaseGlobals = (): void => undefined;
  #isClosed = false;

  constructor(options: SessionOptions, { client, scope, events }: EvaluatorParts) {
    this.#options = options;
    this.#client = client;
    this.#scope = scope;
    this.#events = events;
    this.globals = {
      ...options.globals,
      ...(events?.checkpoint !== undefined && { [CHECKPOINT]: events.checkpoint }),
      client,
      display: createDisplay(),
      test: runTest,
      get [EXPECT]() {
        return loadExpect();
      },
    };
    this.#compiler = once(() => this.#loadCompiler());
    this.#evaluator = once(() => this.#load());
    this.#readiness = once(() => this.#makeReady());
  }

  /** The evaluator, once it is loaded. */
  async get(): Promise<Evaluator> {
    this.#options.scriptEvents?.compiles?.();
    const evaluator = await this.steps.until(this.#evaluator());
    // What fails there fails again, and is reported, when a cell is compiled.
    this.warmUp().catch(() => undefined);
    return evaluator;
  }

  async syntax(): Promise<CellSyntax> {
    const { createCellSyntax } = await import("./compiler/mod.ts");
    return createCellSyntax((await this.steps.until(this.#compiler())).exports as Compiler);
  }

  /** Does all that the first cell would wait for. */
  async warmUp(): Promise<void> {
    await this.#readiness();
  }

  /** Stops loading, and caches the code of the compiler if that was not done yet. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#releaseGlobals();
    if (this.loaded !== undefined) (await this.#compiler()).keepCode();
  }

  /** The clients that cells create are recorded, and answered from a recording, like that of the session. */
  readonly #createClient: typeof library.createClient = (given = {}) => {
    const recording = this.#options.recording?.client;
    return library.createClient({
      ...recording,
      ...given,
      onExchange: (exchange) => {
        recording?.onExchange?.(exchange);
        given.onExchange?.(exchange);
      },
    });
  };

  async #loadCompiler(): Promise<LoadedModule> {
    const { findCompiler } = await import("./compiler/mod.ts");
    const { environment } = this.#options.platform;
    return await loadLargeModule(findCompiler(), environment, () => this.steps.pause());
  }

  async #load(): Promise<Evaluator> {
    const { createTypeScriptEvaluator, findLibraryTypes } = await import("./compiler/mod.ts");
    const { exports: compiler } = await this.#compiler();
    const { platform, libraryTypes, globalTypes = "" } = this.#options;
    const client = this.#client;
    const evaluator = createTypeScriptEvaluator({
      compiler: compiler as Compiler,
      directory: platform.directory,
      running: new Map<string, unknown>([
        ["restlab", { ...library, client, createClient: this.#createClient }],
        ...ownedTimerModules,
      ]),
      libraryTypes: libraryTypes ?? findLibraryTypes(),
      globals: this.globals,
      globalTypes: `${globalTypes}${DISPLAY_TYPES}${TEST_TYPES}`,
      lateTypes: [{ name: EXPECT, declare: declareExpect }],
      responseTypes: () => declareResponses(client.responses),
      isResult: (given) => {
        const value = readable(given);
        return !(value instanceof DisplayHandle) && !isAssertion(value);
      },
      scriptEvents: this.#events,
      scope: this.#scope,
    });
    do await this.steps.pause();
    while (!this.#isClosed && evaluator.readTypes(this.steps.isUrgent));
    this.#releaseGlobals();
    if (!this.#isClosed) this.#releaseGlobals = defineCellGlobals(Object.keys(this.globals));
    this.loaded = evaluator;
    return evaluator;
  }

  /** The code is cached when a cell has been compiled: the functions that this takes are compiled then. */
  async #makeReady(): Promise<void> {
    const evaluator = await this.#evaluator();
    const { keepCode } = await this.#compiler();
    // A cell that could not wait has needed the language only.
    do await this.steps.pause();
    while (!this.#isClosed && evaluator.readTypes(false));
    for (const step of [() => evaluator.rehearse(), keepCode]) {
      await this.steps.pause();
      if (!this.#isClosed) step();
    }
  }
}

/** Calls a function once, outside of the cell that asks first; again only after it has failed. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= runOutsideCells(load).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Divides long work into steps: while a cell runs it rests, unless someone waits for it. */
class IdleSteps {
  #cells = 0;
  #waiting = 0;
  #resume: (() => void) | undefined;

  /** Whether someone waits for the work. */
  get isUrgent(): boolean {
    return this.#waiting > 0;
  }

  /** Runs a cell, during which the work rests. */
  async during<T>(cell: () => Promise<T>): Promise<T> {
    this.#cells += 1;
    try {
      return await cell();
    } finally {
      this.#cells -= 1;
      this.#continue();
    }
  }

  /** Waits for the work, which does not rest meanwhile. */
  async until<T>(work: Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.#continue();
    try {
      return await work;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Ends a step of the work: other events are handled before the next. */
  async pause(): Promise<void> {
    await setImmediate();
    if (this.#mayGoOn) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }

  get #mayGoOn(): boolean {
    return this.isUrgent || this.#cells === 0;
  }

  #continue(): void {
    if (!this.#mayGoOn) return;
    this.#resume?.();
    this.#resume = undefined;
  }
}
