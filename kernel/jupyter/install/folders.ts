import {
  chmodSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { findHome, makeFolder } from "../../platform/mod.ts";

/** Where a kernel spec goes. */
export type Scope =
  | { readonly kind: "user" }
  /** The environment of Jupyter: a virtual environment, conda's, or the system's. */
  | { readonly kind: "sys-prefix" }
  | { readonly kind: "prefix"; readonly directory: string };

/** The system that the folders depend on, passed in so that each can be tested on any. */
export interface SystemContext {
  /** As `process.platform` names it. */
  readonly system: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly directory: string;
  readonly home?: string;
}

/** Finds the folder of the kernel specs; throws as {@link dataFolder} does. */
export function kernelsFolder(scope: Scope, context: SystemContext): string {
  return join(dataFolder(scope, context), "kernels");
}

/**
 * Finds the data folder of Jupyter, which contains kernel specs and extensions.
 *
 * @throws Error if `sys-prefix` finds no Jupyter, or the user has no home directory.
 * @see https://docs.jupyter.org/en/latest/use/jupyter-directories.html#data-files
 */
export function dataFolder(scope: Scope, context: SystemContext): string {
  if (scope.kind === "user") return userDataFolder(context);
  const prefix =
    scope.kind === "prefix" ? resolve(context.directory, scope.directory) : systemPrefix(context);
  return join(prefix, "share", "jupyter");
}

/** Finds a program on the PATH. */
export function findProgram(name: string, context: SystemContext): string | undefined {
  const { environment, system } = context;
  const isWindows = system === "win32";
  const path = environment["PATH"] ?? environment["Path"] ?? "";
  const endings = isWindows ? [".exe", ".cmd", ".bat"] : [""];
  for (const folder of path.split(isWindows ? ";" : ":")) {
    if (folder === "") continue;
    for (const ending of endings) {
      const file = join(folder, `${name}${ending}`);
      if (isFile(file)) return file;
    }
  }
  return undefined;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // A path that cannot be read cannot be started either.
    return false;
  }
}

/** Finds the Jupyter on the PATH. */
export function findJupyter(context: SystemContext): string | undefined {
  const names = ["jupyter", "jupyter-lab", "jupyter-notebook", "jupyter-console"];
  return names.map((name) => findProgram(name, context)).find((file) => file !== undefined);
}

function userDataFolder({ system, environment, home = findHome() }: SystemContext): string {
  const chosen = environment["JUPYTER_DATA_DIR"];
  if (chosen !== undefined && chosen !== "") return chosen;
  if (home === undefined) {
    throw new Error(
      "Finding the user's kernel specs failed: this user has no home directory; use --prefix DIR, or " +
        "set HOME or JUPYTER_DATA_DIR",
    );
  }
  const make = USER_DATA[system];
  if (make !== undefined) return make(environment, home);
  const shared = environment["XDG_DATA_HOME"] || join(home, ".local", "share");
  return join(shared, "jupyter");
}

type MakeFolder = (environment: SystemContext["environment"], home: string) => string;

const USER_DATA: Readonly<Record<string, MakeFolder>> = {
  darwin: (_environment, home) => join(home, "Library", "Jupyter"),
  win32: ({ APPDATA }, home) => join(APPDATA || join(home, "AppData", "Roaming"), "jupyter"),
};

function systemPrefix(context: SystemContext): string {
  const { VIRTUAL_ENV, CONDA_PREFIX } = context.environment;
  if (VIRTUAL_ENV) return VIRTUAL_ENV;
  if (CONDA_PREFIX) return CONDA_PREFIX;
  const jupyter = findJupyter(context);
  // The program is in `bin` of its environment, even if it is linked elsewhere.
  if (jupyter !== undefined) return dirname(dirname(realpathSync(jupyter)));
  throw new Error(
    "Finding the prefix of Jupyter failed: no environment is active and no jupyter is on the " +
      "PATH; activate the environment, or name its folder with --prefix",
  );
}

/**
 * The permissions of what is installed, which a umask may reduce. Whoever can write a kernel spec
 * decides what its user starts; those in a prefix must be readable by others.
 */
export interface Permissions {
  readonly folder: number;
  readonly file: number;
}

const USER: Permissions = { folder: 0o700, file: 0o600 };
const SHARED: Permissions = { folder: 0o755, file: 0o644 };

/** The permissions of what is installed in a scope. */
export function permissionsOf({ kind }: Scope): Permissions {
  return kind === "user" ? USER : SHARED;
}

/** Creates a folder; an existing one loses any other permissions. */
export function makeOwnFolder(path: string, permissions: Permissions): void {
  makeFolder(path, permissions.folder);
  limit(path, permissions.folder);
}

/** Creates or replaces a file. Overwriting an existing one would keep its permissions. */
export function writeOwnFile(
  path: string,
  data: string | Uint8Array,
  permissions: Permissions,
): void {
  const draft = `${path}.${process.pid}.part`;
  rmSync(draft, { force: true });
  writeFileSync(draft, data, { mode: permissions.file, flag: "wx" });
  renameSync(draft, path);
}

/** Removes any other permissions from all files of a folder; programs stay executable. */
export function limitTree(folder: string, permissions: Permissions): void {
  limit(folder, permissions.folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) limitTree(path, permissions);
    else if (entry.isFile()) limit(path, permissions.folder);
  }
}

function limit(path: string, permissions: number): void {
  const { mode } = statSync(path);
  if ((mode & 0o777 & ~permissions) !== 0) chmodSync(path, mode & permissions);
}
