import {
  type Explanation,
  type Generated,
  type GeneratedPlaceholder,
  nearNames,
  type Scope,
  stepText,
  type Value,
} from "../interpolation/mod.ts";
import {
  type Entry,
  explainUnsent,
  isSecretName,
  nameOf,
  promptsOf,
  scriptVariables,
} from "../request/mod.ts";
import type { LoadedEnvironment } from "./environment.ts";
import type { FakerLoader } from "./faker.ts";
import { generateValue, type Outside, type Random } from "./generated.ts";
import type { NamedRequests } from "./named-requests.ts";
import { STAND_IN } from "./references.ts";
import type { ResponseStore } from "./responses.ts";
import type { VariableStore } from "./variables.ts";

/** What the scopes of a client are made of. */
export interface ScopeParts {
  readonly options: ScopeOptions & {
    readonly readFile?: (path: string) => Promise<Uint8Array>;
  };
  readonly variables: VariableStore;
  readonly responses: ResponseStore;
  readonly requests: NamedRequests;
  readonly logins: Logins;
}

/** The state that the scopes of a client share. */
export interface ScopeState {
  readonly parts: ScopeParts;
  readonly faker: FakerLoader;
  environment: LoadedEnvironment | undefined;
}

/** Values that take precedence: answers to prompts, the variable lines of a preview. */
export type FirstValues = Pick<Scope, "get" | "has" | "keys" | "explain">;

/** How the scope of a text that is not sent differs from the others of its client. */
export interface TrialTerms {
  /** Values that take precedence over all others. */
  readonly first?: FirstValues | undefined;
  /** The text, for names that get a value when it is sent. */
  readonly entries?: readonly Entry[];
  /** Whether stand-ins replace the values that exist only when a text is sent. */
  readonly isCheck?: boolean;
  /** Whether a variable is an object that is read part by part, since the others in it are not needed. */
  readonly isDivided?: ((name: string) => boolean) | undefined;
}

interface ScopeTerms extends TrialTerms {
  readonly random: Random;
}

const NONE: FirstValues = new Map();

/**
 * Creates a scope. Names are looked up in this order: the values of the terms, variables that were set,
 * the environment, responses of named requests, variables of TypeScript cells, responses by the names of httpYac.
 */
export function createScope(
  state: ScopeState,
  { first = NONE, random, entries = [], isCheck = false, isDivided }: ScopeTerms,
): Scope {
  const { options, variables, responses, requests, logins } = state.parts;
  const get = (name: string): Value | undefined => {
    // `null` is a value as well.
    if (first.has(name)) return first.get(name);
    const value = isDivided?.(name) ? undefined : variables.lookUp(name);
    if (value !== undefined) return value;
    if (variables.isKnown(name))
      return isCheck ? variables.references.trialOf(name, variables) : undefined;
    const answer = responses.valueOf(name);
    if (answer !== undefined) return answer;
    const ofCell = variables.cells.lookUp(name);
    return ofCell === undefined ? responses.responseOf(name) : ofCell;
  };
  const outside = (source: Outside, name: string): ReturnType<typeof readOutside> => {
    const found = readOutside(source, name, state);
    const isWaiting =
      isCheck &&
      "message" in found &&
      variables.references.isWaiting(`$${source} ${name}`, variables);
    if (isWaiting) return { value: STAND_IN };
    if ("value" in found && isSecretName(name)) variables.hide(found.value);
    return found;
  };
  const context = {
    random,
    now: options.now ?? ((): Date => new Date()),
    outside,
    variable: get,
    answer: get,
    faker: () => (isCheck && state.faker.isElsewhere ? undefined : state.faker.faker),
    login: (argument: string) =>
      isCheck ? logins.check(argument, scope) : logins.valueOf(argument, scope),
  };
  const scope: Scope = {
    get,
    has: (name) => get(name) !== undefined,
    reference: (text) => variables.references.of(text),
    keys: () =>
      new Set([
        ...first.keys(),
        ...variables.values.keys(),
        ...(variables.references.known.size === 0
          ? []
          : variables.references.waitingNames(variables)),
        ...responses.names(),
        ...variables.cells.names(),
      ]),
    generate: (placeholder) => generateValue(placeholder, context),
    isWhole: (name) =>
      first.has(name) ||
      variables.isKnown(name) ||
      responses.get(name)?.request.name === name ||
      requests.get(name)?.draft.name === name,
    partOf: (name, steps) => (first.has(name) ? undefined : variables.partOf(name, steps)),
    explain: (name, steps = []) => {
      const late = first.explain?.(name) ?? variables.explain(name);
      if (late !== undefined) return late;
      const isNamed = entries.some((entry) => entry.kind === "request" && nameOf(entry) === name);
      if (isNamed || requests.get(name) !== undefined) return explainUnsent(name);
      if (isPrompted(name, entries)) return PROMPTED;
      const ofCell = variables.cells.explain(name);
      if (ofCell !== undefined) return ofCell;
      const script = requests.explainScript(name) ?? explainByScript(name, entries);
      if (script !== undefined) return script;
      return (
        explainOtherWay(name, steps, state) ??
        explainEnvironments(name, state.environment, scope.keys())
      );
    },
  };
  return scope;
}

