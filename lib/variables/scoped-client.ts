import type { CheckFault } from "../request/mod.ts";
import type { Responses } from "./responses.ts";
import type { SavedVariables } from "./save-variables.ts";
import type { Origin } from "./variables.ts";

/** What is known of the environment in use. */
export interface EnvironmentInfo {
  /** Its name; left out where only what all environments share is in use. */
  readonly name?: string;
  /** Every environment that the files name. */
  readonly names: readonly string[];
  /** The files that were read. */
  readonly files: readonly string[];
  /** The variables that come from them. */
  readonly variables: readonly string[];
  /** What could not be used, for a person to read. */
  readonly warnings: readonly string[];
}

/** Options of `useEnv`. */
export interface UseEnvOptions {
  /** The folder of the files; that of the client when left out. */
  readonly folder?: string;
}

/** Options of `check`. */
export interface CheckTextOptions {
  /** Whether there is a file; left out, files are not looked for. */
  readonly hasFile?: (path: string) => boolean;
  /** Names whose values will be there when it is sent. */
  readonly deferred?: Iterable<string>;
}

/** What a client knows of names beside its own variables: answers, environments, questions. */
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
  /** The environment in use, or `undefined` where none was chosen. */
  readonly environment: EnvironmentInfo | undefined;
  /**
   * Says where the value of a name comes from; `undefined` for a name that nothing has.
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
   * Reads the environment files of the folder and puts the variables of one environment in place of
   * those of the environment before. Variables that were set stay and go before them.
   *
   * @param name One of the environments in the files; what all share alone when left out.
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
   * The names of values that the requests of a text ask for, by `# @prompt` and its like, that no
   * variable has, and that there is nobody to ask for.
   *
   * @throws {RequestSyntaxError} The text is no request.
   * @throws {TemplateSyntaxError} A placeholder is broken.
   * @example
   * ```ts
   * client.needs("# @prompt otp\nGET http://localhost/{{otp}}"); // ["otp"]
   * ```
   */
  needs(text: string): readonly string[];
  /**
   * Makes the named requests of a text known, so that `# @ref name` can send them. Nothing is sent.
   *
   * @throws {RequestSyntaxError} The text is no request.
   * @throws {TemplateSyntaxError} A placeholder is broken.
   */
  define(text: string): void;
  /**
   * Loads what rendering a text needs and cannot wait for, realistic data and `.env`, so that
   * `render` has it. `send` does it by itself.
   */
  prepare(text: string): Promise<void>;
  /**
   * Looks for everything that is wrong with a text, at once and without a network.
   *
   * @example
   * ```ts
   * const faults = client.check("GET http://localhost/{{nobody}}\nHost: a\nHost: b");
   * faults.map(({ line, code }) => [line, code]); // [[1, "name"], [3, "header"]]
   * ```
   */
  check(text: string, options?: CheckTextOptions): readonly CheckFault[];
  /**
   * Writes the variables that were set to a file, with their types. Secrets are never written: their
   * names are told.
   *
   * @param path The file; `restlab.vars.json` when left out.
   * @throws {EnvironmentError} The file cannot be written, or the client has no access to files.
   */
  save(path?: string): Promise<SavedVariables>;
  /**
   * Sets the variables that `save` wrote.
   *
   * @param path The file; `restlab.vars.json` when left out.
   * @throws {EnvironmentError} The file cannot be read, or is not one of ours.
   */
  load(path?: string): Promise<SavedVariables>;
}
