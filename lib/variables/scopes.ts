import type { Explanation, Generated, Scope, Value } from "../interpolation/mod.ts";
import { type Entry, isSecretName, promptsOf } from "../request/mod.ts";
import { EnvironmentError, type LoadedEnvironment, loadEnvironment } from "./environments/mod.ts";
import type { Faker } from "./generators/mod.ts";
import { createRandom, generateValue, type Outside, type Random } from "./generators/mod.ts";
import type { Logins } from "./logins.ts";
import { explainUnsent, type NamedRequests } from "./named-requests.ts";
import type { ResponseStore } from "./responses.ts";
import { needsOf } from "./scope-needs.ts";
import type { ScopeOptions } from "./scope-options.ts";
import type { VariableStore } from "./variables.ts";

type Values = ReadonlyMap<string, Value>;

/** What a client has to fill placeholders with. */
export interface Scopes {
  /** What is sent is rendered with this; `answers` go before everything. */
  sending(answers?: Values): Scope;
  /**
   * As {@link Scopes.sending}, and no generated value of a later sending changes by it.
   *
   * @param assigned Values that go before everything.
   * @param entries The text, for names that there will be a value for when it is sent.
   */
  preview(assigned: Values, entries?: readonly Entry[]): Scope;
  /** As {@link Scopes.preview}, with a stand-in for each token that is got when a text is sent. */
  checking(): Scope;
  /** Loads what rendering needs and cannot wait for: realistic data, `.env`. */
  prepare(entries: readonly Entry[]): Promise<void>;
  /** As {@link Scopes.prepare}, and gets the tokens that the text takes from logins. */
  prepareSending(entries: readonly Entry[], signal?: AbortSignal): Promise<void>;
  useEnvironment(name: string | undefined, folder: string | undefined): Promise<LoadedEnvironment>;
  readonly environment: LoadedEnvironment | undefined;
}

/** What scopes are made of. */
export interface ScopeParts {
  readonly options: ScopeOptions & {
    readonly readFile?: (path: string) => Promise<Uint8Array>;
  };
  readonly variables: VariableStore;
  readonly responses: ResponseStore;
  readonly requests: NamedRequests;
  readonly logins: Logins;
}

const NONE: Values = new Map();

/**
 * Creates the scopes of a client. A name is looked for in this order: answers to questions,
 * variables that were set, the environment, answers of named requests.
 */