/** What to write for the ways in which other tools and shells name a variable. */
function explainOtherWay(
  name: string,
  steps: readonly (string | number)[],
  { parts, environment }: ScopeState,
): Explanation | undefined {
  const message = `there is no variable "${name}"`;
  const [first, second, ...more] = steps.map(String);
  const write = (way: string): Explanation => ({ message, hint: `Write {{${way}}}` });
  if (name === "process" && first === "env" && second !== undefined && more.length === 0) {
    return write(`$env.${second}`);
  }
  // Insomnia's templates.
  if (name === "_" && first !== undefined)
    return write(first + steps.slice(1).map(stepText).join(""));
  const isDefined = environment?.choices.some(({ variables }) => variables.has(name)) === true;
  if (isDefined || !Object.hasOwn(parts.options.processEnv ?? {}, name)) return undefined;
  return { message, hint: `Write {{$env.${name}}} for the variable of the process` };
}

const LISTED = 8;

/**
 * Explains that a variable may be missing since no environment, or another one, was chosen.
 *
 * @param known The names of the variables that there are.
 * @returns Nothing where the environments have nothing to do with it.
 */
function explainEnvironments(
  name: string,
  environment: LoadedEnvironment | undefined,
  known: Iterable<string>,
): Explanation | undefined {
  const { name: chosen, choices = [], names = [] } = environment ?? {};
  const [first] = names;
  const defining = choices.filter(({ variables }) => variables.has(name));
  if (first === undefined || (defining.length === 0 && nearNames(name, known).length > 0)) return;
  const message = `there is no variable "${name}"`;
  const best = defining[0]?.environment ?? first;
  if (chosen !== undefined) {
    if (defining.length === 0) return;
    const others = listed(defining.map((choice) => choice.environment));
    const verb = others.includes(",") ? "have" : "has";
    return { message, hint: `The environment in use is "${chosen}"; ${others} ${verb} it` };
  }
  const inCell = /\s/.test(best) ? "" : ` (in a cell: %env ${best})`;
  const choose = `with --env ${quoted(best)}${inCell}`;
  const files = [...new Set(choices.map(({ file }) => file))].join(", ");
  const hint =
    names.length === 1
      ? `The only environment in ${files} is "${first}"; choose it ${choose}`
      : `Environments in ${files}: ${listed(names)}; choose one ${choose}`;
  return { message, hint };
}

