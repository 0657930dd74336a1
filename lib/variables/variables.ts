import {
  type DisplayData,
  denoInspect,
  jupyterDisplay,
  nodeInspect,
  type Show,
} from "../exchange/mod.ts";
import {
  type Explanation,
  type Generated,
  isReachableName,
  isVariableName,
  type LateValue,
  LateValues,
  snapshotValue,
  type Value,
  valueAt,
} from "../interpolation/mod.ts";
import { toPlainNumbers } from "../json/mod.ts";
import { HIDDEN, type SecretStore } from "../secrets/mod.ts";
import type { LoadedEnvironment } from "./environment.ts";
import { secretTextsIn } from "./environment-logins.ts";
import type { EnvironmentVariable } from "./environment-values.ts";
import type { References } from "./references.ts";
import type { ScopeOptions } from "./scope.ts";

/** Options of `setVar`. */
export interface SetVarOptions {
  /**
   * Whether displays hide the value wherever it occurs, in any encoding. By default an existing
   * variable keeps its setting, and a new one is secret if its name, or that of a property in it, is a
   * secret name such as `token`, `password` or `apiKey`.
   */
  readonly secret?: boolean | undefined;
  /** Called once: when something reads the value, or when another value replaces it unread. */
  readonly onUse?: ((use: "read" | "replaced") => void) | undefined;
}

/** Where the value of a variable comes from. */
export interface Origin {
  /**
   * `set`: `setVar` or `--var`. `line`: a line `@name = value`. `saved`: `client.load`.
   * `environment`: an environment file. `answer`: the response to a named request. `typescript`: a variable of a
   * TypeScript cell.
   */
  readonly kind: "set" | "line" | "saved" | "environment" | "answer" | "typescript";
  /** The file, if it comes from one. */
  readonly file?: string | undefined;
  /** The environment in the file, if the file has several. */
  readonly environment?: string | undefined;
  /** The scheme of the reference that it is, if it is one: `op` of `op://Private/api/token`. */
  readonly scheme?: string | undefined;
  /** Whether displays hide it. */
  readonly secret: boolean;
}

