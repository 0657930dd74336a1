import { parseJson } from "../../exchange/mod.ts";
import {
  isReachableName,
  nearNames,
  parseTemplate,
  renderTemplate,
  type Scope,
  type Value,
} from "../../interpolation/mod.ts";
import { isSecretName } from "../../request/mod.ts";
import { parseDotenv } from "./dotenv.ts";
import { checkEnvironmentName } from "./environment-name.ts";
import type { EnvironmentVariable } from "./environment-variable.ts";
import { EnvironmentError } from "./errors.ts";
import { SECURITY, withLogins } from "./logins.ts";
import { fromTagged } from "./typed-values.ts";

/** What the files of a folder say about one environment. */
export interface LoadedEnvironment {
  /** The name that was asked for. */
  readonly name: string | undefined;
  readonly variables: ReadonlyMap<string, EnvironmentVariable>;
  /** What `{{$dotenv NAME}}` finds. */
  readonly dotenv: ReadonlyMap<string, string>;
  /** What `{{$shared NAME}}` finds. */
  readonly shared: ReadonlyMap<string, Value>;
  /** The files that were there. */
  readonly files: readonly string[];
  /** Every environment that the files name. */
  readonly names: readonly string[];
  /** Names that no placeholder can reach, for a person to read. */
  readonly warnings: readonly string[];
}

/** Where environments are looked for, and with what their placeholders are filled. */
export interface EnvironmentSource {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** The folder, with the slash behind it; empty for the working folder. */
  readonly folder: string;
  /** What placeholders in values may name, beside the variables of the environment. */
  readonly scope: (
    dotenv: ReadonlyMap<string, string>,
    shared: ReadonlyMap<string, Value>,
  ) => Scope;
}

/** Later files go before earlier ones. */
const FILES: readonly {
  readonly name: string;
  readonly secret: boolean;
  readonly typed: boolean;
}[] = [
  { name: "http-client.env.json", secret: false, typed: false },
  { name: "http-client.private.env.json", secret: true, typed: false },
  { name: "restlab.env.json", secret: false, typed: true },
  { name: "restlab.private.env.json", secret: true, typed: true },
];
const SHARED = "$shared";
/** Such files are written by hand. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Reads the environment files of a folder: `.env` and `.env.NAME`, then those of JetBrains and our
 * own, `$shared` before the environment that was asked for, public before private.
 *
 * @throws {EnvironmentError} What was asked for is no name, no file has an environment of that name, or a
 * file is broken.
 */
export async function loadEnvironment(
  name: string | undefined,
  source: EnvironmentSource,
): Promise<LoadedEnvironment> {
  if (name !== undefined) checkEnvironmentName(name);
  const texts = await readAll(
    [".env", ...(name ? [`.env.${name}`] : []), ...FILES.map((it) => it.name)],
    source,
  );
  const found = new Map<string, EnvironmentVariable>();
  const dotenv = new Map<string, string>();
  for (const [file, text] of texts) {
    if (!file.startsWith(".env")) continue;
    for (const [key, value] of parseDotenv(text)) {
      dotenv.set(key, value);
      found.set(key, { value, secret: isSecretName(key), file: source.folder + file });
    }
  }
  const shared = new Map<string, Value>();
  const sections = FILES.flatMap((file) => {
    const text = texts.get(file.name);
    return text === undefined ? [] : [{ ...file, environments: parseFile(file, text) }];
  });
  for (const environment of [SHARED, ...(name === undefined ? [] : [name])]) {
    for (const { name: file, secret, environments } of sections) {
      for (const [key, value] of Object.entries(environments[environment] ?? {})) {
        const variable = { value, secret, file: source.folder + file, environment };
        found.set(key, key === SECURITY ? withLogins(variable, found.get(key)) : variable);
        if (environment === SHARED) shared.set(key, value);
      }
    }
  }
  const names = [...new Set(sections.flatMap(({ environments }) => Object.keys(environments)))];
  const files = [...texts.keys()];
  const own = names.filter((one) => one !== SHARED);
  if (name !== undefined && !own.includes(name) && !files.includes(`.env.${name}`)) {
    throw unknownEnvironment(name, own, files, source.folder);
  }
  const warnings = [...found.keys()]
    .filter((key) => !isReachableName(key))
    .map((key) => `No placeholder can reach the variable "${key}" of "${found.get(key)?.file}"`);
  return {
    name,
    variables: fillValues(found, source.scope(dotenv, shared)),
    dotenv,
    shared,
    files: files.map((file) => source.folder + file),
    names: own,
    warnings,
  };
}

