import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { findHome } from "../../platform/mod.ts";

/** Where a kernel spec goes. */
export type Scope =
  | { readonly kind: "user" }
  /** The environment of the Jupyter at hand: a virtual one, conda's, or the system's. */
  | { readonly kind: "sys-prefix" }
  | { readonly kind: "prefix"; readonly directory: string };

/** What the place depends on; passed in, so that every system can be tested on any. */
export interface Surroundings {
  /** As `process.platform` names it. */
  readonly system: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly directory: string;
  readonly home?: string;
}

/**
 * The folder that holds kernel specs.
 *
 * @throws Error where `sys-prefix` has nothing to go by, or a user no home.
 * @see https://docs.jupyter.org/en/latest/use/jupyter-directories.html#data-files
 */
export function kernelsFolder(scope: Scope, surroundings: Surroundings): string {
  if (scope.kind === "user") return join(userDataFolder(surroundings), "kernels");
  const prefix =
    scope.kind === "prefix"
      ? resolve(surroundings.directory, scope.directory)
      : systemPrefix(surroundings);
  return join(prefix, "share", "jupyter", "kernels");
}

/** The full path of a program on the PATH. */
export function findProgram(name: string, surroundings: Surroundings): string | undefined {
  const { environment, system } = surroundings;
  const isWindows = system === "win32";
  const path = environment["PATH"] ?? environment["Path"] ?? "";
  const endings = isWindows ? [".exe", ".cmd", ".bat"] : [""];
  for (const folder of path.split(isWindows ? ";" : delimiter)) {
    if (folder === "") continue;
    for (const ending of endings) {
      const file = join(folder, `${name}${ending}`);
      if (existsSync(file)) return file;
    }
  }
  return undefined;
}

/** The Jupyter that a person would start from here. */
export function findJupyter(surroundings: Surroundings): string | undefined {
  const names = ["jupyter", "jupyter-lab", "jupyter-notebook", "jupyter-console"];
  for (const name of names) {
    const found = findProgram(name, surroundings);
    if (found !== undefined) return found;
  }
  return undefined;
}

function userDataFolder({ system, environment, home = findHome() }: Surroundings): string {
  const chosen = environment["JUPYTER_DATA_DIR"];
  if (chosen !== undefined && chosen !== "") return chosen;
  if (home === undefined) {
    throw new Error(
      "Finding the user's folder for kernels failed: this user has no home directory; give --prefix DIR, or set HOME or JUPYTER_DATA_DIR",
    );
  }
  const make = USER_DATA[system];
  if (make !== undefined) return make(environment, home);
  const shared = environment["XDG_DATA_HOME"] || join(home, ".local", "share");
  return join(shared, "jupyter");
}

type MakeFolder = (environment: Surroundings["environment"], home: string) => string;

const USER_DATA: Readonly<Record<string, MakeFolder>> = {
  darwin: (_environment, home) => join(home, "Library", "Jupyter"),
  win32: ({ APPDATA }, home) => join(APPDATA || join(home, "AppData", "Roaming"), "jupyter"),
};

function systemPrefix(surroundings: Surroundings): string {
  const { VIRTUAL_ENV, CONDA_PREFIX } = surroundings.environment;
  if (VIRTUAL_ENV) return VIRTUAL_ENV;
  if (CONDA_PREFIX) return CONDA_PREFIX;
  const jupyter = findJupyter(surroundings);
  // The program lies in `bin` of its environment, whatever link leads to it.
  if (jupyter !== undefined) return dirname(dirname(realpathSync(jupyter)));
  throw new Error(
    "Finding the prefix of Jupyter failed: no environment is active and no jupyter is on the " +
      "PATH; activate the environment, or name its folder with --prefix",
  );
}
