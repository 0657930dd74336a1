import { join } from "node:path";
import { isThenable, readable } from "../../../lib/interpolation/mod.ts";
import {
  asInterruption,
  type CellScope,
  type Completion,
  createInterruption,
  type EvaluateOptions,
  type Evaluation,
  type Evaluator,
  type Frame,
  type Inspection,
  RESULT,
  type RunScriptOptions,
  restoreBuiltIns,
  type ScriptEvents,
  TypeScriptError,
} from "../cell/mod.ts";
import { type LateTypes, mentions } from "./ambient.ts";
import { CellProgram, type EmittedCell } from "./cell-program.ts";
import { type CellSyntax, createCellSyntax } from "./cell-syntax.ts";
import { type GuardedCode, guardCode } from "./guard-code.ts";
import type { Compiler } from "./load-compiler.ts";
import { LocalModules, metaOf } from "./local-modules.ts";
import { createPackageLoader, type PackageLoader } from "./packages.ts";
import {
  type CellPositions,
  createCellPositions,
  createScriptRunner,
  type ScriptRunner,
  scriptNumber,
} from "./script-runner.ts";
import { stopsCell, toFaults } from "./type-faults.ts";
import { complete, inspect } from "./typescript-help.ts";

/** What TypeScript cells are evaluated with. */
interface EvaluatorOptions {
  readonly compiler: Compiler;
  /** The folder that imports start from. */
  readonly directory: string;
  /** Modules that are running already and that cells get by these names. */
  readonly running: ReadonlyMap<string, unknown>;
  /** Where the declarations of `restlab` are; without them cells see it untyped. */
  readonly libraryTypes: string | undefined;
  /** What cells see beside the globals of the runtime, the function {@link CHECKPOINT} included. */
  readonly globals: Readonly<Record<string, unknown>>;
  /** Declarations of such names and of the runtime's, as they stand in `declare global`. */
  readonly globalTypes: string;
  /** Types of such names that are read when a cell mentions them. */
  readonly lateTypes: readonly LateTypes[];
  /** Writes the declarations of the responses to named requests, as they stand in `declare global`. */
  readonly responseTypes: () => string;
  /** Whether a value is a result, and not only what a call such as `display()` returns. */
  readonly isResult: (value: unknown) => boolean;
  readonly scriptEvents: ScriptEvents | undefined;
  /** Where cells keep their variables. */
  readonly scope: CellScope;
}

/** A cell that was compiled, and what it was compiled from. */
interface CompiledCell {
  readonly source: string;
  readonly firstLine: number | undefined;
  /** The names that it declares. */
  readonly names: readonly string[];
  /** What is wrong with its types. */
  readonly warning: TypeScriptError | undefined;
  readonly cell: EmittedCell;
  readonly code: string;
  readonly unguard: GuardedCode["unguard"];
}

/** Creates an evaluator of TypeScript cells, which has yet to read the types that cells know. */
export function createTypeScriptEvaluator(options: EvaluatorOptions): Evaluator {
  return new TypeScriptEvaluator(options);
}

const KEPT_SCRIPTS = 100;
/** What a variable has that is not there. */
const MISSING = Symbol("missing");

class TypeScriptEvaluator implements Evaluator {
  readonly #options: EvaluatorOptions;
  readonly #compiler: Compiler;
  readonly #program: CellProgram;
  readonly #syntax: CellSyntax;
  readonly #packages: PackageLoader;
  readonly #modules: LocalModules;
  readonly #positions: CellPositions;
  readonly #scope: CellScope;
  readonly #scripts: ScriptRunner;
  readonly #guarded = new Map<string, Pick<CompiledCell, "code" | "unguard">>();
  #resultType: string | undefined;
  #latest: CompiledCell | undefined;
  /** The version of the program with what the latest cell declares. */
  #version: string | undefined;
  #interruption = createInterruption();

