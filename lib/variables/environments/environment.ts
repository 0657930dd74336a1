import { messageOf, parseJson } from "../../exchange/mod.ts";
import { isReachableName, nearNames, type Scope, type Value } from "../../interpolation/mod.ts";
import { isSecretName } from "../../request/mod.ts";
import { parseDotenv } from "./dotenv.ts";
import { checkEnvironmentName } from "./environment-name.ts";
import type { EnvironmentVariable } from "./environment-variable.ts";
import { EnvironmentError } from "./errors.ts";
import { fillValues } from "./fill-values.ts";
import { isRecord, SECURITY, withLogins } from "./logins.ts";
import { fromTagged } from "./typed-values.ts";

/** An environment, as the files of a folder define it. */
export interface LoadedEnvironment {
  /** The requested name. */
  readonly name: string | undefined;
  readonly variables: ReadonlyMap<string, EnvironmentVariable>;
  /** The values of `{{$dotenv NAME}}`. */
  readonly dotenv: ReadonlyMap<string, string>;
  /** The values of `{{$shared NAME}}`. */
  readonly shared: ReadonlyMap<string, Value>;
  /** The files that exist. */
  readonly files: readonly string[];
  /** All environments in the files. */
  readonly names: readonly string[];
  /** Warnings about names that no placeholder can reach. */
  readonly warnings: readonly string[];
}

/** Where environments are read from, and what fills their placeholders. */
interface EnvironmentSource {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** The folder, with a trailing slash; empty for the working folder. */
  readonly folder: string;
  /** Creates the scope of placeholders in values, besides the variables of the environment. */
  readonly scope: (
    dotenv: ReadonlyMap<string, string>,
    shared: ReadonlyMap<string, Value>,
  ) => Scope;
}

interface EnvironmentFile {
  readonly name: string;
  readonly secret: boolean;
  /** Whether it may contain dates and bigints. */
  readonly typed: boolean;
}

/** Later files take precedence. */
const FILES: readonly EnvironmentFile[] = [
  { name: "http-client.env.json", secret: false, typed: false },
  { name: "http-client.private.env.json", secret: true, typed: false },
  { name: "restlab.env.json", secret: false, typed: true },
  { name: "restlab.private.env.json", secret: true, typed: true },
];
const SHARED = "$shared";
/** Environment files are written by hand: a larger one is a mistake. */
const SIZE_LIMIT = 16 * 1024 * 1024;

/**
 * Reads the environment files of a folder, in order of precedence: `.env` and `.env.NAME`, then those of
 * JetBrains and our own; `$shared` before the named environment, public before private.
 *
 * @throws {EnvironmentError} The name is invalid, no file has an environment of that name, or a file is
 * broken.
 */
export async function loadEnvironment(
  name: string | undefined,
  source: EnvironmentSource,
): Promise<LoadedEnvironment> {
  if (name !== undefined) checkEnvironmentName(name);
  const dotenvFiles = [".env", ...(name ? [`.env.${name}`] : [])];
  const texts = await readAll([...dotenvFiles, ...FILES.map((file) => file.name)], source);
  const sections = FILES.flatMap((file): readonly Section[] => {
    const text = texts.get(file.name);
    return text === undefined ? [] : [{ file, environments: parseFile(file, text) }];
  });
  const files = [...texts.keys()];
  const names = [...new Set(sections.flatMap(({ environments }) => Object.keys(environments)))];
  const own = names.filter((one) => one !== SHARED);
  if (name !== undefined && !own.includes(name) && !files.includes(`.env.${name}`)) {
    throw unknownEnvironment(name, own, files, source.folder);
  }

  const found = new Map<string, EnvironmentVariable>();
  const dotenv = new Map<string, string>();
  for (const file of dotenvFiles) {
    for (const [key, value] of parseDotenv(texts.get(file) ?? "")) {
      dotenv.set(key, value);
      found.set(key, { value, secret: isSecretName(key), file: source.folder + file });
    }
  }
  const shared = new Map<string, Value>();
  for (const environment of [SHARED, ...(name === undefined ? [] : [name])]) {
    for (const [key, variable] of variablesOf(environment, sections, source.folder)) {
      found.set(key, key === SECURITY ? withLogins(variable, found.get(key)) : variable);
      if (environment === SHARED) shared.set(key, variable.value);
    }
  }
  return {
    name,
    variables: fillValues(found, source.scope(dotenv, shared)),
    dotenv,
    shared,
    files: files.map((file) => source.folder + file),
    names: own,
    warnings: unreachableNames(found),
  };
}

/** A file and the environments in it. */
interface Section {
  readonly file: EnvironmentFile;
  readonly environments: Environments;
}

function variablesOf(
  environment: string,
  sections: readonly Section[],
  folder: string,
): readonly (readonly [key: string, variable: EnvironmentVariable])[] {
  return sections.flatMap(({ file: { name, secret }, environments }) =>
    Object.entries(environments[environment] ?? {}).map(
      ([key, value]) => [key, { value, secret, file: folder + name, environment }] as const,
    ),
  );
}

function unreachableNames(found: ReadonlyMap<string, EnvironmentVariable>): readonly string[] {
  return [...found]
    .filter(([key]) => !isReachableName(key))
    .map(([key, { file }]) => `No placeholder can reach the variable "${key}" of "${file}"`);
}

async function readAll(
  files: readonly string[],
  { readFile, folder }: EnvironmentSource,
): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(
    files.map(async (file): Promise<readonly [string, string][]> => {
      try {
        const bytes = await readFile(folder + file);
        if (bytes.length > SIZE_LIMIT) {
          throw new RangeError(`it is larger than ${SIZE_LIMIT} bytes`);
        }
        return [[file, new TextDecoder().decode(bytes)]];
      } catch (cause) {
        if (isAbsent(cause)) return [];
        throw new EnvironmentError(`Cannot read "${folder}${file}": ${messageOf(cause)}`, {
          cause,
        });
      }
    }),
  );
  return new Map(texts.flat());
}

/** Node and Bun give an error for a missing file a code, Deno a name. */
function isAbsent(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return code === "ENOENT" || code === "ENOTDIR" || name === "NotFound";
}

type Environments = Readonly<Record<string, Readonly<Record<string, Value>>>>;

function parseFile({ name, typed }: EnvironmentFile, text: string): Environments {
  try {
    const read = parseJson(text.replace(/^\uFEFF/, "")) as Value;
    if (!isRecord(read)) throw new TypeError("it is not a JSON object of environments");
    for (const [environment, variables] of Object.entries(read)) {
      if (!isRecord(variables)) {
        throw new TypeError(`its environment "${environment}" is not an object`);
      }
    }
    return (typed ? fromTagged(read) : read) as Environments;
  } catch (cause) {
    // The message must not quote the text, which may be a secret that is not known yet.
    const state = (cause as Error).message
      .replace("Cannot parse the body as JSON", "it is not valid JSON")
      .replace(/: near [\s\S]*$/, "");
    throw new EnvironmentError(`Cannot use "${name}": ${state}`);
  }
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
    return new EnvironmentError(`${action}: none of its files exists: ${wanted.join(", ")}`);
  }
  const near = nearNames(name, names);
  const known = names.length === 0 ? "no file defines any" : `the files define ${names.join(", ")}`;
  const hint = near.length > 0 ? `. Did you mean "${near[0]}"?` : "";
  return new EnvironmentError(`${action}: ${known}${hint}`);
}
