import {
  createFault,
  type Explanation,
  type Fault,
  firstLineSpan,
  isMap,
  isVariableName,
  namedIn,
  nearNames,
  type Placeholder,
  renderTemplate,
  type Scope,
  type SourceText,
  type Span,
  type Template,
  UnresolvedPlaceholderError,
  type Value,
  type Variables,
  variablesNamed,
} from "../interpolation/mod.ts";
import {
  LineValues,
  referenceOfLine,
  resolveAssignment,
  targetOf,
  withGiven,
} from "./assignments.ts";
import { type CheckFault, checkAssertions, checkRequest, toCheckFault } from "./check-request.ts";
import {
  type AssignmentDraft,
  explainCycle,
  explainUnsent,
  inFile,
  isFaulty,
  type NamedRequest,
  nameOf,
  neededLines,
  type RequestDraft,
  referencesOf,
  type ScriptDraft,
} from "./draft.ts";
import { type ExpandedText, type ExpandOptions, expandText, resolvePath } from "./expand.ts";
import { type ParsedText, readText } from "./parse.ts";
import { passesOf, passNames } from "./passes.ts";
import { promptsOf, toPrompt } from "./prompts.ts";
import type { RenderedParts } from "./render.ts";
import { GLOBAL_VARIABLE, scriptVariables } from "./scripts.ts";
import { mapTemplates, placeholdersOf } from "./templates.ts";

/** A request text that has been checked. */
export interface PreparedText extends ParsedText {
  /** All faults, in the order of the text; empty for a text that can be sent. */
  readonly faults: readonly CheckFault[];
  /**
   * The text with what it imports.
   *
   * @internal
   */
  readonly expanded: ExpandedText;
  /**
   * The first request as it was rendered, if nothing can change it before it is sent.
   *
   * @internal
   */
  readonly rendered: { readonly draft: RequestDraft; readonly parts: RenderedParts } | undefined;
}

/**
 * Finds all faults of a request text without sending it: syntax, unknown names, invalid URLs, malformed and
 * repeated headers, invalid JSON, missing files. Values from responses of the text's own
 * requests are assumed to exist.
 *
 * @param text Text as in `.http` files.
 * @param variables The values by name.
 * @param options Names and files that are known in addition.
 * @returns The faults in the order of the text; empty for a text that can be sent.
 *
 * @example
 * ```ts
 * const [fault] = checkText("GET {{base}}/users", {});
 * fault?.code; // "name"
 * fault?.column; // 5
 * ```
 */
export function checkText(
  text: string,
  variables: Variables,
  options: CheckOptions = {},
): readonly CheckFault[] {
  const names = new Set(options.requests);
  return prepareText(readText(text, options.firstLine), variables, {
    ...options,
    hasRequest: (name) => names.has(name),
    imports: { find: () => undefined },
  }).faults;
}

/** Renders the requests of a text and finds its faults like {@link checkText}, with those of the files that it imports. */
export function prepareText(
  text: ParsedText,
  variables: Variables,
  options: PrepareOptions,
): PreparedText {
  return new Preparation(text, variables, options).prepare();
}

/** The name of every value that is not known yet; no variable can have it. */
const DEFERRED = "\0";
const STAND_IN = "0";
/** Similar names are looked for this often in a text: one that has more unknown names has few that are mistyped. */
const MOST_SUGGESTIONS = 200;

/** The names and values that are known at an entry of a text grow from entry to entry. */
class Preparation {
  readonly #text: ParsedText;
  readonly #options: PrepareOptions;
  readonly #expanded: ExpandedText;
  /** The values of the variable lines above the entry. */
  readonly #lines = new LineValues();
  /** The requests of the text itself, by their names. */
  readonly #own: ReadonlyMap<string, RequestDraft>;
  /** The requests of imported files, until one is checked. */
  readonly #imported: Map<string, NamedRequest>;
  /** The names of requests whose references have been followed. */
  readonly #followed = new Set<string>();
  /** The requests of the text and of what it imports, by their names. */
  readonly #requests: ReadonlyMap<string, RequestDraft>;
  readonly #given: Scope;
  /** The values of all names, with a stand-in for those that are not known yet. */
  readonly #scope: Scope;
  readonly #scripts: ReturnType<typeof scriptVariables>;
  /** Why names may have no value that scripts set whose names are not written. */
  #others: Explanation | undefined;
  /** How many names had no value. */
  #unknown = 0;
  /** Names that have a value when the text is sent, whatever its lines say. */
  readonly #fromElsewhere: Set<string>;
  readonly #deferred: Set<string>;
  /** Variables of lines whose values refer to such names. */
  readonly #later = new Set<string>();
  /** Whether a request is above the entry. */
  #hasRequest = false;
  #rendered: PreparedText["rendered"];

