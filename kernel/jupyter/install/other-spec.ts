import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { kernelsFolder, type Scope, type SystemContext } from "./folders.ts";

/**
 * Finds a kernel spec of another program that an installation would replace or hide: the one in the
 * same folder, or one elsewhere, since a user's kernels take precedence over shared ones.
 *
 * @param name The name of the spec.
 * @returns Its folder.
 */
export function findOtherSpec(
  name: string,
  scope: Scope,
  context: SystemContext,
): string | undefined {
  const folders = [kernelsFolder(scope, context)];
  if (scope.kind === "user") folders.push(...sharedFolders(context));
  return folders.map((folder) => join(folder, name)).find(isOfAnother);
}

/** Whether a folder contains a kernel spec that restlab did not write. */
export function isOfAnother(folder: string): boolean {
  const file = join(folder, "kernel.json");
  if (!existsSync(file)) return false;
  try {
    return JSON.parse(readFileSync(file, "utf8"))?.metadata?.restlab === undefined;
  } catch {
    // It is not JSON, so restlab did not write it.
    return true;
  }
}

/** Whether restlab has a kernel spec in this place, under any name. */
export function hasOwnSpec(scope: Scope, context: SystemContext): boolean {
  const folder = kernelsFolder(scope, context);
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => {
    const spec = join(folder, name);
    return existsSync(join(spec, "kernel.json")) && !isOfAnother(spec);
  });
}

/** Replaces a folder, or a link to one; restores it if writing the new one fails. */
export function replaceFolder<T>(folder: string, write: () => T): T {
  const backup = `${folder}.${randomUUID()}`;
  renameSync(folder, backup);
  try {
    const written = write();
    rmSync(backup, { recursive: true });
    return written;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(backup, folder);
    throw error;
  }
}

/** @see https://docs.jupyter.org/en/latest/use/jupyter-directories.html#data-files */
function sharedFolders(context: SystemContext): readonly string[] {
  const { JUPYTER_PATH = "", PROGRAMDATA } = context.environment;
  const isWindows = context.system === "win32";
  const named = JUPYTER_PATH.split(isWindows ? ";" : ":").filter((folder) => folder !== "");
  const system = isWindows
    ? [join(PROGRAMDATA ?? "C:\\ProgramData", "jupyter")]
    : ["/usr/local/share/jupyter", "/usr/share/jupyter"];
  const inData = (folder: string): string => join(folder, "kernels");
  return [...named.map(inData), ...ofEnvironment(context), ...system.map(inData)];
}

function ofEnvironment(context: SystemContext): readonly string[] {
  try {
    return [kernelsFolder({ kind: "sys-prefix" }, context)];
  } catch {
    // No Jupyter was found.
    return [];
  }
}