export function createScopes(parts: ScopeParts): Scopes {
  const { options, variables, responses, requests, logins } = parts;
  const random = createRandom(options.seed);
  let environment: LoadedEnvironment | undefined;
  let faker: Faker | string = NO_FAKER;
  let isFakerElsewhere = false;
  const values = { login: logins.valueOf, faker: (): Faker | string => faker };
  /** Stand-ins for what there is when a text is sent, and not when it is checked. */
  const standIns = {
    login: logins.check,
    faker: (): Faker | string | undefined => (isFakerElsewhere ? undefined : faker),
  };

  function createScope(
    first: Values,
    source: Random,
    entries: readonly Entry[] = [],
    from: typeof values | typeof standIns = values,
  ): Scope {
    const get = (name: string): Value | undefined =>
      first.get(name) ?? variables.values.get(name) ?? responses.valueOf(name);
    const context = {
      random: source,
      now: options.now ?? ((): Date => new Date()),
      outside: findOutside,
      variable: get,
      answer: get,
      faker: from.faker,
      login: (argument: string) => from.login(argument, scope),
    };
    const scope: Scope = {
      get,
      has: (name) => get(name) !== undefined,
      keys: () => new Set([...first.keys(), ...variables.values.keys(), ...responses.names()]),
      generate: (placeholder) => generateValue(placeholder, context),
      explain: (name) => {
        const isNamed = entries.some((entry) => entry.kind === "request" && entry.name === name);
        if (isNamed || requests.get(name) !== undefined) return explainUnsent(name);
        return isAsked(name, entries) ? ASKED : undefined;
      },
    };
    return scope;
  }

  function findOutside(source: Outside, name: string): Generated {
    const found = OUTSIDE[source]({ options, environment }, name);
    if ("value" in found && isSecretName(name)) variables.hide(found.value);
    return found;
  }

  async function useEnvironment(
    name: string | undefined,
    folder = options.environmentFolder ?? "",
  ): Promise<LoadedEnvironment> {
    const { readFile } = options;
    if (readFile === undefined) {
      throw new EnvironmentError(
        "Cannot use an environment: this client has no access to files; give createClient a readFile function",
      );
    }
    environment = await loadEnvironment(name, {
      readFile,
      folder: folder === "" || /[\\/]$/.test(folder) ? folder : `${folder}/`,
      scope: (dotenv, shared) => {
        // The values of the environment before have no say in those of the next.
        environment = { ...NO_ENVIRONMENT, dotenv, shared };
        variables.useEnvironment(environment.variables);
        return createScope(NONE, random);
      },
    });
    variables.useEnvironment(environment.variables);
    return environment;
  }

  async function loadFaker(): Promise<void> {
    if (typeof faker !== "string" || options.loadFaker === undefined) return;
    try {
      const loaded = await options.loadFaker();
      isFakerElsewhere = loaded === undefined;
      if (!isFakerElsewhere) faker = toFaker(loaded);
    } catch (error) {
      const state = error instanceof Error ? error.message : String(error);
      faker = `loading it failed: ${state.split("\n", 1)[0]}; npm install @faker-js/faker puts it there`;
    }
  }

  async function prepare(entries: readonly Entry[]): Promise<void> {
    const needs = needsOf(entries);
    if (needs.faker) await loadFaker();
    if (needs.files && environment === undefined && options.readFile !== undefined) {
      await useEnvironment(undefined);
    }
  }

  async function prepareSending(entries: readonly Entry[], signal?: AbortSignal): Promise<void> {
    await prepare(entries);
    const { tokens } = needsOf(entries);
    if (tokens.length > 0) await logins.prepare(tokens, createScope(NONE, random), signal);
  }

  return {
    sending: (answers = NONE) => createScope(answers, random),
    preview: (assigned, entries) => createScope(assigned, random.fork(), entries),
    checking: () => createScope(NONE, random.fork(), [], standIns),
    prepare,
    prepareSending,
    useEnvironment,
    get environment() {
      return environment;
    },
  };
}

const NO_FAKER = "nothing loads it: give createClient loadFaker";

const NO_ENVIRONMENT: LoadedEnvironment = {
  name: undefined,
  variables: new Map(),
  dotenv: new Map(),
  shared: new Map(),
  files: [],
  names: [],
  warnings: [],
};

const ASKED: Explanation = {
  message: "it is asked for when the request is sent",
  hint: "Send the request, or set the variable",
};

function isAsked(name: string, entries: readonly Entry[]): boolean {
  const requests = entries.filter((entry) => entry.kind === "request");
  return requests.flatMap(promptsOf).some((prompt) => prompt.name === name);
}

interface OutsideValues {
  readonly options: ScopeOptions;
  readonly environment: LoadedEnvironment | undefined;
}

const OUTSIDE: Readonly<Record<Outside, (from: OutsideValues, name: string) => Generated>> = {
  process: ({ options: { processEnv } }, name) => {
    if (processEnv === undefined) {
      return {
        message: "this client does not know the environment of the process",
        hint: "Give createClient processEnv",
      };
    }
    const value = Object.hasOwn(processEnv, name) ? processEnv[name] : undefined;
    if (value !== undefined) return { value };
    return { message: `the environment of the process has no variable "${name}"` };
  },
  dotenv: ({ environment }, name) => fromFile(environment?.dotenv, name, 'the file ".env"'),
  shared: ({ environment }, name) =>
    fromFile(environment?.shared, name, 'the environment "$shared"'),
};

function fromFile(values: Values | undefined, name: string, place: string): Generated {
  if (values === undefined) {
    return {
      message: "no environment files have been read",
      hint: "await client.useEnv() reads them",
    };
  }
  const value = values.get(name);
  return value === undefined ? { message: `${place} has no variable "${name}"` } : { value };
}

/** The module, its export `faker`, or that of a CommonJS module's default. */
function toFaker(module: unknown): Faker {
  const { faker, default: inner } = module as { faker?: unknown; default?: { faker?: unknown } };
  const found = (faker ?? inner?.faker ?? module) as Partial<Faker> | null;
  if (typeof found?.seed === "function") return found as Faker;
  throw new TypeError("what was loaded is not faker");
}