  constructor(text: ParsedText, variables: Variables, options: PrepareOptions) {
    this.#text = text;
    this.#options = options;
    this.#expanded = expandText(text, options.imports);
    this.#scripts = scriptVariables(text, options.runsScripts);
    this.#given = isMap(variables) ? variables : new Map(Object.entries(variables));
    this.#others = this.#scripts.others;
    this.#fromElsewhere = new Set([...(options.deferred ?? []), ...this.#scripts.set]);
    this.#deferred = new Set(this.#fromElsewhere);
    const { entries, imported } = this.#expanded;
    for (const entry of entries) if (entry.kind === "script") this.#deferScript(entry);
    const requests = entries.filter((entry) => entry.kind === "request");
    this.#own = new Map(requests.map((draft) => [nameOf(draft) ?? "", draft]));
    this.#imported = new Map(imported.map((one) => [nameOf(one.draft) ?? "", one]));
    const ofFiles = imported.map((one) => [nameOf(one.draft) ?? "", one.draft] as const);
    this.#requests = new Map([...ofFiles, ...this.#own]);
    for (const name of this.#own.keys()) this.#imported.delete(name);
    this.#scope = this.#createScope();
  }

  prepare(): PreparedText {
    const { failure } = this.#text;
    const { entries, faults: ofImports } = this.#expanded;
    const faults = [
      ...(failure?.faults ?? []).map((fault) => toCheckFault(fault, "syntax")),
      ...ofImports,
    ];
    for (const entry of entries) {
      if (entry.kind === "assignment") this.#assign(entry);
      if (entry.kind !== "request") continue;
      for (const fault of locateFaults(this.#text, entry, this.#checkDraft(entry)))
        faults.push(fault);
    }
    for (const fault of this.#unusedFaults()) faults.push(fault);
    const seen = new Set<string>();
    const isNew = ({ message, span }: CheckFault): boolean => {
      const key = `${span.start} ${message}`;
      return !seen.has(key) && seen.add(key) !== undefined;
    };
    const sorted = faults.filter(isNew).sort((one, other) => one.span.start - other.span.start);
    return { ...this.#text, faults: sorted, expanded: this.#expanded, rendered: this.#rendered };
  }

  /** Finds the faults of a request, in each of its passes. */
  #checkDraft(draft: RequestDraft): readonly CheckFault[] {
    if (draft.faults !== undefined)
      return draft.faults.map((fault) => toCheckFault(fault, "syntax"));
    for (const script of draft.scripts ?? []) this.#deferScript(script);
    const faults = referencesOf(draft).flatMap(({ name, span }) =>
      this.#checkReference(name, draft, span),
    );
    let passes: readonly RequestDraft[] = [];
    try {
      passes = passesOf(draft, this.#scope, this.#isUnknown);
    } catch (error) {
      if (!isFaulty(error)) throw error;
      faults.push(...error.faults.map((fault) => toCheckFault(fault, "name")));
    }
    // Further passes rarely have other faults.
    for (const pass of passes.slice(0, 100)) faults.push(...this.#checkPass(pass));
    for (const name of passNames(draft)) this.#defer(name);
    this.#hasRequest = true;
    this.#lines.late.noteChange("response");
    const [first] = passes;
    // The expected values may refer to the response, which has a name only now.
    const hasChecks = draft.assertions !== undefined || draft.scripts !== undefined;
    if (first !== undefined && hasChecks) {
      const { ready, scope, hasFile } = this.#valuesOf(first);
      faults.push(...checkAssertions(ready, scope, hasFile));
    }
    return faults;
  }

  #checkPass(draft: RequestDraft): readonly CheckFault[] {
    const { ready, scope, hasFile, waits } = this.#valuesOf(draft);
    const { headers = [], baseUrl } = this.#options;
    const { faults: own, parts } = checkRequest(ready, {
      variables: scope,
      isFixed,
      hasFile,
      baseUrl,
    });
    const faults =
      headers.length === 0 ? own : [...own, ...checkDefaults(headers, draft, scope, waits)];
    const [first] = this.#expanded.entries;
    if (ready === draft && draft === first && isUnchanging(draft)) {
      this.#rendered = { draft, parts };
    }
    return faults;
  }

  /** A request without the placeholders whose values are not known yet, and the values of the others. */
  #valuesOf(draft: RequestDraft) {
    const { given = [], file } = draft;
    const asked = new Set(promptsOf(draft).map(({ name }) => name));
    const own = new Map<string, boolean>();
    const waits = (part: string | Placeholder): boolean => {
      if (typeof part === "string") return false;
      const isAsked = asked.has(part.name) && !this.#scope.has(part.name);
      return own.get(part.name) ?? (this.#isUnknown(part) || isAsked);
    };
    for (const line of given) {
      const isWaiting = referenceOfLine(line, this.#scope)?.isWaiting === true;
      own.set(line.name, isWaiting || line.value.parts.some(waits));
    }
    const lines = given.filter(({ name }) => own.get(name) === false);
    const { hasFile } = this.#options;
    return {
      ready: placeholdersOf(draft).some(waits)
        ? mapTemplates(draft, (template) => deferValues(template, waits))
        : draft,
      waits,
      scope: withGiven({ given: lines }, this.#scope),
      hasFile: hasFile && file ? (path: string) => hasFile(resolvePath(path, file)) : hasFile,
    };
  }

  /** Checks that a reference names a request, and the request if it is in another file. */
  #checkReference(name: string, text: SourceText, span: Span): CheckFault[] {
    if (!this.#isRequest(name)) {
      const message = `Cannot refer to "${name}": no request has this name`;
      const hint = `Write "# @name ${name}" before the request to send first, or import its file`;
      return [toCheckFault(createFault(text, span, message, hint), "reference")];
    }
    const cycle = explainCycle(name, (one) => this.#referencesOf(one), this.#followed);
    if (cycle !== undefined) {
      return [toCheckFault(createFault(text, span, cycle.message, cycle.hint), "reference")];
    }
    const imported = this.#imported.get(name);
    this.#imported.delete(name);
    if (imported === undefined) {
      const known = this.#own.get(name) ?? this.#options.imports.named?.(name)?.draft;
      for (const one of passNames(known ?? { title: name })) this.#defer(one);
      return [];
    }
    for (const line of neededLines(imported)) {
      if (!this.#scope.has(line.name)) this.#assign(line);
    }
    const { draft } = imported;
    return locateFaults(text, { origin: span, file: draft.file }, this.#checkDraft(draft));
  }

  /** The names of the requests that are sent before the one of a name; notes the variables that its scripts set. */
  #referencesOf(name: string): readonly string[] {
    const draft = this.#requests.get(name) ?? this.#options.imports.named?.(name)?.draft;
    for (const script of draft?.scripts ?? []) this.#deferScript(script);
    const references = draft === undefined ? [] : referencesOf(draft);
    return references
      .filter((one) => one.force || !this.#given.has(one.name))
      .map((one) => one.name);
  }

  /** The faults of variable lines that no request uses; those that one uses are reported there. */
  #unusedFaults(): readonly CheckFault[] {
    const { entries } = this.#expanded;
    const late = [...this.#lines.late.entries()].filter(
      ([name]) =>
        this.#lines.explain(name) !== undefined &&
        !entries.some(
          (entry) => entry.kind === "assignment" && entry.file !== undefined && entry.name === name,
        ),
    );
    if (late.length === 0) return [];
    const requests = entries.filter((entry) => entry.kind === "request");
    const used = new Set(requests.flatMap(placeholdersOf).flatMap(variablesNamed));
    // It completes a target without a host, which reports it.
    if (requests.some(({ url: { parts } }) => /^[/?#]/.test(String(parts[0])))) used.add("host");
    // A line may use one above it.
    for (const [name, { names }] of late.toReversed()) {
      if (used.has(name)) for (const one of names) used.add(one);
    }
    return late.flatMap(([name, { resolve }]) => {
      if (used.has(name)) return [];
      try {
        resolve();
        return [];
      } catch (error) {
        // Others, of chains that are too long, are reported where they are used.
        if (!(error instanceof UnresolvedPlaceholderError)) return [];
        return error.faults.map((fault) => toCheckFault(fault, "name", "warning"));
      }
    });
  }

  /** Whether the text may refer to a request of this name. */
  #isRequest(name: string): boolean {
    return this.#requests.has(name) || this.#options.hasRequest(name);
  }

  /** Notes a name that has no value yet but will have one. */
  #defer(name: string): void {
    // A placeholder cannot name a title of several words.
    if (isVariableName(name)) this.#deferred.add(name);
    this.#lines.late.noteChange(name);
  }

  /** Notes the names that a script of another text sets, which runs before what follows. */
  #deferScript(script: ScriptDraft): void {
    if (script.source === this.#text.source) return;
    const { set, others } = scriptVariables(script, this.#options.runsScripts, script.span);
    this.#others ??= others;
    for (const name of set) {
      this.#fromElsewhere.add(name);
      this.#defer(name);
    }
  }

  /** Sets the variable of a line. */
  #assign(draft: AssignmentDraft): void {
    const { parseJson } = this.#options;
    const entry = targetOf(draft, this.#scope);
    this.#later.delete(entry.name);
    if (referenceOfLine(entry, this.#scope)?.isWaiting === true) {
      this.#lines.delete(entry.name);
      this.#defer(entry.name);
      return;
    }
    if (!this.#fromElsewhere.has(entry.name)) this.#deferred.delete(entry.name);
    this.#lines.set(entry, this.#scope, (line, own) => {
      const isDeferred = line.value.parts.some(this.#isUnknown);
      const value = deferValues(line.value, this.#isUnknown);
      const found = resolveAssignment({ ...line, value }, own, { parseJson });
      if (isDeferred) this.#later.add(entry.name);
      return found;
    });
  }

  /** Whether the value of a part is not known yet but will be. */
  readonly #isUnknown = (part: string | Placeholder): boolean => {
    if (typeof part === "string") return false;
    if (part.kind === "generated") return toPrompt(part) !== undefined || this.#isGlobal(part.name);
    const { name } = namedIn(this.#scope, part);
    this.#lines.get(name);
    if (this.#later.delete(name)) {
      this.#lines.delete(name);
      this.#defer(name);
    }
    return this.#isDeferred(name, new Set());
  };

  /** Whether a script of the text sets members of `$global`, and none has run yet. */
  #isGlobal(name: string): boolean {
    return name === "$global" && this.#fromElsewhere.has(name) && !this.#given.has(GLOBAL_VARIABLE);
  }

  /** A variable of an earlier text may wait for a response, too. */
  #isDeferred(name: string, seen: Set<string>): boolean {
    const { madeOf = () => [], runsScripts } = this.#options;
    if (this.#scope.has(name) || seen.has(name)) return false;
    seen.add(name);
    const mayBeSet = runsScripts && this.#others !== undefined && !this.#isRequest(name);
    // Such a script may set any name that is not a mistyped one.
    if (mayBeSet && nearNames(name, this.#scope.keys()).length === 0) return true;
    if (this.#deferred.has(name) || this.#isResponse(name)) return true;
    // Those of an environment see the lines of a text when it is sent.
    return madeOf(name).some((one) => this.#lines.has(one) || this.#isDeferred(one, seen));
  }

  /** Whether a name is that of a response above as httpYac knows it: `response`, `loginResponse`. */
  #isResponse(name: string): boolean {
    if (name === "response") return this.#hasRequest;
    return name.endsWith("Response") && this.#deferred.has(name.replace(/Response$/, ""));
  }

  #createScope(): Scope {
    const given = this.#given;
    const lines = this.#lines;
    // `host` is looked up without a placeholder, so its name is not replaced.
    const standIn = (name: string): Value | undefined =>
      name === DEFERRED || this.#deferred.has(name) || this.#isResponse(name)
        ? STAND_IN
        : undefined;
    return {
      get: (name) => {
        const value = lines.has(name) ? lines.get(name) : given.get(name);
        return value === undefined ? standIn(name) : value;
      },
      has: (name) => lines.has(name) || given.has(name),
      // References to secrets are deferred by their texts, which no placeholder can name.
      keys: () =>
        new Set([
          ...lines.keys(),
          ...[...this.#deferred].filter((name) => !name.includes("://")),
          ...given.keys(),
        ]),
      explain: (name, steps) => this.#explain(name, steps),
      generate: given.generate?.bind(given),
      reference: given.reference?.bind(given),
      isWhole: (name) =>
        lines.has(name) ||
        this.#deferred.has(name) ||
        this.#own.get(name)?.name === name ||
        given.isWhole?.(name) === true,
      partOf: (name, steps) => (lines.has(name) ? undefined : given.partOf?.(name, steps)),
    };
  }

  #explain(name: string, steps?: readonly (string | number)[]): Explanation | undefined {
    const unsent = this.#isRequest(name) ? explainUnsent(name) : undefined;
    const known = this.#lines.explain(name) ?? unsent;
    if (known !== undefined) return known;
    const found = this.#scripts.explanations.get(name) ?? this.#given.explain?.(name, steps);
    if (found !== undefined) return found;
    this.#unknown += 1;
    const isMany = this.#unknown > MOST_SUGGESTIONS;
    if (isMany) return this.#others ?? { message: `there is no variable "${name}"` };
    if (this.#others === undefined) return undefined;
    return nearNames(name, this.#scope.keys()).length > 0 ? undefined : this.#others;
  }
}

/**
 * Whether a request is rendered alike whenever it is rendered before anything else is sent: no value is generated or
 * asked for, and no script or other request comes before it.
 */
function isUnchanging(draft: RequestDraft): boolean {
  const isGenerated = placeholdersOf(draft).some(({ kind }) => kind === "generated");
  const comesFirst = draft.scripts === undefined && referencesOf(draft).length === 0;
  return comesFirst && !isGenerated && promptsOf(draft).length === 0;
}

/**
 * The faults of a curl command or of a request of another file refer to the whole line, since its parts have no
 * positions in the text.
 */
function locateFaults(
  text: SourceText,
  { origin, file }: Pick<RequestDraft, "origin" | "file">,
  faults: readonly CheckFault[],
): CheckFault[] {
  if (origin === undefined) return [...faults];
  return faults.map((fault) => {
    const message = file === undefined ? fault.message : inFile(fault, file);
    return { ...fault, ...createFault(text, origin, message, fault.hint) };
  });
}

/** The faults of default headers that the request does not have; they are in no text. */
function checkDefaults(
  defaults: HeaderTemplates,
  { source, span, headers }: RequestDraft,
  scope: Scope,
  waits: (part: string | Placeholder) => boolean,
): readonly CheckFault[] {
  const written = new Set(headers.map(({ name }) => name.toLowerCase()));
  if (written.has("")) return [];
  return defaults.flatMap(([name, value]) => {
    if (typeof value === "string" || written.has(name.toLowerCase())) return [];
    const unresolved: Fault[] = [];
    renderTemplate(deferValues(value, waits), scope, "header", { unresolved });
    return unresolved.map(({ message, hint }) => {
      const said = `${message}, in the default header "${name}"`;
      return toCheckFault(createFault({ source }, firstLineSpan(source, span), said, hint), "name");
    });
  });
}

/** Whether no value of a template is deferred. */
function isFixed({ parts }: Template): boolean {
  return !parts.some(
    (part) => typeof part !== "string" && part.kind === "path" && part.name === DEFERRED,
  );
}

/** Replaces the placeholders whose values are not known yet. */
function deferValues(
  template: Template,
  isUnknown: (part: string | Placeholder) => boolean,
): Template {
  const parts = template.parts.map((part) =>
    typeof part === "string" || !isUnknown(part)
      ? part
      : ({ kind: "path", name: DEFERRED, steps: [], text: part.text, span: part.span } as const),
  );
  return { ...template, parts };
}

/** Options of `checkText`. */
export interface CheckOptions {
  /** Parses JSON in variable lines; `JSON.parse` by default. */
  readonly parseJson?: ((text: string) => Value) | undefined;
  /** Names that will have a value when the text is sent: responses of earlier cells, questions. */
  readonly deferred?: Iterable<string> | undefined;
  /** Names of requests in other texts, for `# @ref`. */
  readonly requests?: Iterable<string> | undefined;
  /** The names that the value of a variable refers to, if it has none yet. */
  readonly madeOf?: ((name: string) => readonly string[]) | undefined;
  /** Whether the scripts of the text are run when it is sent, so that their variables have values. */
  readonly runsScripts?: boolean | undefined;
  /** The line of its file on which the text begins; 1 by default. */
  readonly firstLine?: number | undefined;
  /** Whether a file exists; without it, files are not checked. */
  readonly hasFile?: ((path: string) => boolean) | undefined;
}

/** Default headers as pairs, not filled yet. */
type HeaderTemplates = readonly (readonly [name: string, value: string | Template])[];

/** Options of {@link prepareText}. */
export interface PrepareOptions extends CheckOptions {
  /** Whether there is a request of this name in another text. */
  readonly hasRequest: (name: string) => boolean;
  /** The files that the text imports, and the requests that it may run. */
  readonly imports: ExpandOptions;
  /** The headers of requests that do not have them. */
  readonly headers?: HeaderTemplates | undefined;
  /** Completes a target that is a path. */
  readonly baseUrl?: string | undefined;
}