  constructor(options: EvaluatorOptions) {
    const { compiler, directory, running, scriptEvents } = options;
    this.#compiler = compiler;
    this.#options = options;
    this.#scope = options.scope;
    this.#program = new CellProgram(compiler, options);
    this.#syntax = createCellSyntax(compiler);
    this.#positions = createCellPositions(compiler);
    const { resolve, resolveImport } = this.#program.resolution;
    this.#packages = createPackageLoader(resolveImport);
    this.#modules = new LocalModules({
      compiler,
      resolve,
      running,
      isGuarded: scriptEvents?.checkpoint !== undefined,
      requirePackage: this.#packages.require,
    });
    this.#scripts = createScriptRunner({
      scriptEvents,
      scope: this.#scope.values,
      require: this.#modules.requireFrom(`${directory}/__restlab_cell__.ts`),
      meta: metaOf(join(directory, "cell.ts")),
    });
  }

  readTypes(isUrgent: boolean): boolean {
    return this.#program.readTypes(isUrgent);
  }

  rehearse(): void {
    if (this.#latest === undefined) this.#compile("0", { name: "rehearsal" });
  }

  async evaluate(written: string, given: EvaluateOptions): Promise<Evaluation> {
    const code = this.#syntax.asExpression(written);
    const faults = this.#syntax.faults({ source: code, firstLine: given.firstLine });
    if (faults.length > 0) {
      return { status: "error", thrown: new TypeScriptError("SyntaxError", code, faults) };
    }
    this.#interruption = createInterruption();
    const notReady = await this.#packages.prepare(this.#packagesOf(code), this.#options.directory);
    if (notReady !== undefined) return { status: "error", thrown: notReady.thrown };
    const compiled = this.#compile(this.#syntax.withoutExports(code), given);
    if (compiled instanceof TypeScriptError) return { status: "error", thrown: compiled };
    if (compiled.warning !== undefined) given.onWarning?.(compiled.warning);
    this.#loadMentioned(code);
    const ended = await this.#run(compiled, given);
    if (ended.status === "ok" && ended.hasValue) {
      this.#scope.setResult(ended.value, compiled.cell.resultType ?? "any");
    }
    return ended;
  }

  async runScript(
    code: string,
    { name, firstLine, limit, parameters, onScript }: RunScriptOptions,
  ): Promise<unknown> {
    const faults = this.#syntax.faults({ source: code, firstLine });
    if (faults.length > 0) throw new TypeScriptError("SyntaxError", code, faults);
    this.#interruption = createInterruption();
    const { signal } = this.#interruption;
    const { code: guarded, unguard } = this.#guardScript(code);
    try {
      const script = { code: guarded, isAsync: true, limit, parameters };
      const running = this.#scripts.run(script, (id, prefix) => {
        this.#positions.remember(id, { name, prefix, firstLine, unguard });
        onScript(id);
      });
      return await Promise.race([running, signal.promise]);
    } catch (error) {
      throw signal.reason ?? asInterruption(error, limit);
    }
  }

  requireFrom(file: string): (name: string) => unknown {
    return this.#modules.requireFrom(file);
  }

  interrupt(reason: Error): void {
    this.#interruption.interrupt(reason);
  }

  complete(code: string, position: number): Completion {
    this.#open(code);
    const { variables } = this.#scope;
    return complete(this.#compiler, this.#program, { code, position, variables });
  }

  inspect(code: string, position: number): Inspection | undefined {
    this.#open(code);
    return inspect(this.#compiler, this.#program, position);
  }

  locate({ file, line, column }: Frame): Frame | undefined {
    const id = scriptNumber(file);
    if (id !== undefined) return this.#positions.locate(id, { line, column });
    const at = this.#modules.positionMap(file)?.({ line, column });
    return at === undefined ? undefined : { file, ...at };
  }

  reset(): void {
    this.#program.clear();
    this.#resultType = undefined;
  }

  #declareResult(): void {
    const type = this.#scope.resultType();
    if (type !== undefined && type !== this.#resultType) this.#program.declare(RESULT, type);
    this.#resultType = type;
  }

  #open(source: string, names: readonly string[] = []): void {
    this.#declareResult();
    this.#program.declareMentioned(source);
    this.#program.open(source, names);
  }

  /** A cell that is run again, unchanged, is translated already. */
  #compile(
    source: string,
    { isStrict, firstLine }: EvaluateOptions,
  ): CompiledCell | TypeScriptError {
    this.#declareResult();
    this.#program.declareMentioned(source);
    const known = this.#latest;
    const isSame =
      known?.source === source &&
      known.firstLine === firstLine &&
      this.#version === this.#program.version;
    if (isSame && (!isStrict || known.warning === undefined)) return known;
    this.#latest = undefined;
    const names = this.#syntax.declaredNames(source);
    this.#program.open(source, names);
    const { directory } = this.#options;
    const diagnostics = this.#program.check();
    const isCell = this.#program.isCell.bind(this.#program);
    const checked = { source, firstLine, directory, isCell };
    const faults = toFaults(this.#compiler, diagnostics, checked);
    const mayExist = this.#program.mayExist.bind(this.#program);
    const stops = (): boolean =>
      isStrict === true || diagnostics.some((it) => stopsCell(this.#compiler, it, mayExist));
    if (faults.length > 0 && stops()) {
      return new TypeScriptError("TypeScriptError", source, faults);
    }
    const warning =
      faults.length === 0 ? undefined : new TypeScriptError("TypeScriptWarning", source, faults);
    const cell = this.#program.emit();
    this.#version = this.#program.version;
    this.#latest = { source, firstLine, names, warning, cell, ...this.#guard(cell.code) };
    return this.#latest;
  }

  /** Loads the globals that a cell mentions: to end the cell while it loads one would leave half of that. */
  #loadMentioned(code: string): void {
    const { lateTypes, globals } = this.#options;
    for (const { name } of lateTypes) if (mentions(code, name)) Reflect.get(globals, name);
  }

  #guard(code: string): Pick<CompiledCell, "code" | "unguard"> {
    if (this.#options.scriptEvents?.checkpoint === undefined) return { code, unguard: (at) => at };
    const { text, unguard } = guardCode(this.#compiler, code);
    return { code: text, unguard };
  }

  /** The same handler often runs after each of many requests. */
  #guardScript(code: string): Pick<CompiledCell, "code" | "unguard"> {
    const known = this.#guarded.get(code);
    if (known !== undefined) return known;
    const guarded = this.#guard(code);
    if (this.#guarded.size >= KEPT_SCRIPTS) this.#guarded.clear();
    this.#guarded.set(code, guarded);
    return guarded;
  }

  /** Runs a cell to its end, and keeps what it has declared until then. */
  async #run(compiled: CompiledCell, given: EvaluateOptions): Promise<Evaluation> {
    const { cell, names } = compiled;
    const { values } = this.#scope;
    const currentOf = (name: string): unknown =>
      Object.hasOwn(values, name) ? values[name] : MISSING;
    const former = new Map(names.map((name) => [name, currentOf(name)]));
    const ended = await this.#runScript(compiled, given);
    // A name that a failed cell did not come to stays what it was.
    const isDeclared = (name: string): boolean =>
      ended.status === "ok" || !Object.is(currentOf(name), former.get(name));
    this.#scope.declare(names.filter(isDeclared));
    const version = this.#program.keep(cell, isDeclared);
    if (compiled === this.#latest) this.#version = version;
    return ended;
  }

  async #runScript(compiled: CompiledCell, given: EvaluateOptions): Promise<Evaluation> {
    const { source, cell, code, unguard } = compiled;
    const { name, firstLine, limit, onScript } = given;
    const { signal } = this.#interruption;
    const isAsync = this.#syntax.hasTopLevelAwait(source);
    const onReplaced = (names: string): void => given.onWarning?.(new ReplacedWarning(names));
    try {
      const running = this.#scripts.run({ code, isAsync, limit, onReplaced }, (id, prefix) => {
        this.#positions.remember(id, { name, prefix, firstLine, map: cell.map, unguard });
        onScript?.(id);
      });
      const ended = isAsync ? await Promise.race([running, signal.promise]) : running;
      const [last] = (ended ?? []) as readonly unknown[];
      const value = isThenable(last) ? await Promise.race([last, signal.promise]) : last;
      const hasValue = value !== undefined && this.#options.isResult(value);
      return { status: "ok", value: hasValue ? value : undefined, hasValue };
    } catch (error) {
      return { status: "error", thrown: signal.reason ?? asInterruption(readable(error), limit) };
    } finally {
      const replaced = restoreBuiltIns();
      if (replaced !== "") onReplaced(replaced);
    }
  }

  #packagesOf(code: string): readonly string[] {
    const { running } = this.#options;
    return this.#syntax.imports(code).filter((name) => !running.has(name) && !/^[./]/.test(name));
  }
}

/** A cell has replaced what restlab itself calls. */
class ReplacedWarning extends Error {
  override readonly name = "Warning";

  constructor(names: string) {
    super(
      `The cell replaced ${names}, which restlab calls, too: the original has been put back. Give your function another name`,
    );
  }
}
