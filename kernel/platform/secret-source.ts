import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, parse } from "node:path";
import process from "node:process";
import type { SecretFetcher, SecretReference, SecretRequest } from "../../lib/mod.ts";
import { findHome, userFolder } from "./read-file.ts";
import {
  argumentsOf,
  FIRST_LINE,
  IN_FOLDER,
  ownProgram,
  PROGRAMS,
  partsOf,
  type SecretProgram,
} from "./secret-programs.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How programs are asked. */
interface SecretOptions {
  readonly environment: Environment;
  /** Called with the name of a program that takes more than two seconds. */
  readonly onWaiting?: ((program: string) => void) | undefined;
  /** Whether a program that failed is not asked again. */
  readonly keepsFailures?: boolean | undefined;
  /** Whether the reference stands for its secret, since nothing is sent: in a replay. */
  readonly isReplay?: boolean | undefined;
}

/** What can also say where it asks. */
interface ProgramFetcher extends SecretFetcher {
  /** The path of the program that is asked for a reference, or why none is. */
  readonly where: (reference: SecretReference) => Promise<string>;
}

/** The user secrets of ASP.NET Core, which are a file. */
const USER_SECRETS = "aspnet-user-secrets";
const PROXIES = /^(?:https?|all|no)_proxy$/i;
/** Where agents and sessions are found; their names look like those of secrets. */
const PLACES = /^(?:SSH_AUTH_SOCK|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|XDG_\w+)$/;

/**
 * The programs of this machine that fetch secrets: the machine decides which program answers, those of {@link PROGRAMS}
 * and of the user's own settings. They are asked once for a reference, and one at a time for each scheme.
 */
export class SecretPrograms {
  readonly #options: SecretOptions;
  /** The variables of the process, once they are needed. */
  #variables: Environment | undefined;
  readonly #answers = new Map<string, Promise<string>>();
  /** The last one that was asked, by scheme. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #settings: Settings | undefined;

  /** Creates what the sessions of a command share; the programs are looked for when they are needed. */
  constructor(options: SecretOptions) {
    this.#options = options;
  }

  /** What fetches the secrets of clients whose documents are in a folder. */
  in(directory: string): ProgramFetcher {
    const refuse = (reference: SecretReference): string | undefined => {
      if (reference.scheme === USER_SECRETS) return undefined;
      try {
        this.#commandOf(reference, directory);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    return {
      knows: (scheme) => this.#own().mayHave(scheme),
      refuse,
      fetch: async (reference, request) => {
        if (this.#options.isReplay === true) return reference.text;
        if (reference.scheme !== USER_SECRETS)
          return await this.#fetch(reference, directory, request);
        const { readUserSecret } = await import("./user-secrets.ts");
        return readUserSecret(reference.path, directory, this.#environment());
      },
      forget: () => this.#answers.clear(),
      where: async (reference) => {
        if (reference.scheme === USER_SECRETS) return "a file";
        const refused = refuse(reference);
        if (refused !== undefined) return refused;
        const { findProgram } = await import("./ask-program.ts");
        const { name } = this.#commandOf(reference, directory);
        return findProgram(name, this.#environment()) ?? `${name} is not installed`;
      },
    };
  }

  #own(): Settings {
    this.#settings ??= readSettings(this.#environment());
    return this.#settings;
  }

  #environment(): Environment {
    this.#variables ??= withoutFiles(this.#options.environment);
    return this.#variables;
  }

  /** @throws {Error} There is no program for a reference. */
  #commandOf(reference: SecretReference, directory: string): Command {
    const { programs, problem } = this.#own();
    // Another program may be meant.
    if (problem !== undefined) throw new Error(problem);
    const program = programs.get(reference.scheme) ?? PROGRAMS.get(reference.scheme);
    if (program === undefined) throw new Error("its scheme is unknown");
    const parts = partsOf(program, reference, directory);
    const [name = "", ...given] = argumentsOf(program, parts);
    const { scheme } = reference;
    const folder = IN_FOLDER.has(scheme) ? directory : undefined;
    return { program, scheme, name, given, folder, member: parts["member"] };
  }

  #fetch(reference: SecretReference, directory: string, request: SecretRequest): Promise<string> {
    const command = this.#commandOf(reference, directory);
    const { scheme, name, given, folder, member } = command;
    const key = JSON.stringify([name, given, folder, member]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const before = this.#turns.get(scheme);
    const asking = (async () => {
      await before?.catch(() => undefined);
      request.signal?.throwIfAborted();
      return await this.#ask(command, request);
    })();
    this.#answers.set(key, asking);
    this.#turns.set(scheme, asking);
    asking.catch(() => {
      const isKept = this.#options.keepsFailures === true && request.signal?.aborted !== true;
      if (!isKept) this.#answers.delete(key);
    });
    return asking;
  }

  async #ask(
    { program, scheme, name, given, folder, member }: Command,
    { signal, isSecret }: SecretRequest,
  ): Promise<string> {
    const { onWaiting } = this.#options;
    const environment = this.#environment();
    // Loaded by those alone who have references.
    const { askProgram, findProgram, ProgramError } = await import("./ask-program.ts");
    const path = findProgram(name, environment);
    if (path === undefined) {
      throw new Error(
        `"${name}" is not on the PATH of this machine. Install it, or set the variable with --var`,
      );
    }
    const variables = Object.entries(environment).filter(([variable, value = ""]) => {
      const isOwn = program.variables.some((one) => variable.startsWith(one));
      return isOwn || PROXIES.test(variable) || PLACES.test(variable) || !isSecret(variable, value);
    });
    try {
      const printed = await askProgram(path, given, {
        directory: folder ?? neutralFolder(),
        environment: Object.fromEntries(variables),
        signal,
        onWaiting: () => onWaiting?.(name),
      });
      return secretIn(printed, scheme, member);
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      const advice = adviceOn(error.line, program);
      throw new Error(`${[name, ...given].join(" ")} ${error.message}. ${advice}`);
    }
  }
}

