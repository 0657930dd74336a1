import { isVariableName, messageOf, nearNames, type Scope, shorten } from "../interpolation/mod.ts";
import { isSecretName } from "../request/mod.ts";
import { type Dotenv, readDotenv } from "./dotenv.ts";
import {
  dotenvNames,
  type EnvironmentFile,
  FILES,
  type JsonNode,
  parseEnvironments,
  readVariable,
  type Section,
  SHARED,
} from "./environment-file.ts";
import {
  headersOf,
  headersToGive,
  isHeaders,
  privateTexts,
  withSecret,
} from "./environment-headers.ts";
import { SECURITY } from "./environment-logins.ts";
import {
  type EnvironmentVariable,
  fillLate,
  lateVariable,
  withLogins,
} from "./environment-values.ts";
import { EnvironmentError } from "./errors.ts";

/** An environment, as the files of some folders define it. */
export interface LoadedEnvironment {
  /** The requested name. */
  readonly name: string | undefined;
  readonly variables: ReadonlyMap<string, EnvironmentVariable>;
  /** The variables of `{{$dotenv NAME}}`. */
  readonly dotenv: ReadonlyMap<string, EnvironmentVariable>;
  /** The variables of `{{$shared NAME}}`. */
  readonly shared: ReadonlyMap<string, EnvironmentVariable>;
  /** The files that exist. */
  readonly files: readonly string[];
  /** All environments in the files. */
  readonly names: readonly string[];
  /** The environments of each file that has some, with the names of their variables. */
  readonly choices: readonly EnvironmentChoice[];
  /** Warnings about names that no placeholder can write, and about lines of `.env`, with file and line. */
  readonly warnings: readonly string[];
  /** The headers of each request that does not have them. */
  readonly headers: ReturnType<typeof headersToGive>;
  /** Values of secret names that are inserted in others, and texts of private headers, which are no variables. */
  readonly secrets: readonly string[];
}

/** An environment that a file defines. */
interface EnvironmentChoice {
  readonly file: string;
  readonly environment: string;
  readonly variables: ReadonlySet<string>;
}

/** A folder of environment files. */
export interface EnvironmentFolder {
  /** The folder, with a trailing slash; empty for the working folder. */
  readonly path: string;
  /** What messages write before the name of a file in it. */
  readonly shown: string;
}