function listed(names: readonly string[]): string {
  const different = [...new Set(names)];
  const shown = different.slice(0, LISTED).map((name) => JSON.stringify(name));
  const more = different.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** A name as a shell takes it. */
function quoted(name: string): string {
  return /^[\w.@:/-]+$/.test(name) ? name : JSON.stringify(name);
}

const PROMPTED: Explanation = {
  message: "it is asked for when the request is sent",
  hint: "Send the request, or set the variable",
};

/** The texts of a preview are not among those that were sent. */
function explainByScript(name: string, entries: readonly Entry[]): Explanation | undefined {
  const texts = new Map(entries.map((entry) => [entry.source, entry]));
  return [...texts.values()]
    .map((text) => scriptVariables(text).explanations.get(name))
    .find(Boolean);
}

function isPrompted(name: string, entries: readonly Entry[]): boolean {
  const requests = entries.filter((entry) => entry.kind === "request");
  return requests.flatMap(promptsOf).some((prompt) => prompt.name === name);
}

/** Reads a value that is not a variable of the client: of `{{$env …}}`, `{{$dotenv …}}` and `{{$shared …}}`. */
function readOutside(source: Outside, name: string, { parts, environment }: ScopeState): Generated {
  if (source === "process") {
    const { processEnv } = parts.options;
    if (processEnv === undefined) {
      const message = "this client does not know the environment of the process";
      return { message, hint: "Give createClient processEnv" };
    }
    const value = Object.hasOwn(processEnv, name) ? processEnv[name] : undefined;
    if (value !== undefined) return { value };
    return { message: `the environment of the process has no variable "${name}"` };
  }
  if (environment === undefined) {
    const hint = "await client.useEnv() reads them";
    return { message: "no environment files have been read", hint };
  }
  const place = source === "dotenv" ? 'the file ".env"' : 'the environment "$shared"';
  const missing = { message: `${place} has no variable "${name}"` };
  return parts.variables.ofFile(source, name) ?? missing;
}

/** A prompt for a value. */
export interface Question {
  /** The variable that gets the answer. */
  readonly name: string;
  /** The question. */
  readonly description: string;
  /** Whether the answer is hidden while it is typed. */
  readonly secret: boolean;
  /** The value of an empty answer. */
  readonly defaultValue?: string | undefined;
}

/** Where a client gets values that are not variables. */
export interface ScopeOptions {
  /**
   * Asks a person for a value, for `# @prompt name` and `{{$input …}}`; `undefined` means no answer.
   * Without it such values have to be variables.
   *
   * @example
   * ```ts
   * const lab = createClient({ ask: async ({ description }) => `answer to ${description}` });
   * const exchange = await lab.send(`
   * # @prompt who Your name
   * GET http://127.0.0.1:8787/echo?who={{who}}`);
   * exchange.request.writtenUrl; // "http://127.0.0.1:8787/echo?who=answer to Your name"
   * ```
   */
  readonly ask?: ((question: Question) => Promise<string | undefined>) | undefined;
  /**
   * The environment of the process, for `{{$env.NAME}}` and `{{$processEnv NAME}}`.
   *
   * @example
   * ```ts
   * const lab = createClient({ processEnv: { STAGE: "test" } });
   * lab.render("GET http://localhost/{{$env.STAGE}}").url; // "http://localhost/test"
   * ```
   */
  readonly processEnv?: { readonly [name: string]: string | undefined } | undefined;
  /**
   * Makes generated values repeatable: clients with the same seed generate the same values, in order.
   * It does not affect the time; `now` does.
   *
   * @example
   * ```ts
   * const numbers = (seed: string) => createClient({ seed }).render("GET http://x/{{$randomInt}}").url;
   * numbers("a") === numbers("a"); // true
   * ```
   */
  readonly seed?: number | string | undefined;
  /**
   * The clock of `{{$timestamp}}` and other dates.
   *
   * @example
   * ```ts
   * const lab = createClient({ now: () => new Date("2024-01-31T12:00:00Z") });
   * lab.render("GET http://x/{{$datetime \"YYYY-MM-DD\" 1 M}}").url; // "http://x/2024-02-29"
   * ```
   */
  readonly now?: (() => Date) | undefined;
  /**
   * Loads `@faker-js/faker` when a text first asks for realistic data, such as
   * `{{$faker.person.firstName}}`: `() => import("@faker-js/faker")`. `undefined` means that it cannot be
   * loaded here but may be where the text is sent: `check` then accepts such data.
   */
  readonly loadFaker?: (() => Promise<unknown>) | undefined;
  /**
   * Variables of the program, such as those of TypeScript cells. A placeholder finds one if nothing else has its
   * name; its value is read whenever it is used.
   *
   * @example
   * ```ts
   * const lab = createClient({ cellVariables: new Map([["page", { limit: 3 }]]) });
   * lab.render("GET http://localhost/?limit={{page.limit}}").url; // "http://localhost/?limit=3"
   * lab.origin("page"); // { kind: "typescript", secret: false }
   * ```
   */
  readonly cellVariables?: Pick<ReadonlyMap<string, unknown>, "get" | "has" | "keys"> | undefined;
  /** Writes a file, for `save`. */
  readonly writeFile?: ((path: string, text: string) => Promise<void>) | undefined;
  /**
   * The folder of environment files, or several, the nearest first: its values take precedence. The working
   * folder by default. Messages name files of the first of several folders without it.
   */
  readonly environmentFolder?: string | readonly string[] | undefined;
}

/** The tokens of JetBrains' `{{$auth.token("name")}}`, from `Security.Auth` of an environment file. */
export interface Logins {
  /** Gets the tokens that placeholders need, as far as the settings of their logins are known. */
  prepare(
    placeholders: readonly GeneratedPlaceholder[],
    scope: Scope,
    signal?: AbortSignal,
  ): Promise<void>;
  /** The token, or why there is none. */
  valueOf(argument: string, scope: Scope): Generated;
  /** Like {@link Logins.valueOf}, with a stand-in for a token that can be obtained. */
  check(argument: string, scope: Scope): Generated;
}
