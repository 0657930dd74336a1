import type { Placeholder, Scope, Value } from "../interpolation/mod.ts";
import { placeholdersOf, referenceOfLine } from "../request/mod.ts";
import type { LoadedEnvironment } from "./environment.ts";
import { EnvironmentError } from "./errors.ts";
import { createFakerLoader } from "./faker.ts";
import { createRandom, needsOf } from "./generated.ts";
import type { SentText } from "./references.ts";
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
  /**
   * Does what {@link Scopes.prepare} does, and gets the secrets that the text takes from references, and its tokens of
   * logins.
   *
   * @throws {SecretError} A secret cannot be fetched.
   */
  prepareSending(sent: SentText): Promise<void> | undefined;
  /** Uses the values of a scope in a text that is read only then; secrets that are missing are fetched. */
  withSecrets<T>(scope: Scope, use: (scope: Scope) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The value of a variable, once the secrets that it is made of are there. */
  fetchValue(name: string): Promise<Value | undefined>;
  useEnvironment(name: string | undefined, folder: string | undefined): Promise<LoadedEnvironment>;
  readonly state: { readonly environment: LoadedEnvironment | undefined };
}

/** Creates the scopes of a client. */
export function createScopes(parts: ScopeParts): Scopes {
  const { options, logins, variables } = parts;
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

  const trial = (terms?: TrialTerms): Scope => {
    variables.retry();
    return createScope(state, { ...terms, random: random.fork() });
  };

  const values = { variables, trial };

  function load(placeholders: readonly Placeholder[], sent?: SentText): Promise<void> | undefined {
    variables.retry();
    const { faker: needsFaker, files, tokens } = needsOf(placeholders);
    const hasFiles = files && state.environment === undefined && options.readFile !== undefined;
    const logsIn = sent !== undefined && tokens.length > 0;
    // Lines of the text become known by this.
    for (const entry of sent?.entries ?? [])
      if (entry.kind === "assignment") referenceOfLine(entry, sending());
    const { references } = variables;
    const mayWait = sent !== undefined && references.known.size > 0;
    const isReady = !mayWait || !references.isNeededBy(sent, values);
    if (!needsFaker && !hasFiles && !logsIn && isReady) return undefined;
    return (async () => {
      if (needsFaker) await faker.load();
      if (hasFiles) await useEnvironment(undefined, undefined);
      if (sent === undefined) return;
      await references.fetchFor(sent, values);
      if (logsIn) await logins.prepare(tokens, sending(), sent.signal);
    })();
  }

  return {
    sending,
    trial,
    prepare: (placeholders) => load(placeholders),
    prepareSending: (sent) =>
      load([...sent.entries.flatMap(placeholdersOf), ...sent.placeholders], sent),
    withSecrets: (scope, use, signal) => variables.references.during(scope, use, values, signal),
    fetchValue: (name) => variables.references.valueOf(name, values),
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
  const { foldersOf, loadEnvironment } = await import("./environment.ts");
  return await loadEnvironment(name, {
    readFile: options.readFile,
    processEnv: options.processEnv ?? {},
    folders: foldersOf(folder ?? options.environmentFolder ?? ""),
    scope,
  });
}
