import {
  type Explanation,
  isMap,
  nearNames,
  type Placeholder,
  type Scope,
  type SourceText,
  type Template,
  type Value,
  type Variables,
} from "../interpolation/mod.ts";
import { LineValues, resolveAssignment } from "./assignments.ts";
import type { SessionCheckOptions } from "./check.ts";
import {
  type AssignmentDraft,
  type Entry,
  explainUnsent,
  type NamedRequest,
  nameOf,
  type RequestDraft,
} from "./draft.ts";
import { toPrompt } from "./prompts.ts";
import { GLOBAL_VARIABLE, scriptVariables } from "./scripts.ts";

/** The name of every value that is not known yet; no variable can have it. */
const DEFERRED = "\0";
const STAND_IN = "0";

/** The names and values that are known at an entry of a text; they grow from entry to entry. */
export class Known {
  /** The values of the variable lines above the entry. */
  readonly lines: LineValues = new LineValues();
  /** The requests of the text itself, by their names. */
  readonly own: ReadonlyMap<string, RequestDraft>;
  /** The requests of imported files, until one is checked. */
  readonly imported: Map<string, NamedRequest>;
  /** The values of all names, with a stand-in for those that are not known yet. */
  readonly scope: Scope;
  readonly #options: SessionCheckOptions;
  /** The names of the requests of the text and of what it imports. */
  readonly #requests: ReadonlySet<string>;
  readonly #given: Scope;
  readonly #scripts: ReturnType<typeof scriptVariables>;
  /** Names that have a value when the text is sent, whatever its lines say. */
  readonly #fromElsewhere: ReadonlySet<string>;
  readonly #deferred: Set<string>;
  /** Variables of lines whose values refer to such names. */
  readonly #later = new Set<string>();

  constructor(
    text: SourceText,
    variables: Variables,
    options: SessionCheckOptions,
    entries: readonly Entry[],
    imported: readonly NamedRequest[],
  ) {
    const { deferred = [], runsScripts = false } = options;
    this.#options = options;
    this.#scripts = scriptVariables(text, runsScripts);
    this.#given = isMap(variables) ? variables : new Map(Object.entries(variables));
    this.#fromElsewhere = new Set([...deferred, ...this.#scripts.set]);
    this.#deferred = new Set(this.#fromElsewhere);
    this.own = namedRequestsOf(entries);
    this.imported = new Map(imported.map((one) => [nameOf(one.draft) ?? "", one]));
    this.#requests = new Set([...this.imported.keys(), ...this.own.keys()]);
    for (const name of this.own.keys()) this.imported.delete(name);
    this.scope = this.#createScope();
  }

  /** Whether the text may refer to a request of this name. */
  isRequest(name: string): boolean {
    return this.#requests.has(name) || this.#options.hasRequest(name);
  }

  /** Notes a name that has no value yet but will have one. */
  defer(name: string): void {
    this.#deferred.add(name);
    this.lines.late.noteChange(name);
  }

  /** Sets the variable of a line. */
  assign(entry: AssignmentDraft): void {
    const { parseJson } = this.#options;
    this.#later.delete(entry.name);
    if (!this.#fromElsewhere.has(entry.name)) this.#deferred.delete(entry.name);
    this.lines.set(entry, this.scope, (own) => {
      const isDeferred = entry.value.parts.some(this.isUnknown);
      const value = deferValues(entry.value, this.isUnknown);
      const found = resolveAssignment({ ...entry, value }, own, parseJson ? { parseJson } : {});
      if (isDeferred) this.#later.add(entry.name);
      return found;
    });
  }

  /** Whether the value of a part is not known yet but will be. */
  readonly isUnknown = (part: string | Placeholder): boolean => {
    if (typeof part === "string") return false;
    if (part.kind === "generated") return toPrompt(part) !== undefined || this.#isGlobal(part.name);
    this.lines.get(part.name);
    if (this.#later.delete(part.name)) {
      this.lines.delete(part.name);
      this.defer(part.name);
    }
    return this.#isDeferred(part.name, new Set());
  };

  /** Whether a script of the text sets members of `$global`, and none has run yet. */
  #isGlobal(name: string): boolean {
    return name === "$global" && this.#fromElsewhere.has(name) && !this.#given.has(GLOBAL_VARIABLE);
  }

  /** A variable of an earlier text may wait for a response, too. */
  #isDeferred(name: string, seen: Set<string>): boolean {
    const { madeOf = () => [], runsScripts = false } = this.#options;
    if (this.scope.has(name) || seen.has(name)) return false;
    seen.add(name);
    if (runsScripts && this.#scripts.file !== undefined && this.#isFromScriptFile(name))
      return true;
    return this.#deferred.has(name) || madeOf(name).some((one) => this.#isDeferred(one, seen));
  }

  /** A script in a file, which a check does not read, may set any name that is not a mistyped one. */
  #isFromScriptFile(name: string): boolean {
    return !this.isRequest(name) && nearNames(name, this.scope.keys()).length === 0;
  }

  #createScope(): Scope {
    const given = this.#given;
    const { lines } = this;
    // `host` is looked up without a placeholder, so its name is not replaced.
    const standIn = (name: string): Value | undefined =>
      name === DEFERRED || this.#deferred.has(name) ? STAND_IN : undefined;
    return {
      get: (name) => {
        const value = lines.has(name) ? lines.get(name) : given.get(name);
        return value === undefined ? standIn(name) : value;
      },
      has: (name) => lines.has(name) || given.has(name),
      keys: () => new Set([...lines.keys(), ...this.#deferred, ...given.keys()]),
      explain: (name) => this.#explain(name),
      ...(given.generate === undefined ? {} : { generate: given.generate.bind(given) }),
    };
  }

  #explain(name: string): Explanation | undefined {
    const unsent = this.isRequest(name) ? explainUnsent(name) : undefined;
    const known = this.lines.explain(name) ?? unsent;
    if (known !== undefined) return known;
    const found = this.#scripts.explanations.get(name) ?? this.#given.explain?.(name);
    const isMistyped = nearNames(name, this.scope.keys()).length > 0;
    return found ?? (isMistyped ? undefined : this.#scripts.file);
  }
}

function namedRequestsOf(entries: readonly Entry[]): ReadonlyMap<string, RequestDraft> {
  const named = new Map<string, RequestDraft>();
  for (const entry of entries) {
    const name = entry.kind === "request" ? nameOf(entry) : undefined;
    if (entry.kind === "request" && name !== undefined) named.set(name, entry);
  }
  return named;
}

/** Whether no value of a template is deferred. */
export function isFixed({ parts }: Template): boolean {
  return !parts.some(
    (part) => typeof part !== "string" && part.kind === "path" && part.name === DEFERRED,
  );
}

/** Replaces the placeholders whose values are not known yet. */
export function deferValues(template: Template, isUnknown: Known["isUnknown"]): Template {
  const parts = template.parts.map((part) =>
    typeof part === "string" || !isUnknown(part)
      ? part
      : ({ kind: "path", name: DEFERRED, steps: [], text: part.text, span: part.span } as const),
  );
  return { ...template, parts };
}