/** Bun adds those of `.env` files of the working folder, which must not choose a program, nor where it sends its token. */
function withoutFiles(environment: Environment): Environment {
  if (process.versions["bun"] === undefined) return environment;
  const files = readdirSync(process.cwd()).filter((name) => /^\.env(?:\.|$)/.test(name));
  const texts = files.map((name) => readFileSync(join(process.cwd(), name), "utf8"));
  const names = texts.flatMap((text) => text.match(/[\w.-]+(?=\s*[=:])/g) ?? []);
  const added = new Set(names);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !added.has(name)));
}

/** Not the folder of a document, in which a program could find settings of others. */
function neutralFolder(): string {
  const home = findHome();
  return home !== undefined && existsSync(home) ? home : parse(process.cwd()).root;
}

/** How a program is called for a reference. */
interface Command {
  readonly program: SecretProgram;
  readonly scheme: string;
  readonly name: string;
  readonly given: readonly string[];
  /** The folder of the document, for a program that looks for its settings there. */
  readonly folder: string | undefined;
  /** The member of the JSON that it prints. */
  readonly member: string | undefined;
}

/** The user's own programs. */
interface Settings {
  readonly programs: ReadonlyMap<string, SecretProgram>;
  /** Why they cannot be used. */
  readonly problem?: string;
  /** Whether a scheme is among them, as far as they can be read. */
  readonly mayHave: (scheme: string) => boolean;
}

/** Reads `secrets.json` of the user's own settings, which nobody else may read or write. */
function readSettings(environment: Environment): Settings {
  const path = join(userFolder("config", environment) ?? "/", "secrets.json");
  const programs = new Map<string, SecretProgram>();
  let text = "";
  try {
    const { mode, uid } = statSync(path);
    text = readFileSync(path, "utf8");
    const own = process.getuid?.();
    if (own !== undefined && ((mode & 0o077) !== 0 || uid !== own)) {
      throw new Error(`others can read or write it; chmod 600 ${path}`);
    }
    for (const [scheme, run] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
      const isList =
        Array.isArray(run) && run.length > 0 && run.every((one) => typeof one === "string");
      if (!isList) throw new Error(`"${scheme}" is no list of a program and its arguments`);
      programs.set(scheme, ownProgram(scheme, run));
    }
    return { programs, mayHave: (scheme) => programs.has(scheme) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isAbsent = code === "ENOENT" || code === "ENOTDIR";
    const mayHave = (scheme: string): boolean => text.includes(JSON.stringify(scheme));
    return {
      programs,
      mayHave,
      ...(isAbsent ? {} : { problem: `${path} cannot be used: ${message}` }),
    };
  }
}

/** The secret in what a program has printed, without the line break at its end. */
function secretIn(printed: string, scheme: string, member: string | undefined): string {
  const whole = printed.replace(/\r?\n$/, "");
  // A key in several lines is no password with notes below it.
  const isCut = FIRST_LINE.has(scheme) && !whole.startsWith("-----BEGIN ");
  const text = isCut ? (whole.split(/\r?\n/, 1)[0] ?? "") : whole;
  const secret = member === undefined ? text : memberIn(text, member);
  if (secret === "") throw new Error("its value is empty");
  if (secret.includes("\0")) throw new Error("its value contains NUL");
  return secret;
}

function memberIn(json: string, member: string): string {
  let value: unknown;
  try {
    value = JSON.parse(json)?.[member];
  } catch {
    throw new Error("its value is not JSON");
  }
  if (typeof value === "string") return value;
  throw new Error(`its value has no text "${member}"`);
}

const MISSING =
  /not found|no such|isn't|(?:doesn't|does not|not) exist|not in the|(?:can't|could ?n[o']t) find/i;
const LOCKED = /\block(?:ed)?\b|unlock/i;
const SIGNED_OUT =
  /sign|log(?:ged)?[ -]?[io]n|auth|session|token|expired|credential|denied|forbidden|decrypt/i;

/** What to do about the last line that a program printed. */
function adviceOn(line: string, { signIn }: SecretProgram): string {
  if (MISSING.test(line)) return "Check what the reference names";
  if (LOCKED.test(line)) return `Unlock it: ${signIn}`;
  return SIGNED_OUT.test(line) ? `Sign in: ${signIn}` : "Run it in a terminal to see why";
}
