import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { kernelsFolder, type Scope, type Surroundings } from "./folders.ts";

/**
 * Finds a kernel spec of another program that one of ours would take the place of: the one in the same
 * folder, or one elsewhere, since a user's own kernels go before those of all.
 *
 * @param name The name of the spec.
 * @returns Its folder.
 */
export function findOtherSpec(
  name: string,
  scope: Scope,
  surroundings: Surroundings,
): string | undefined {
  const folders = [kernelsFolder(scope, surroundings)];
  if (scope.kind === "user") folders.push(...sharedFolders(surroundings));
  return folders.map((folder) => join(folder, name)).find(isOfAnother);
}

/** Whether there is a kernel spec, and restlab has not written it. */
export function isOfAnother(folder: string): boolean {
  const file = join(folder, "kernel.json");
  if (!existsSync(file)) return false;
  try {
    return JSON.parse(readFileSync(file, "utf8"))?.metadata?.restlab === undefined;
  } catch {
    // What is no JSON was not written by us.
    return true;
  }
}

/** Keeps a folder, or a link to one, aside while another takes its place; a failure puts it back. */
export function replaceFolder<T>(folder: string, write: () => T): T {
  const aside = `${folder}.${randomUUID()}`;
  renameSync(folder, aside);
  try {
    const written = write();
    rmSync(aside, { recursive: true });
    return written;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(aside, folder);
    throw error;
  }
}

/** @see https://docs.jupyter.org/en/latest/use/jupyter-directories.html#data-files */
function sharedFolders(surroundings: Surroundings): readonly string[] {
  const { JUPYTER_PATH = "", PROGRAMDATA } = surroundings.environment;
  const isWindows = surroundings.system === "win32";
  const named = JUPYTER_PATH.split(isWindows ? ";" : ":").filter((folder) => folder !== "");
  const system = isWindows
    ? [join(PROGRAMDATA ?? "C:\\ProgramData", "jupyter")]
    : ["/usr/local/share/jupyter", "/usr/share/jupyter"];
  const inData = (folder: string): string => join(folder, "kernels");
  return [...named.map(inData), ...ofEnvironment(surroundings), ...system.map(inData)];
}

function ofEnvironment(surroundings: Surroundings): readonly string[] {
  try {
    return [kernelsFolder({ kind: "sys-prefix" }, surroundings)];
  } catch {
    // There is no Jupyter here that has kernels of its own.
    return [];
  }
}
