import type { Explanation, Scope, Value } from "../interpolation/mod.ts";
import {
  type Entry,
  explainUnsent,
  isSecretName,
  nameOf,
  promptsOf,
  scriptVariables,
} from "../request/mod.ts";
import { explainEnvironments, type LoadedEnvironment } from "./environments/mod.ts";
import { type FakerLoader, generateValue, type Outside, type Random } from "./generators/mod.ts";
import type { Logins } from "./logins.ts";
import { readOutside } from "./outside-values.ts";
import type { NamedRequests, ResponseStore } from "./requests/mod.ts";
import type { ScopeOptions } from "./scope-options.ts";
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

/** How one scope differs from the others of its client. */
interface ScopeTerms {
  /** Values that take precedence over all others. */
  readonly first: FirstValues;
  readonly random: Random;
  /** The text, for names that get a value when it is sent. */
  readonly entries?: readonly Entry[];
  /** Whether stand-ins replace the values that exist only when a text is sent. */
  readonly isCheck?: boolean;
}

/**
 * Creates a scope. Names are looked up in this order: the values of the terms, variables that were set,
 * the environment, responses of named requests, variables of TypeScript cells.
 */
export function createScope(
  state: ScopeState,
  { first, random, entries = [], isCheck = false }: ScopeTerms,
): Scope {
  const { options, variables, responses, requests, logins } = state.parts;
  const get = (name: string): Value | undefined => {
    // `null` is a value as well.
    if (first.has(name)) return first.get(name);
    const value = variables.lookUp(name);
    if (value !== undefined || variables.isKnown(name)) return value;
    const answer = responses.valueOf(name);
    return answer === undefined ? variables.cells.lookUp(name) : answer;
  };
  const outside = (source: Outside, name: string): ReturnType<typeof readOutside> => {
    const { environment } = state;
    const found = readOutside(source, name, { processEnv: options.processEnv, environment });
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
    keys: () =>
      new Set([
        ...first.keys(),
        ...variables.values.keys(),
        ...responses.names(),
        ...variables.cells.names(),
      ]),
    generate: (placeholder) => generateValue(placeholder, context),
    explain: (name) => {
      const late = first.explain?.(name) ?? variables.explain(name);
      if (late !== undefined) return late;
      const isNamed = entries.some((entry) => entry.kind === "request" && nameOf(entry) === name);
      if (isNamed || requests.get(name) !== undefined) return explainUnsent(name);
      if (isPrompted(name, entries)) return PROMPTED;
      const ofCell = variables.cells.explain(name);
      if (ofCell !== undefined) return ofCell;
      const script = requests.explainScript(name) ?? explainByScript(name, entries);
      if (script !== undefined) return script;
      return explainEnvironments(name, state.environment, scope.keys());
    },
  };
  return scope;
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
