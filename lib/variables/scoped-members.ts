import type { Value } from "../interpolation/mod.ts";
import { parseWrittenJson } from "../json/mod.ts";
import {
  type CheckFault,
  entriesOf,
  expandText,
  namedRequests,
  type ParsedText,
  type PreparedText,
  type PrepareOptions,
  parseEntries,
  parseText,
  placeholdersOf,
  prepareText,
  readText,
  skipScripts,
} from "../request/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { LoadedEnvironment } from "./environment.ts";
import type { Imports } from "./named-requests.ts";
import type { Prompter } from "./prompts.ts";
import type { NamedSecret } from "./references.ts";
import type { Responses } from "./responses.ts";
import type { SavedVariables } from "./save-variables.ts";
import type { ScopeParts } from "./scope.ts";
import type { Scopes } from "./scopes.ts";
import type { Origin } from "./variables.ts";

/** What the members of a client about names work with. */
export interface ScopedParts {
  readonly scopes: Scopes;
  readonly prompter: Prompter;
  readonly imports: Imports;
  readonly parts: ScopeParts;
  /** Reads the headers of requests that do not have them. */
  readonly defaultHeaders: () => PrepareOptions["headers"];
  /** Completes targets that are paths. */
  readonly baseUrl: string | undefined;
}

/** Creates the members of a client that are about names. */
export function createScopedMembers(given: ScopedParts, secrets: Secrets): ScopedClient {
  const { scopes, prompter, imports, parts } = given;
  const { options, variables, responses, requests } = parts;
  return {
    get responses() {
      return responses.all;
    },
    get environment() {
      return scopes.state.environment === undefined ? undefined : toInfo(scopes.state.environment);
    },
    origin(name) {
      const found = variables.origin(name);
      const isFirst = found !== undefined && found.kind !== "typescript";
      if (isFirst || responses.get(name) === undefined) return found;
      return { kind: "answer", secret: false };
    },
    useEnv: async (name, { folder } = {}) => toInfo(await scopes.useEnvironment(name, folder)),
    needs: (text) =>
      prompter.unanswered(typeof text === "string" ? parseEntries(text) : entriesOf(text)),
    define: (text, { runsScripts = false, firstLine } = {}) => {
      requests.noteScripts({ source: text, firstLine }, runsScripts);
      const entries = entriesOf(parseText(text, firstLine));
      requests.add(namedRequests(runsScripts ? entries : entries.map(skipScripts)));
    },
    prepare: async (text, checkOptions = {}) => {
      const parsed = typeof text === "string" ? readText(text, checkOptions.firstLine) : text;
      await imports.load(parsed);
      const { entries } = expandText(parsed, imports.options);
      await scopes.prepare(entries.flatMap(placeholdersOf));
      return prepareParsed(parsed, checkOptions, given, secrets);
    },
    check: (text, checkOptions = {}) => {
      const parsed = typeof text === "string" ? readText(text, checkOptions.firstLine) : text;
      return prepareParsed(parsed, checkOptions, given, secrets).faults;
    },
    fetchVar: (name) => scopes.fetchValue(name),
    namedSecrets: () => variables.references.named(variables),
    forgetSecrets: () => variables.forgetSecrets(),
    save: async (path) => {
      const file = await import("./save-variables.ts");
      return file.saveVariables(path, variables, options, secrets.mask);
    },
    load: async (path) => {
      const file = await import("./save-variables.ts");
      return file.loadVariables(path, variables, options.readFile);
    },
  };
}

/** Finds the faults of a text, without those of files that are not loaded. */
export function prepareParsed(
  text: ParsedText,
  checkOptions: CheckTextOptions,
  { scopes, imports, parts, defaultHeaders, baseUrl }: Omit<ScopedParts, "prompter">,
  secrets: Secrets,
): PreparedText {
  const { variables, requests } = parts;
  const { references } = variables;
  const waiting = references.known.size === 0 ? [] : references.waiting();
  const prepared = prepareText(text, scopes.trial({ isCheck: true }), {
    ...checkOptions,
    deferred: [...(checkOptions.deferred ?? []), ...requests.setForEach(), ...waiting],
    hasRequest: (name) => requests.get(name) !== undefined,
    imports: imports.options,
    madeOf: (name) => variables.madeOf(name),
    parseJson: parseWrittenJson,
    headers: defaultHeaders(),
    baseUrl,
  });
  // What was rendered may have a stand-in for a secret, which is not sent.
  const ready = waiting.length > 0 ? { ...prepared, rendered: undefined } : prepared;
  if (ready.faults.length === 0) return ready;
  secrets.learn({ kind: "source", text: text.source }, "person");
  return { ...ready, faults: ready.faults.map((fault) => withoutSecrets(fault, secrets)) };
}

/** Faults quote URLs and bodies with their values, and are shown in editors and CI logs. */
function withoutSecrets(fault: CheckFault, { mask }: Secrets): CheckFault {
  const { message, hint } = fault;
  return { ...fault, message: mask(message), ...(hint === undefined ? {} : { hint: mask(hint) }) };
}

function toInfo({ name, names, files, variables, warnings }: LoadedEnvironment): EnvironmentInfo {
  const info = { names, files, variables: [...variables.keys()], warnings };
  return name === undefined ? info : { name, ...info };
}

/** The environment in use. */
export interface EnvironmentInfo {
  /** Its name; absent when only `$shared` is in use. */
  readonly name?: string | undefined;
  /** All environments in the files. */
  readonly names: readonly string[];
  /** The files that were read. */
  readonly files: readonly string[];
  /** The names of its variables. */
  readonly variables: readonly string[];
  /** Warnings about what could not be used. */
  readonly warnings: readonly string[];
}