async function readAll(
  files: readonly string[],
  { readFile, folder }: EnvironmentSource,
): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(
    files.map(async (file): Promise<readonly [string, string][]> => {
      try {
        const bytes = await readFile(folder + file);
        if (bytes.length > MOST_BYTES)
          throw new RangeError(`it is larger than ${MOST_BYTES} bytes`);
        return [[file, new TextDecoder().decode(bytes)]];
      } catch (cause) {
        if (isAbsent(cause)) return [];
        const state = cause instanceof Error ? cause.message : String(cause);
        throw new EnvironmentError(`Cannot read "${folder}${file}": ${state}`, { cause });
      }
    }),
  );
  return new Map(texts.flat());
}

/** The code of Node and Bun, and the name of Deno, for a file that is not there. */
export function isAbsent(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return code === "ENOENT" || code === "ENOTDIR" || name === "NotFound";
}

type Environments = Readonly<Record<string, Readonly<Record<string, Value>>>>;

function parseFile({ name, typed }: (typeof FILES)[number], text: string): Environments {
  try {
    const read = parseJson(text.replace(/^\uFEFF/, "")) as Value;
    if (!isObject(read)) throw new TypeError("it holds no object of environments");
    for (const [environment, variables] of Object.entries(read)) {
      if (!isObject(variables))
        throw new TypeError(`its environment "${environment}" is no object`);
    }
    return (typed ? fromTagged(read) : read) as Environments;
  } catch (cause) {
    // The place is told, and not what stands there: that may be a secret, of which nobody knows yet.
    const state = (cause as Error).message
      .replace("Cannot parse the body as JSON", "it is no JSON")
      .replace(/: near [\s\S]*$/, "");
    throw new EnvironmentError(`Cannot use "${name}": ${state}`);
  }
}

function isObject(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unknownEnvironment(
  name: string,
  names: readonly string[],
  files: readonly string[],
  folder: string,
): EnvironmentError {
  const action = `Cannot use the environment "${name}"`;
  if (files.length === 0) {
    const wanted = [".env", ...FILES.map((file) => file.name)].map((file) => `"${folder}${file}"`);
    return new EnvironmentError(`${action}: none of its files is there, ${wanted.join(", ")}`);
  }
  const near = nearNames(name, names);
  const known = names.length === 0 ? "no file names any" : `there are ${names.join(", ")}`;
  const hint = near.length > 0 ? `. Did you mean "${near[0]}"?` : "";
  return new EnvironmentError(`${action}: ${known}${hint}`);
}

/** Fills placeholders in values, once, in whatever order they refer to each other. */
function fillValues(
  found: ReadonlyMap<string, EnvironmentVariable>,
  outer: Scope,
): ReadonlyMap<string, EnvironmentVariable> {
  const filled = new Map<string, EnvironmentVariable>();
  const open = new Set<string>();
  const fill = (name: string): EnvironmentVariable | undefined => {
    const variable = found.get(name);
    const done = filled.get(name);
    if (variable === undefined || done !== undefined) return done;
    if (open.has(name)) {
      const way = [...open, name].join(" → ");
      throw new EnvironmentError(`Cannot use "${variable.file}": values refer in a circle, ${way}`);
    }
    open.add(name);
    const result = { ...variable, value: fillValue(variable) };
    open.delete(name);
    filled.set(name, result);
    return result;
  };
  const scope: Scope = {
    ...outer,
    get: (name) => fill(name)?.value ?? outer.get(name),
    has: (name) => found.has(name) || outer.has(name),
    keys: () => [...found.keys(), ...outer.keys()],
  };
  const fillValue = ({ value, file }: EnvironmentVariable): Value => {
    if (typeof value !== "string" || !value.includes("{{")) return value;
    try {
      return renderTemplate(parseTemplate(value), scope, "text");
    } catch (cause) {
      if (cause instanceof EnvironmentError) throw cause;
      throw new EnvironmentError(`Cannot use "${file}": ${(cause as Error).message}`, { cause });
    }
  };
  for (const name of found.keys()) fill(name);
  return filled;
}
