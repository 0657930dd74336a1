import type { Client } from "../../lib/mod.ts";
import * as library from "../../lib/mod.ts";
import type { Evaluator, ScriptEvents } from "./cell/mod.ts";
import { declareResponses } from "./compiler/mod.ts";
import { type Locate, ownedTimerModules } from "./output/mod.ts";
import type { SessionOptions } from "./session-options.ts";
import type { CellSyntax } from "./typescript/mod.ts";

/** Loads TypeScript when the first cell or completion needs it. */
export class LazyEvaluator {
  /** The evaluator, once it is loaded. */
  loaded: Evaluator | undefined;
  readonly locate: Locate = (frame) => this.loaded?.locate(frame);
  readonly #options: SessionOptions;
  readonly #client: Client;
  readonly #events: ScriptEvents | undefined;
  #loading: Promise<Evaluator> | undefined;

  constructor(options: SessionOptions, client: Client, events: ScriptEvents | undefined) {
    this.#options = options;
    this.#client = client;
    this.#events = events;
  }

  /** The evaluator, with the types of the responses so far. */
  async get(): Promise<Evaluator> {
    this.#options.scriptEvents?.compiles?.();
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    const evaluator = await this.#loading;
    evaluator.declareResponses(declareResponses(this.#client.responses));
    return evaluator;
  }

  async syntax(): Promise<CellSyntax> {
    const { createCellSyntax } = await import("./typescript/mod.ts");
    const { loadCompiler } = await import("./compiler/mod.ts");
    return createCellSyntax(loadCompiler());
  }

  async #load(): Promise<Evaluator> {
    const { createTypeScriptEvaluator } = await import("./typescript/mod.ts");
    const { findLibraryTypes } = await import("./compiler/mod.ts");
    const { platform, libraryTypes, globals, globalTypes = "" } = this.#options;
    const client = this.#client;
    this.loaded = createTypeScriptEvaluator({
      directory: platform.directory,
      running: new Map<string, unknown>([
        ["restlab", { ...library, client }],
        ...ownedTimerModules,
      ]),
      libraryTypes: libraryTypes ?? findLibraryTypes(),
      globals: { ...globals, client },
      globalTypes,
      scriptEvents: this.#events,
    });
    return this.loaded;
  }
}