/** Options of `useEnv`. */
export interface UseEnvOptions {
  /** The folder of the files; by default that of the client. */
  readonly folder?: string | undefined;
}

/** Options of `check`. */
export interface CheckTextOptions {
  /** Whether a file exists; without it, files are not checked. */
  readonly hasFile?: ((path: string) => boolean) | undefined;
  /** Names that will have a value when the text is sent. */
  readonly deferred?: Iterable<string> | undefined;
  /** Whether the scripts of the text are run when it is sent, so that their variables have values. */
  readonly runsScripts?: boolean | undefined;
  /** The line of its file on which the text begins; 1 by default. */
  readonly firstLine?: number | undefined;
}

/** The members of a client about names: responses, environments, prompts, checks. */
export interface ScopedClient {
  /**
   * The latest exchange of each named request, by its name.
   *
   * @example
   * ```ts
   * await client.send(`
   * # @name first
   * GET http://127.0.0.1:8787/users/1`);
   * client.responses.first.status; // 200
   * client.render("DELETE http://127.0.0.1:8787/users/{{first.response.body.id}}").url; // "http://127.0.0.1:8787/users/1"
   * ```
   */
  readonly responses: Responses;
  /** The environment in use, or `undefined` if none was chosen. */
  readonly environment: EnvironmentInfo | undefined;
  /**
   * Returns where the value of a name comes from; `undefined` for an unknown name.
   *
   * @example
   * ```ts
   * const lab = createClient();
   * lab.setVar("token", "a-long-token", { secret: true });
   * lab.origin("token"); // { kind: "set", secret: true }
   * lab.origin("other"); // undefined
   * ```
   */
  origin(name: string): Origin | undefined;
  /**
   * Reads the environment files of a folder and replaces the variables of the environment in use.
   * Variables that were set stay and take precedence.
   *
   * @param name An environment in the files; by default only the `$shared` variables are used.
   * @throws {EnvironmentError} No file has the environment, or a file is broken.
   * @example
   * ```ts
   * const file = JSON.stringify({ dev: { base: "http://localhost:8787" } });
   * const readFile = async (path: string) => {
   *   if (path === "http-client.env.json") return new TextEncoder().encode(file);
   *   throw Object.assign(new Error("no such file"), { code: "ENOENT" });
   * };
   * const lab = createClient({ readFile });
   * (await lab.useEnv("dev")).variables; // ["base"]
   * lab.render("GET {{base}}/users").url; // "http://localhost:8787/users"
   * lab.origin("base"); // { kind: "environment", file: "http-client.env.json", environment: "dev", secret: false }
   * ```
   */
  useEnv(name?: string, options?: UseEnvOptions): Promise<EnvironmentInfo>;
  /**
   * Returns the names of values that the requests of a text prompt for, by `# @prompt` and the like,
   * while no variable has them and nobody can be asked.
   *
   * @throws {RequestSyntaxError} The text is not a request.
   * @throws {TemplateSyntaxError} A placeholder is broken.
   * @example
   * ```ts
   * client.needs("# @prompt otp\nGET http://localhost/{{otp}}"); // ["otp"]
   * ```
   */
  needs(text: string | ParsedText): readonly string[];
  /**
   * Registers the named requests of a text, so that `# @ref name` can send them. Nothing is sent.
   *
   * @param options Whether their scripts may run, only for a text that a person has written; its line in its file.
   * @throws {RequestSyntaxError} The text is not a request.
   * @throws {TemplateSyntaxError} A placeholder is broken.
   */
  define(text: string, options?: Pick<CheckTextOptions, "runsScripts" | "firstLine">): void;
  /**
   * Loads what {@link Client.render} and {@link Client.check} need and cannot wait for: realistic data, `.env`, and
   * the files that a text imports. `send` does this itself.
   *
   * @returns The text with all its faults. `sendAll` refuses it if it has errors, and sends what has been rendered.
   */
  prepare(text: string | ParsedText, options?: CheckTextOptions): Promise<PreparedText>;
  /**
   * Returns all faults of a text, without using the network.
   *
   * @param text A request text, or one that {@link readText} has parsed, which is not parsed again.
   * @example
   * ```ts
   * const faults = client.check("GET http://localhost/{{nobody}}\nHost: a\nHost: b");
   * faults.map(({ line, code }) => [line, code]); // [[1, "name"], [3, "header"]]
   * ```
   */
  check(text: string | ParsedText, options?: CheckTextOptions): readonly CheckFault[];
  /**
   * Writes the variables that were set to a file, with their types. Secrets are never written; their
   * names are returned.
   *
   * @param path The file; `restlab.vars.json` by default.
   * @throws {EnvironmentError} The file cannot be written, or the client has no access to files.
   */
  save(path?: string): Promise<SavedVariables>;
  /**
   * Sets the variables that `save` wrote.
   *
   * @param path The file; `restlab.vars.json` by default.
   * @throws {EnvironmentError} The file cannot be read, or was not written by `save`.
   */
  load(path?: string): Promise<SavedVariables>;
  /**
   * Returns the value of a variable as `getVar` does, and fetches the secrets that it is made of before.
   *
   * @param name The variable, whose value may be a reference such as `op://Private/api/token`.
   * @throws {SecretError} A secret cannot be fetched.
   * @example
   * ```ts
   * const lab = createClient();
   * lab.setVar("id", 7);
   * await lab.fetchVar("id"); // 7
   * ```
   */
  fetchVar(name: string): Promise<Value | undefined>;
  /** The variables that name secrets by references; nothing is fetched. */
  namedSecrets(): readonly NamedSecret[];
  /**
   * Forgets the secrets that references such as `op://Private/api/token` name: the next request that uses one fetches
   * it again.
   *
   * @returns How many there were.
   */
  forgetSecrets(): number;
}