/** The variables of a client: those that were set, and those of the environment. */
export class VariableStore {
  /** The values themselves, for rendering. */
  readonly values: Map<string, Value> = new Map();
  /** The variables of TypeScript cells, which have a value where nothing else has. */
  readonly cells: CellVariables;
  /** The secrets that variables name. */
  readonly references: References;
  /** A live view with copies of the values, for callers. */
  readonly view: ReadonlyMap<string, Value>;
  readonly #secrets: SecretStore;
  /** Where each variable that was set comes from. */
  readonly #kinds = new Map<string, Origin["kind"]>();
  /** Those that `setVar` has declared secret. */
  readonly #declared = new Set<string>();
  /** The files of variables whose lines were imported. */
  readonly #files = new Map<string, string>();
  /** What to call for variables that nothing has read yet. */
  readonly #unread = new Map<string, NonNullable<SetVarOptions["onUse"]>>();
  /** Those whose values could not be found where they were set; they stay, since answers change. */
  readonly late: LateValues = new LateValues();
  #environment: Tables = {
    variables: new Map(),
    dotenv: new Map(),
    shared: new Map(),
    secrets: [],
  };

  /** Creates an empty store, whose view is shown by the function given. */
  constructor(show: Show, secrets: SecretStore, cells: CellVariables, references: References) {
    this.#secrets = secrets;
    this.references = references;
    this.late.keep = (name) => (this.isKnown(name) ? this.lookUp(name) : this.late.find(name));
    secrets.isReference = (text) => references.of(text) !== undefined;
    this.cells = cells;
    this.view = createView({
      names: () =>
        new Set([
          ...this.values.keys(),
          ...this.references.waitingNames(this),
          ...this.#namesOfCells(),
        ]),
      get: (name) => this.get(name),
      shown: (name) => this.#shown(name),
      show,
    });
  }

  set(
    name: string,
    value: unknown,
    options: SetVarOptions = {},
    kind: Origin["kind"] = "set",
  ): void {
    // A name with dots is that of a file, or of a request.
    if (!(this.isKnown(name) && isVariableName(name)) && kind !== "line") checkName(name);
    // Who declares it secret can choose a longer value; who overrides one of a private file may need this one.
    const isDeclared = options.secret ?? this.#declared.has(name);
    const isText = kind === "line" || options.secret === false;
    const reference = isText ? undefined : this.references.of(value);
    if (reference !== undefined) this.setLine(name, this.references.late(reference));
    else this.#store(name, value, options, isDeclared ? "refuse" : "remark");
    if (this.#unread.has(name)) this.#note(name, "replaced");
    if (options.onUse !== undefined) this.#unread.set(name, options.onUse);
    if (isDeclared) this.#declared.add(name);
    else this.#declared.delete(name);
    if (reference === undefined) this.late.delete(name);
    this.#files.delete(name);
    this.#kinds.set(name, kind);
  }

  /**
   * Sets a variable of a line; one whose value cannot be found yet gets it when it is used.
   *
   * @param file The file of a line that is imported.
   */
  setLine(name: string, line: LateValue, file?: string): void {
    this.late.set(name, line);
    if (line.scheme !== undefined) this.#secrets.setVariable(name, "", true);
    const found = line.isLazy === true ? undefined : this.late.find(name);
    if (found !== undefined && "value" in found) this.set(name, found.value, {}, "line");
    else {
      this.values.delete(name);
      this.#note(name, "replaced");
      this.#kinds.set(name, "line");
    }
    if (file === undefined) this.#files.delete(name);
    else this.#files.set(name, file);
  }

  /** Finds again the values of late variables that are made of an answer, which is new, or of a secret. */
  refresh(answer: string): void {
    this.late.noteChange(answer);
    const changed = new Set([answer]);
    for (const [name, { names }] of this.late.entries()) {
      if (!names.some((one) => changed.has(one))) continue;
      changed.add(name);
      // Others are of `{{$dotenv name}}` and `{{$shared name}}`, and found anew wherever they are used.
      if (!this.isKnown(name)) continue;
      this.values.delete(name);
      this.lookUp(name);
    }
  }

  /** Has late variables without a value tried again: whatever they are made of may have changed. */
  retry(): void {
    this.late.retry();
  }

  /** The value itself, for rendering; `undefined` if there is none. */
  lookUp(name: string): Value | undefined {
    if (this.#unread.has(name)) this.#note(name, "read");
    const value = this.values.get(name);
    if (value !== undefined) return value;
    const found = this.late.find(name);
    if (found === undefined || !("value" in found)) return this.values.get(name);
    const variable = this.#kinds.has(name) ? undefined : this.#environment.variables.get(name);
    const isReference = this.late.get(name)?.scheme !== undefined;
    // A short secret must not make an answer unusable: a remark mentions it.
    this.#store(name, found.value, isReference ? { secret: true } : secrecyOf(variable), "remark");
    if (variable?.isLogins === true) this.#hideLogins(found.value);
    return this.values.get(name);
  }

  /** What a path leads to in a variable that has no value as a whole yet, with what surrounds it. */
  partOf(name: string, steps: readonly (string | number)[]): Generated | undefined {
    const found = this.late.findPart(name, steps);
    if (found === undefined || "message" in found) return found;
    const value = valueAt(found.value, { steps });
    if (value === undefined) return found;
    const variable = this.#environment.variables.get(name);
    const own = steps.reduceRight<Value>((inner, step) => ({ [step]: inner }), value);
    this.#secrets.setVariable(name, own, secrecyOf(variable).secret, "remark");
    if (variable?.isLogins === true) this.#hideLogins(own);
    return found;
  }

  /** The value of `{{$dotenv name}}` or `{{$shared name}}`, if the files have it. */
  ofFile(source: FileSource, name: string): Generated | undefined {
    const variable = this.#environment[source].get(name);
    if (variable === undefined) return undefined;
    const label = labelOf(source, name);
    const found =
      variable.value === undefined
        ? (this.late.findPart(label, []) ?? this.late.find(label))
        : { value: variable.value };
    if (variable.secret && found !== undefined && "value" in found) this.hide(found.value);
    return found;
  }

  /** Explains why a variable has no value. */
  explain(name: string): Explanation | undefined {
    const found = this.late.find(name);
    return found === undefined || "value" in found ? undefined : found;
  }

  /** Forgets the secrets that references name; returns how many there were. */
  forgetSecrets(): number {
    const texts = this.references.forget();
    for (const text of texts) this.refresh(text);
    return texts.length;
  }

  /** The names that a variable is made of whose value is looked for when it is used. */
  madeOf(name: string): readonly string[] {
    return this.late.namesOf(name);
  }

  /** A copy of the value, for callers. */
  get(name: string): Value | undefined {
    const found = this.lookUp(name);
    const value = found === undefined ? this.#ofCell(name) : found;
    return value === undefined ? undefined : toPlainNumbers(snapshotValue(value, name));
  }

  delete(name: string): boolean {
    if (!this.#kinds.delete(name)) return false;
    this.#remove(name);
    this.#restore(name);
    return true;
  }

  clear(): void {
    this.#unread.clear();
    for (const name of [...this.values.keys()]) this.#remove(name);
    this.late.clear();
    this.#files.clear();
    this.#kinds.clear();
    this.#declared.clear();
    this.#restoreAll();
  }

  origin(name: string): Origin | undefined {
    const kind = this.#kinds.get(name);
    const { scheme } = this.late.get(name) ?? {};
    const named = scheme === undefined ? {} : { scheme };
    if (kind !== undefined) {
      const file = this.#files.get(name);
      const secret = this.#secrets.holdsSecret(name);
      return { kind, ...(file === undefined ? {} : { file }), ...named, secret };
    }
    const variable = this.#environment.variables.get(name);
    if (variable === undefined) {
      if (this.#ofCell(name) === undefined) return undefined;
      return { kind: "typescript", secret: this.#secrets.holdsSecret(name) };
    }
    const { file, environment, secret } = variable;
    const place = environment === undefined ? { file } : { file, environment };
    return { kind: "environment", ...place, ...named, secret };
  }

  /** Whether a variable was set, or is one of the environment, even if it has no value yet. */
  isKnown(name: string): boolean {
    return this.#kinds.has(name) || this.#environment.variables.has(name);
  }

  /** Whether a variable was set otherwise than by an environment or a line of an imported file. */
  isOwn(name: string): boolean {
    return this.#kinds.has(name) && !this.#files.has(name);
  }

  /** Replaces the variables of the environment. */
  useEnvironment(environment: Tables): void {
    for (const name of this.#environment.variables.keys())
      if (!this.#kinds.has(name)) this.#remove(name);
    for (const [label] of labelled(this.#environment)) this.late.delete(label);
    this.#environment = environment;
    for (const secret of environment.secrets) this.hide(secret);
    this.#restoreAll();
  }

  /** Hides a value that is not a variable: the answer to a prompt, a secret of the process. */
  hide(value: Value): void {
    this.#secrets.hide(value);
  }

  /** The value of a variable of a cell, unless one that was set has the name but no value yet. */
  #ofCell(name: string): Value | undefined {
    return this.isKnown(name) ? undefined : this.cells.lookUp(name);
  }

  #namesOfCells(): readonly string[] {
    return this.cells.names().filter((name) => this.#ofCell(name) !== undefined);
  }

  /** What a display shows of a variable, below the name that it shows. */
  #shown(name: string): readonly [name: string, value: unknown] {
    const isSet = this.isKnown(name);
    const value = isSet ? this.lookUp(name) : this.#ofCell(name);
    const isHidden = this.#secrets.isSecretVariable(name) || this.references.isWaiting(name, this);
    const shown = isHidden ? HIDDEN : value;
    return [isSet ? name : `${name} (TypeScript)`, shown];
  }

  #store(
    name: string,
    value: unknown,
    { secret }: SetVarOptions,
    onUnsafe: "refuse" | "remark",
  ): void {
    const copy = snapshotValue(value, name);
    this.#secrets.setVariable(name, copy, secret, onUnsafe);
    this.values.set(name, copy);
    this.late.noteChange(name);
  }

  #note(name: string, use: "read" | "replaced"): void {
    const onUse = this.#unread.get(name);
    this.#unread.delete(name);
    onUse?.(use);
  }

  #remove(name: string): void {
    this.values.delete(name);
    this.#note(name, "replaced");
    this.#files.delete(name);
    this.#declared.delete(name);
    this.late.delete(name);
    this.#secrets.deleteVariable(name);
  }

  /** Makes all variables of the environment visible, and fills those that can be filled. */
  #restoreAll(): void {
    for (const [label, { late }] of labelled(this.#environment)) {
      if (late !== undefined) this.late.set(label, late);
    }
    for (const [name, variable] of this.#environment.variables) {
      if (!this.#kinds.has(name)) this.#restore(name);
      else if (variable.secret) this.#hideOverridden(variable);
    }
    for (const name of this.#environment.variables.keys()) {
      if (!this.#kinds.has(name)) this.lookUp(name);
    }
  }

  /** Makes a variable of the environment visible where none was set. */
  #restore(name: string): void {
    const variable = this.#environment.variables.get(name);
    if (variable === undefined || !isVariableName(name)) return;
    if (variable.late !== undefined) this.late.set(name, variable.late);
    if (variable.late?.scheme !== undefined) this.#secrets.setVariable(name, "", true);
    if (variable.value === undefined) return;
    this.values.set(name, variable.value);
    this.late.noteChange(name);
    // A short secret must not make a file unusable: a remark mentions it.
    this.#secrets.setVariable(name, variable.value, secrecyOf(variable).secret, "remark");
    if (variable.isLogins === true) this.#hideLogins(variable.value);
  }

  /** Hides the secret value of a variable of a file that `setVar` or a line has replaced. */
  #hideOverridden({ value, late }: EnvironmentVariable): void {
    try {
      const hidden = value ?? late?.resolve();
      if (hidden !== undefined) this.hide(hidden);
    } catch {
      // It has no value, and is not used.
    }
  }

  #hideLogins(value: Value): void {
    for (const text of secretTextsIn(value)) this.#secrets.hide(text);
  }
}

/** The variables of the environment, as placeholders name them. */
type Tables = Pick<LoadedEnvironment, "variables" | FileSource | "secrets">;
type FileSource = "dotenv" | "shared";

/** The variables of `{{$dotenv name}}` and `{{$shared name}}`, by names that no variable has. */
function labelled(tables: Tables): readonly (readonly [string, EnvironmentVariable])[] {
  return (["dotenv", "shared"] as const).flatMap((source) =>
    Array.from(tables[source], ([name, variable]) => [labelOf(source, name), variable] as const),
  );
}

function labelOf(source: FileSource, name: string): string {
  return `$${source} ${name}`;
}

/** Where it is known which texts of a variable are secret, the rest is not; otherwise its file or its name decides. */
function secrecyOf(variable: EnvironmentVariable | undefined): SetVarOptions {
  if (variable?.secret === true) return { secret: true };
  return variable?.isLogins === true ? { secret: false } : {};
}

function checkName(name: string): void {
  if (typeof name === "string" && isReachableName(name)) return;
  throw new TypeError(
    `Cannot set the variable ${JSON.stringify(name)}: no placeholder could name it; ` +
      "a name is a letter or _, then letters, digits, _ and -",
  );
}

/** The variables that a view shows. */
interface ViewedVariables {
  /** The names of those that have a value, or will have one when it is needed. */
  names(): Set<string>;
  /** Returns a copy of a variable. */
  get(name: string): Value | undefined;
  /** Returns what a display shows of a variable, and the name that it shows. */
  shown(name: string): readonly [name: string, value: unknown];
  /** Displays them all. */
  readonly show: Show;
}

/** Creates a live, read-only view of variables that can be displayed. */
function createView({ names, get, shown, show }: ViewedVariables): ReadonlyMap<string, Value> {
  function* keys(): MapIterator<string> {
    yield* names();
    return undefined;
  }
  function* entries(): MapIterator<[string, Value]> {
    for (const name of names()) yield [name, get(name) as Value];
    return undefined;
  }
  function* values(): MapIterator<Value> {
    for (const [, value] of entries()) yield value;
    return undefined;
  }
  const display = (): DisplayData => show(Object.fromEntries(Array.from(names(), shown)));
  const text = (): string => display()["text/plain"];
  const view: ReadonlyMap<string, Value> = {
    get size() {
      return names().size;
    },
    has: (name) => get(name) !== undefined || names().has(name),
    get,
    keys,
    values,
    entries,
    forEach(callback, thisArgument) {
      for (const [name, value] of entries()) callback.call(thisArgument, value, name, view);
    },
    [Symbol.iterator]: entries,
    ...{ [jupyterDisplay]: display, [nodeInspect]: text, [denoInspect]: text },
  };
  return Object.freeze(view);
}

/** The variables of TypeScript cells, as placeholders see them. */
interface CellVariables {
  /** A copy of the value at this moment; `undefined` for an unknown name and for what has no text form. */
  lookUp(name: string): Value | undefined;
  /** Explains why a variable of a cell cannot fill a placeholder. */
  explain(name: string): Explanation | undefined;
  /** The names of variables that may have a value. */
  names(): readonly string[];
}

/** Creates the view of a client on the variables of cells, whose secrets it learns. */
export function createCellVariables(
  given: ScopeOptions["cellVariables"],
  secrets: SecretStore,
  references: References,
): CellVariables {
  /** Reads a variable; an `Error` says why it has no value. */
  function read(name: string): { readonly value: Value } | Error | undefined {
    if (given?.has(name) !== true) return undefined;
    try {
      const value = snapshotValue(given.get(name), name);
      const reference = references.of(value);
      if (reference && !references.isReceived(reference)) return new Error("It names a secret");
      // A short secret must not make a request unusable: a remark mentions it.
      secrets.setVariable(name, value, undefined, "remark");
      return { value };
    } catch (error) {
      // A getter of the value may throw anything.
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  return {
    lookUp: (name) => {
      const found = read(name);
      return found !== undefined && "value" in found ? found.value : undefined;
    },
    explain: (name) => {
      const found = read(name);
      if (!(found instanceof Error)) return undefined;
      return {
        message: `"${name}" is ${describe(given?.get(name))} of a TypeScript cell. ${found.message}`,
        hint: `client.setVar(${JSON.stringify(name)}, …) sets a value that a request can contain`,
      };
    },
    names: () =>
      Array.from(given?.keys() ?? []).filter(
        (name) => isReachableName(name) && !HAS_NO_TEXT.has(typeof given?.get(name)),
      ),
  };
}

/** Whatever else a variable contains is copied, and refused, only when it is used. */
const HAS_NO_TEXT: ReadonlySet<string> = new Set(["function", "symbol", "undefined"]);

function describe(value: unknown): string {
  if (typeof value !== "function") return "a variable";
  const isClass = /^class\b/.test(Function.prototype.toString.call(value));
  return isClass ? "a class" : "a function";
}
