import type { GeneratedPlaceholder, Placeholder, Scope, Value } from "../interpolation/mod.ts";
import type { EnvironmentFolder, LoadedEnvironment } from "./environment.ts";
import { EnvironmentError } from "./errors.ts";
import { createFakerLoader } from "./faker.ts";
import { createRandom, needsOf } from "./generated.ts";
import { createScope, type ScopeParts, type ScopeState, type TrialTerms } from "./scope.ts";

type Values = ReadonlyMap<string, Value>;

/** What a client fills placeholders with. */
export interface Scopes {
  /**
   * The scope for a request that is sent.
   *
   * @param answers Answers to prompts; they take precedence over all other values.
   */
  sending(answers?: Values): Scope;
  /** The scope for a preview or a check: it does not affect the generated values of later requests. */
  trial(terms?: TrialTerms): Scope;
  /** Loads what rendering needs and cannot wait for: realistic data, `.env`; `undefined` if it needs nothing. */
  prepare(placeholders: readonly Placeholder[]): Promise<void> | undefined;
  /** Does what {@link Scopes.prepare} does, and gets the tokens that the text takes from logins. */
  prepareSending(
    placeholders: readonly Placeholder[],
    signal?: AbortSignal,
  ): Promise<void> | undefined;
  useEnvironment(name: string | undefined, folder: string | undefined): Promise<LoadedEnvironment>;
  readonly state: { readonly environment: LoadedEnvironment | undefined };
}

/** Creates the scopes of a client. */
export function createScopes(parts: ScopeParts): Scopes {
  const { options, logins } = parts;
  const random = createRandom(options.seed);
  const faker = createFakerLoader(options.loadFaker);
  const state: ScopeState = { parts, faker, environment: undefined };

  const sending = (answers?: Values): Scope => createScope(state, { first: answers, random });

  async function useEnvironment(
    name: string | undefined,
    folder: string | undefined,
  ): Promise<LoadedEnvironment> {
    const environment = await readEnvironment(options, name, folder, sending());
    state.environment = environment;
    parts.variables.useEnvironment(environment);
    return environment;
  }

  function load(
    placeholders: readonly Placeholder[],
    logIn?: (tokens: readonly GeneratedPlaceholder[]) => Promise<void>,
  ): Promise<void> | undefined {
    parts.variables.retry();
    const { faker: needsFaker, files, tokens } = needsOf(placeholders);
    const hasFiles = files && state.environment === undefined && options.readFile !== undefined;
    const logsIn = tokens.length > 0 && logIn !== undefined;
    if (!needsFaker && !hasFiles && !logsIn) return undefined;
    return (async () => {
      if (needsFaker) await faker.load();
      if (hasFiles) await useEnvironment(undefined, undefined);
      if (logsIn) await logIn(tokens);
    })();
  }

  return {
    sending,
    trial: (terms) => {
      parts.variables.retry();
      return createScope(state, { ...terms, random: random.fork() });
    },
    prepare: (placeholders) => load(placeholders),
    prepareSending: (placeholders, signal) =>
      load(placeholders, (tokens) => logins.prepare(tokens, sending(), signal)),
    useEnvironment,
    state,
  };
}

async function readEnvironment(
  options: ScopeParts["options"],
  name: string | undefined,
  folder: string | undefined,
  scope: Scope,
): Promise<LoadedEnvironment> {
  if (options.readFile === undefined) {
    throw new EnvironmentError(
      "Cannot use an environment: this client has no access to files; give createClient a readFile function",
    );
  }
  const { loadEnvironment } = await import("./environment.ts");
  return await loadEnvironment(name, {
    readFile: options.readFile,
    processEnv: options.processEnv ?? {},
    folders: foldersOf(folder ?? options.environmentFolder ?? ""),
    scope,
  });
}

function foldersOf(folders: string | readonly string[]): readonly EnvironmentFolder[] {
  const withSlash = (path: string): string =>
    path === "" || /[\\/]$/.test(path) ? path : `${path}/`;
  if (typeof folders === "string") {
    return [{ path: withSlash(folders), shown: withSlash(folders) }];
  }
  return folders.map((folder, index) => {
    const path = withSlash(folder);
    return { path, shown: index === 0 ? "" : path };
  });
}
