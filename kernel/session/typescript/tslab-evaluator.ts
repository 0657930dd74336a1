import type { Evaluation, Evaluator, RunningLimit, ScriptEvents } from "../cell/mod.ts";
import {
  asInterruption,
  createInterruption,
  type Interruption,
  TypeScriptError,
} from "../cell/mod.ts";
import type { Program } from "../compiler/mod.ts";
import {
  type Ambient,
  CHECKPOINT,
  type Converted,
  type Converter,
  createAmbient,
  createCellProgram,
  type GuardedCode,
  guardCode,
  loadTslab,
} from "../compiler/mod.ts";
import { createCellPositions, scriptNumber } from "./cell-positions.ts";
import { createCellSyntax } from "./cell-syntax.ts";
import { createLocalModules } from "./local-modules.ts";
import { createPackageLoader } from "./packages.ts";
import { createScriptRunner } from "./script-runner.ts";
import { toFaults } from "./type-faults.ts";
import { complete, inspect } from "./typescript-help.ts";

/** What TypeScript cells are evaluated with. */
export interface EvaluatorOptions {
  /** The folder that imports start from. */
  readonly directory: string;
  /** Modules that are running already and that cells get by these names. */
  readonly running: ReadonlyMap<string, unknown>;
  /** Where the declarations of `restlab` are; without them cells see it untyped. */
  readonly libraryTypes: string | undefined;
  /** Names that cells see beside those of the runtime. */
  readonly globals: Readonly<Record<string, unknown>>;
  /** Declarations of such names and of the runtime's, as they stand in `declare global`. */
  readonly globalTypes: string;
  readonly scriptEvents: ScriptEvents | undefined;
}

interface Conversion {
  readonly source: string;
  readonly declarations: string;
  readonly converted: Converted;
  readonly program: Program | undefined;
}

