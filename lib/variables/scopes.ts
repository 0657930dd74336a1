import {
  locate,
  type Placeholder,
  type Reference,
  resolvePlaceholder,
  type Scope,
  type Value,
} from "../interpolation/mod.ts";
import { parseWrittenJson } from "../json/mod.ts";
import {
  type Entry,
  isDisabled,
  LineValues,
  placeholdersOf,
  type RequestDraft,
  referenceOfLine,
  resolveAssignment,
  withGiven,
} from "../request/mod.ts";
import type { EnvironmentFolder, LoadedEnvironment } from "./environment.ts";
import { EnvironmentError } from "./errors.ts";
import { createFakerLoader } from "./faker.ts";
import { createRandom, needsOf } from "./generated.ts";
import { createScope, type ScopeParts, type ScopeState, type TrialTerms } from "./scope.ts";
import type { VariableStore } from "./variables.ts";

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
  /**
   * Uses the values of a scope in a text that is read only then; again if secrets were missing, which are fetched.
   *
   * @throws {SecretError} A secret cannot be fetched.
   */
  withSecrets<T>(
    scope: Scope,
    use: (scope: Scope) => T | Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /**
   * The value of a variable, once the secrets that it is made of are there.
   *
   * @throws {SecretError} One cannot be fetched.
   */
  fetchValue(name: string): Promise<Value | undefined>;
  useEnvironment(name: string | undefined, folder: string | undefined): Promise<LoadedEnvironment>;
  readonly state: { readonly environment: LoadedEnvironment | undefined };
}

/** What is about to be sent. */
interface SentText {
  readonly entries: readonly Entry[];
  /** Those of default headers. */
  readonly placeholders: readonly Placeholder[];
  readonly signal?: AbortSignal | undefined;
  /** Refuses other faults, before a secret is fetched. */
  readonly refuse?: (() => void) | undefined;
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

  function load(placeholders: readonly Placeholder[], sent?: SentText): Promise<void> | undefined {
    variables.retry();
    const { faker: needsFaker, files, tokens } = needsOf(placeholders);
    const hasFiles = files && state.environment === undefined && options.readFile !== undefined;
    const logsIn = sent !== undefined && tokens.length > 0;
    // Lines of the text become known by this.
    for (const entry of sent?.entries ?? [])
      if (entry.kind === "assignment") referenceOfLine(entry, sending());
    const { references } = variables;
    const mayWait = references.known.size > 0 && references.waiting().length > 0;
    const isWaiting = mayWait && sent !== undefined && wantedBy(sent).length > 0;
    if (!needsFaker && !hasFiles && !logsIn && !isWaiting) return undefined;
    return (async () => {
      if (needsFaker) await faker.load();
      if (hasFiles) await useEnvironment(undefined, undefined);
      if (sent === undefined) return;
      if (wantedBy(sent).length > 0) {
        sent.refuse?.();
        await fetchSecrets(() => wantedBy(sent), sent);
      }
      if (logsIn) await logins.prepare(tokens, sending(), sent.signal);
    })();
  }

  /** The references whose secrets a text takes, and that were not fetched yet. */
  function wantedBy({ entries, placeholders }: SentText): readonly Reference[] {
    return variables.references.wantedBy(() => readAll(entries, placeholders));
  }

  /** Reads what requests take from variables and from lines above them. */
  function readAll(entries: readonly Entry[], placeholders: readonly Placeholder[]): void {
    const lines = new LineValues();
    const scope = trial({ first: lines, entries, readsParts: true });
    const read = (one: Placeholder, from: Scope): void => {
      try {
        resolvePlaceholder(one, from);
        if (one.kind === "path" && one.steps.length === 0 && !lines.has(one.name))
          variables.lookUp(one.name);
      } catch {
        // It is broken, which is said where it is rendered.
      }
    };
    for (const one of placeholders) read(one, scope);
    for (const entry of entries) {
      if (entry.kind === "assignment") {
        lines.set({ ...entry, isLazy: true }, scope, (line, own) =>
          resolveAssignment(line, own, { parseJson: parseWrittenJson }),
        );
      } else if (entry.kind === "request" && !isDisabled(entry)) {
        const own = withGiven(entry, scope);
        for (const one of placeholdersOf(entry)) read(one, own);
        const names = Array.from(lines.late.entries(), ([name]) => name);
        for (const name of [...variables.waiting(), ...names]) {
          if (isOfLogin(name, entry)) lines.has(name) ? lines.get(name) : variables.lookUp(name);
        }
      }
    }
  }

  async function fetchSecrets(
    findWanted: () => readonly Reference[],
    { entries = [], signal }: Partial<SentText>,
  ): Promise<void> {
    // A secret may be a part of what names another one.
    for (let wanted = findWanted(); wanted.length > 0; wanted = findWanted()) {
      for (const reference of wanted) {
        const { text } = reference;
        const user = variables.userOf(text) ?? lineOf(text, entries);
        await variables.references.fetch(reference, user, signal ?? options.owner?.());
        variables.refresh(text);
      }
    }
  }

  return {
    sending,
    trial,
    prepare: (placeholders) => load(placeholders),
    prepareSending: (sent) =>
      load([...sent.entries.flatMap(placeholdersOf), ...sent.placeholders], sent),
    async withSecrets(scope, use, signal) {
      const missing = new Set<string>();
      const get: Scope["get"] = (name) => {
        const value = scope.get(name);
        if (value === undefined) missing.add(name);
        return value;
      };
      try {
        return await use({ ...scope, get });
      } catch (error) {
        const findWanted = (): readonly Reference[] =>
          variables.references.wantedBy(() => {
            variables.retry();
            for (const name of missing) scope.get(name);
          });
        if (findWanted().length === 0) throw error;
        await fetchSecrets(findWanted, { signal });
        return await use(scope);
      }
    },
    async fetchValue(name) {
      const findWanted = (): readonly Reference[] =>
        variables.references.wantedBy(() => void variables.lookUp(name));
      variables.retry();
      await fetchSecrets(findWanted, {});
      return variables.get(name);
    },
    useEnvironment,
    state,
  };
}

/** Whether a variable is one of those that `Authorization: oauth2 client_credentials name` names. */
function isOfLogin(name: string, { headers }: RequestDraft): boolean {
  return headers.some((header) => {
    if (header.name.toLowerCase() !== "authorization") return false;
    const found = LOGIN.exec(String(header.value.parts[0]));
    const [, login = "oauth2"] = found ?? [];
    return found !== null && (name === login || name.startsWith(`${login}_`));
  });
}

const LOGIN = /^\s*(?:oauth2|openid)\b(?:\s+\S+)?(?:\s+(\S+))?/i;

/** The variable line whose value is a reference. */
function lineOf(reference: string, entries: readonly Entry[]): ReturnType<VariableStore["userOf"]> {
  const line = entries.find(
    (entry) => entry.kind === "assignment" && entry.value.parts[0] === reference,
  );
  if (line?.kind !== "assignment") return undefined;
  const { line: number } = locate(line, line.span.start);
  return {
    name: line.name,
    place: `${line.file === undefined ? "line " : `${line.file}:`}${number}`,
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