/** The folders that the option `environmentFolder` names, the nearest first. */
export function foldersOf(folders: string | readonly string[]): readonly EnvironmentFolder[] {
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

/** Where environments are read from, and what fills their placeholders. */
interface EnvironmentSource {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** The variables of the process, for references in `.env`. */
  readonly processEnv: Readonly<Record<string, string | undefined>>;
  /** The folders, the nearest first: its values take precedence. */
  readonly folders: readonly EnvironmentFolder[];
  /** What fills the placeholders in values, when they are used. */
  readonly scope: Scope;
}

/** Environment files are written by hand: a larger one is a mistake. */
const SIZE_LIMIT = 16 * 1024 * 1024;

/**
 * Reads the environment files of some folders, each folder in order of precedence: `.env` and `.env.NAME`, then
 * those of editors and our own; `$shared` before the named environment, public before private. What a
 * nearer folder says goes before what a farther one says.
 *
 * @throws {EnvironmentError} No file has an environment of that name, or a file cannot be read.
 */
export async function loadEnvironment(
  name: string | undefined,
  source: EnvironmentSource,
): Promise<LoadedEnvironment> {
  const folders = await Promise.all(
    source.folders.map((folder) => readFolder(folder, name, source)),
  );
  const sections = folders.flatMap((folder) => folder.sections);
  const files = folders.flatMap((folder) => folder.files);
  const choices = sections.flatMap(({ shown, environments }) =>
    [...environments].flatMap(([environment, entries]) =>
      environment === SHARED || typeof entries === "number"
        ? []
        : [
            {
              file: shown,
              environment,
              variables: new Set([...entries.keys()].filter((name) => !isHeaders(name))),
            },
          ],
    ),
  );
  const names = [...new Set(choices.map(({ environment }) => environment))];
  const hasOwnFile = folders.some((folder) => folder.hasNamedDotenv);
  const isDefined = sections.some(({ environments }) => environments.has(name ?? SHARED));
  if (name !== undefined && !isDefined && !hasOwnFile) {
    checkEnvironmentName(name);
    throw unknownEnvironment(name, names, files, source.folders);
  }

  const dotenv = expandDotenv(folders.toReversed(), source);
  const found: Tables = { variables: new Map(), dotenv: new Map(), shared: new Map() };
  const headers = [SHARED, ...(name === undefined ? [] : [name])]
    .flatMap((environment) =>
      folders.toReversed().flatMap((folder) => headersOf(environment, folder.sections)),
    )
    .map((header) => withSecret(header, source.scope, found.shared));
  for (const folder of folders.toReversed()) {
    for (const variable of dotenv.variables.get(folder) ?? []) put(variable, found, "dotenv");
    for (const variable of variablesOf(SHARED, folder.sections)) put(variable, found, "shared");
    if (name === undefined) continue;
    for (const variable of variablesOf(name, folder.sections)) put(variable, found);
  }
  const fill = (table: Table): Table =>
    new Map(Array.from(table, ([key, variable]) => [key, fillLate(variable, source.scope)]));
  return {
    name,
    variables: fill(found.variables),
    dotenv: fill(found.dotenv),
    shared: fill(found.shared),
    files,
    names,
    choices,
    warnings: [...unreachableNames(found.variables), ...dotenv.warnings],
    headers: headersToGive(headers),
    secrets: [...dotenv.secrets, ...headers.flatMap(privateTexts)],
  };
}

type Table = ReadonlyMap<string, EnvironmentVariable>;

/** The variables as placeholders name them: `{{name}}`, `{{$dotenv name}}` and `{{$shared name}}`. */
type Tables = Readonly<Record<"variables" | "dotenv" | "shared", Map<string, EnvironmentVariable>>>;

/** Puts a variable in the place of the previous one of its name. */
function put(
  variable: EnvironmentVariable,
  found: Tables,
  table: "dotenv" | "shared" | undefined = undefined,
): void {
  const { name } = variable;
  if (table !== undefined) found[table].set(name, withReplaced(variable, found[table].get(name)));
  const before = found.variables.get(name);
  const isLogins = name === SECURITY && variable.environment !== undefined;
  found.variables.set(
    name,
    isLogins ? withLogins(variable, before) : withReplaced(variable, before),
  );
}

function withReplaced(
  variable: EnvironmentVariable,
  replaced: EnvironmentVariable | undefined,
): EnvironmentVariable {
  return replaced === undefined ? variable : { ...variable, replaced };
}

/** What the files of one folder contain. */
interface FolderContent {
  readonly files: readonly string[];
  readonly dotenv: readonly { readonly file: string; readonly text: string }[];
  readonly hasNamedDotenv: boolean;
  readonly sections: readonly Section[];
}

async function readFolder(
  folder: EnvironmentFolder,
  name: string | undefined,
  { readFile }: EnvironmentSource,
): Promise<FolderContent> {
  // A name of a JSON file may have characters that no file name may have.
  const named = name !== undefined && isFileName(name) ? dotenvNames(name) : [];
  const read = async (file: string): Promise<string | undefined> =>
    await readText(folder.path + file, folder.shown + file, readFile);
  const readDotenv = async (
    file: string,
  ): Promise<{ readonly text: string | undefined; readonly file: string }> => ({
    text: await read(file),
    file: folder.shown + file,
  });
  const [common, own, texts] = await Promise.all([
    Promise.all(dotenvNames().map(readDotenv)),
    Promise.all(named.map(readDotenv)),
    Promise.all(FILES.map((file) => read(file.name))),
  ]);
  const sections = FILES.flatMap((file, index): readonly Section[] => {
    const shown = folder.shown + file.name;
    const text = texts[index];
    const environments = text === undefined ? undefined : parseEnvironments(file, text, shown);
    return environments === undefined ? [] : [{ file, shown, environments }];
  });
  const dotenvFiles = [...common, ...own].filter(({ text }) => text !== undefined);
  return {
    files: [...dotenvFiles.map(({ file }) => file), ...sections.map(({ shown }) => shown)],
    dotenv: dotenvFiles.map(({ text = "", file }) => ({ text, file })),
    hasNamedDotenv: own.some(({ text }) => text !== undefined),
    sections,
  };
}

/** Reads the `.env` files of all folders, where a value may refer to those that were read before. */
function expandDotenv(
  folders: readonly FolderContent[],
  { processEnv, scope }: EnvironmentSource,
): Pick<LoadedEnvironment, "warnings" | "secrets"> & {
  readonly variables: ReadonlyMap<FolderContent, readonly EnvironmentVariable[]>;
} {
  const before: Record<string, string> = Object.create(null);
  const isReference = (value: string): boolean => scope.reference?.(value) !== undefined;
  const warnings: string[] = [];
  const secrets: string[] = [];
  const read = ({
    file,
    text,
  }: FolderContent["dotenv"][number]): readonly EnvironmentVariable[] => {
    const found = readExpanded(file, text, processEnv, before, isReference);
    for (const { line, message } of found.warnings) warnings.push(`${file}:${line}: ${message}`);
    secrets.push(...found.secrets);
    return found.variables.map((variable) => {
      before[variable.name] = variable.value;
      return { ...variable, secret: isSecretName(variable.name), file };
    });
  };
  const variables = new Map(folders.map((folder) => [folder, folder.dotenv.flatMap(read)]));
  return { variables, warnings, secrets };
}

function readExpanded(file: string, ...given: Parameters<typeof readDotenv>): Dotenv {
  try {
    return readDotenv(...given);
  } catch (cause) {
    throw new EnvironmentError(`Cannot use "${file}": ${messageOf(cause)}`, { cause });
  }
}

function variablesOf(
  environment: string,
  sections: readonly Section[],
): readonly EnvironmentVariable[] {
  return sections.flatMap(({ file, shown, environments }) => {
    const entries = environments.get(environment) ?? [];
    if (typeof entries === "number") {
      throw new EnvironmentError(
        `Cannot use the environment "${environment}": "${environment}" of ${shown} is not an object (line ${entries}). ` +
          `Write {"${environment}": {"name": "value"}}`,
      );
    }
    const variables = [...entries].filter(([name]) => !isHeaders(name));
    return variables.map(([name, node]) => {
      const place = { name, secret: file.secret, file: shown, line: node.line, environment };
      return { ...place, ...readValue(file, node, place) };
    });
  });
}

/** One value that cannot be read does not make the others unusable: it is complained about when it is used. */
function readValue(
  file: EnvironmentFile,
  node: JsonNode,
  place: { readonly file: string; readonly line: number },
): Pick<EnvironmentVariable, "value" | "late"> {
  try {
    return { value: readVariable(file, node) };
  } catch {
    return { late: lateVariable(place, [], () => readVariable(file, node)) };
  }
}

function unreachableNames(found: ReadonlyMap<string, EnvironmentVariable>): readonly string[] {
  return [...found]
    .filter(([name]) => !isVariableName(name) && !name.startsWith("$"))
    .map(([, variable]) => explainUnreachable(variable));
}

/** Other tools' settings have a dollar sign; any other name that cannot be written is a mistake. */
function explainUnreachable({ name, file, line, environment }: EnvironmentVariable): string {
  const near = name.replace(/[^\p{L}\p{M}\p{Nd}_-]+/gu, "_").replace(/^(?![\p{L}_])/u, "_");
  const source =
    environment === undefined ? "$dotenv" : environment === SHARED ? "$shared" : undefined;
  const way =
    source === undefined || /[{}\r\n]/.test(name) ? "" : `, or write {{${source} ${name}}}`;
  return `${file}:${line}: No placeholder can name the variable ${JSON.stringify(shorten(name))}: a name is a letter or _, then letters, digits, _ and -. Rename it, for example to "${shorten(near)}"${way}`;
}

async function readText(
  path: string,
  shown: string,
  readFile: EnvironmentSource["readFile"],
): Promise<string | undefined> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > SIZE_LIMIT) throw new RangeError(`it is larger than ${SIZE_LIMIT} bytes`);
    return new TextDecoder().decode(bytes);
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw new EnvironmentError(`Cannot read "${shown}": ${messageOf(cause)}`, { cause });
  }
}