/** An evaluator over tslab's converter and executor. It takes most of a second to make. */
export function createTslabEvaluator(options: EvaluatorOptions): Evaluator {
  const { directory } = options;
  let emittedMap = "";
  let transpiledMap = "";
  let ambient: Ambient | undefined;
  const tslab = loadTslab({
    directory,
    program: (compiler) => {
      ambient = createAmbient(compiler, options);
      return createCellProgram(compiler, {
        directory,
        ...ambient,
        onEmitted: (map) => {
          emittedMap = map;
        },
      });
    },
    onTranspiled: (map) => {
      transpiledMap = map;
    },
  });
  const { compiler, program } = tslab;
  const syntax = createCellSyntax(compiler);
  const packages = createPackageLoader(program.resolveImport);
  const modules = createLocalModules({
    compiler,
    resolve: program.resolve,
    running: options.running,
    isGuarded: options.scriptEvents?.checkpoint !== undefined,
    requirePackage: packages.require,
  });

  const converter = tslab.createConverter();
  let latest: Conversion | undefined;
  let unguard: GuardedCode["unguard"] = (position) => position;
  const checkpoint = options.scriptEvents?.checkpoint;
  if (checkpoint !== undefined) {
    Object.defineProperty(globalThis, CHECKPOINT, { value: checkpoint, configurable: true });
  }
  let source = "";
  let declarations = "";
  let pending: string | undefined;
  let failure: TypeScriptError | undefined;
  let resultName: string | undefined;
  const ownConverter: Converter = {
    ...converter,
    // The executor has its own idea of the earlier declarations, which forgets those of a cell that
    // failed half-way, and reads commands of tslab from comments: neither is wanted.
    convert: () => {
      const converted = convertOnce();
      resultName = converted.lastExpressionVar;
      if (converted.diagnostics.length > 0) {
        const faults = toFaults(source, converted.diagnostics, directory);
        failure = new TypeScriptError("TypeScriptError", source, faults);
      } else pending = converted.declOutput ?? "";
      return syntax.hasTopLevelAwait(source) ? { ...converted, hasToplevelAwait: true } : converted;
    },
  };

  /** A cell that is run again, unchanged, is translated already. */
  function convertOnce(): Converted {
    const known = latest;
    if (
      known?.source === source &&
      known.declarations === declarations &&
      program.isCurrent(known.program)
    ) {
      return known.converted;
    }
    if (syntax.declaredNames(source) > 0) program.skipNext();
    latest = undefined;
    const converted = withGuards(converter.convert(declarations, source));
    latest = { source, declarations, converted, program: program.current() };
    return converted;
  }

  function withGuards(converted: Converted): Converted {
    if (checkpoint === undefined || converted.output === undefined) return converted;
    const guarded = guardCode(compiler, converted.output);
    unguard = guarded.unguard;
    return { ...converted, output: guarded.text };
  }

  let logged: { value: unknown } | undefined;
  let thrown: { value: unknown } | undefined;
  const executor = tslab.createExecutor(
    directory,
    { node: ownConverter, browser: ownConverter, close: () => converter.close() },
    {
      log: (value) => {
        logged = { value };
      },
      error: (value) => {
        thrown = { value };
      },
    },
  );
  const scope = globalThis as { __tslab__?: { exports: unknown } };
  const exported = scope.__tslab__?.exports;
  delete scope.__tslab__;

  const positions = createCellPositions(compiler);
  const scripts = createScriptRunner({
    ...options,
    tslab: { exports: exported, require: modules.requireFrom(`${directory}/__tslab__.ts`) },
  });
  let interruption = createInterruption();

  async function evaluate(code: string, name: string, limit?: RunningLimit): Promise<Evaluation> {
    const faults = syntax.faults(code);
    if (faults.length > 0) {
      return { status: "error", thrown: new TypeScriptError("SyntaxError", code, faults) };
    }
    source = syntax.withoutExports(code);
    failure = undefined;
    pending = undefined;
    logged = undefined;
    thrown = undefined;
    resultName = undefined;
    interruption = createInterruption();
    const { signal } = interruption;
    const notReady = await packages.prepare(packagesOf(code), directory);
    if (notReady !== undefined) return { status: "error", thrown: notReady.thrown };
    const onScript = (id: number, script: string): void => remember(id, name, script);
    await scripts.run(limit, onScript, () => executor.execute(""));
    // What a cell declared before it failed is there to be looked at.
    if (pending !== undefined) declarations = pending;
    if (failure !== undefined) return { status: "error", thrown: failure };
    if (thrown !== undefined) {
      const { value } = thrown as { value: unknown };
      return { status: "error", thrown: signal.reason ?? asInterruption(value, limit) };
    }
    return lastValue(signal);
  }

  function packagesOf(code: string): readonly string[] {
    return syntax.imports(code).filter((name) => !options.running.has(name) && !/^[./]/.test(name));
  }

  async function lastValue(signal: Interruption): Promise<Evaluation> {
    if (resultName === undefined) return { status: "ok", value: undefined, hasValue: false };
    const value = (logged as { value: unknown } | undefined)?.value ?? executor.locals[resultName];
    delete executor.locals[resultName];
    try {
      const settled = isThenable(value) ? await Promise.race([value, signal.promise]) : value;
      return { status: "ok", value: settled, hasValue: settled !== undefined };
    } catch (error) {
      return { status: "error", thrown: error };
    }
  }

  function remember(id: number, name: string, code: string): void {
    const maps = { emitted: emittedMap, transpiled: transpiledMap };
    positions.remember(id, { name, code, ...maps, unguard });
  }

  return {
    evaluate,
    interrupt: (reason) => {
      interruption.interrupt(reason);
      executor.interrupt();
    },
    complete: (code, position) => complete(compiler, converter, declarations, code, position),
    inspect: (code, position) => {
      program.restoreDocs();
      return inspect(compiler, converter, declarations, code, position);
    },
    locate: ({ file, line, column }) => {
      const id = scriptNumber(file);
      if (id !== undefined) return positions.locate(id, { line, column });
      const at = modules.positionMap(file)?.({ line, column });
      return at === undefined ? undefined : { file, ...at };
    },
    declareResponses: (declaration) => ambient?.declareResponses(declaration),
    reset: () => {
      declarations = "";
      executor.reset();
    },
    // The checkpoint stays: code that still comes by is ended there.
    close: () => executor.close(),
  };
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { then?: unknown }).then === "function";