/** Node and Bun give an error for a missing file a code, Deno a name. */
function isAbsent(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return code === "ENOENT" || code === "ENOTDIR" || name === "NotFound";
}

function unknownEnvironment(
  name: string,
  names: readonly string[],
  files: readonly string[],
  folders: readonly EnvironmentFolder[],
): EnvironmentError {
  const action = `Cannot use the environment "${name}"`;
  if (files.length === 0) {
    const wanted = [...dotenvNames(name), ...FILES.map((file) => file.name)].join(", ");
    const searched = folders.map(({ path }) => `"${path === "" ? "." : path}"`).join(", ");
    return new EnvironmentError(`${action}: none of its files (${wanted}) exists in ${searched}`);
  }
  const near = nearNames(name, names, MOST_NAMED);
  const isMany = names.length > MOST_NAMED * 2;
  const some = isMany ? (near.length > 0 ? near : names).slice(0, MOST_NAMED) : names;
  const listed = `${isMany ? `${names.length}, among them ` : ""}${some.join(", ")}`;
  const known = names.length === 0 ? "no file defines any" : `the files define ${listed}`;
  const hint = near.length > 0 ? `. Did you mean "${near[0]}"?` : "";
  return new EnvironmentError(`${action}: ${known}${hint}`);
}

/** So many environments are named, if there are more than twice as many. */
const MOST_NAMED = 5;

/** The name is part of a file name, `.env.NAME`. */
const NAME = /^(?!\.)(?!.*\.\.)[\p{L}\p{M}\p{N} ._@+&,()-]{1,100}$/u;

/** Whether a name may be part of the name of a file. */
function isFileName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Refuses names that would lead to a file in another folder.
 *
 * @throws {EnvironmentError} It is not the name of an environment.
 */
function checkEnvironmentName(name: string): void {
  if (isFileName(name)) return;
  throw new EnvironmentError(
    `Cannot use the environment ${JSON.stringify(shorten(name, 100))}: a name has up to 100 letters, digits, ` +
      "blanks and . _ - + @ & , ( ), no dot at its beginning and no two dots in a row",
  );
}
