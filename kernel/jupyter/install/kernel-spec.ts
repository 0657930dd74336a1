import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Runtime, readAsset } from "../../platform/mod.ts";
import { KERNEL_LANGUAGE } from "../../session/cell/mod.ts";
import { KERNEL_VERSION } from "../mod.ts";
import {
  dataFolder,
  findJupyter,
  kernelsFolder,
  makeOwnFolder,
  permissionsOf,
  type Scope,
  type SystemContext,
  writeOwnFile,
} from "./folders.ts";
import { readFrontEndFiles, removeLabExtension, writeLabExtension } from "./front-ends.ts";
import { createLaunch } from "./program.ts";

/** What to install and where. */
export interface InstallOptions {
  readonly scope: Scope;
  /** The runtime of the kernel; the current one by default. */
  readonly runtime?: Runtime["name"];
  /** The name of the spec; `restlab` by default, with the name of a runtime other than Node appended. */
  readonly name?: string;
  /** The name in the launcher. */
  readonly displayName?: string;
  /** Whether to replace the kernel of another program, or hide one of the same name elsewhere. */
  readonly force?: boolean;
}

/** What the installation depends on. */
export interface InstallContext extends SystemContext {
  readonly current: Runtime["name"];
  /** The file of the running program. */
  readonly program: string;
}

/** What was installed. */
interface Installed {
  readonly folder: string;
  readonly name: string;
  readonly displayName: string;
  readonly notes: readonly string[];
  /** Where Jupyter is, if it was found. */
  readonly jupyter: string | undefined;
}

const TITLES: Readonly<Record<Runtime["name"], string>> = {
  node: "restlab",
  deno: "restlab (Deno)",
  bun: "restlab (Bun)",
};

/** The extension of VS Code. */
export const VSIX = "restlab.vsix";

const LOGOS: readonly (readonly [name: string, file: URL])[] = [
  ["logo-svg.svg", new URL("./logo/logo-svg.svg", import.meta.url)],
  ["logo-32x32.png", new URL("./logo/logo-32x32.png", import.meta.url)],
  ["logo-64x64.png", new URL("./logo/logo-64x64.png", import.meta.url)],
];

/**
 * Writes a kernel spec, without Python.
 *
 * @throws Error if the name is invalid or belongs to another program, the runtime is missing, or the
 * folder cannot be written.
 * @see https://jupyter-client.readthedocs.io/en/latest/kernels.html#kernel-specs
 */
export async function installKernelspec(
  options: InstallOptions,
  context: InstallContext,
): Promise<Installed> {
  const runtime = options.runtime ?? context.current;
  const name = checkName(options.name ?? defaultName(runtime));
  const displayName = options.displayName ?? TITLES[runtime];
  const folder = join(kernelsFolder(options.scope, context), name);
  const other = options.force === true ? undefined : findOtherSpec(name, options.scope, context);
  if (other !== undefined) {
    throw new Error(
      `Installing "${name}" failed: "${join(other, "kernel.json")}" belongs to another program; ` +
        "choose another name with --name, or replace it with --force",
    );
  }
  const logos = await Promise.all(
    LOGOS.map(async ([name, file]) => [name, await readAsset(file)] as const),
  );
  const frontEnds = await readFrontEndFiles();
  const write = (): Installed => {
    const permissions = permissionsOf(options.scope);
    makeOwnFolder(folder, permissions);
    const { command, notes } = createLaunch({ runtime, folder, permissions, context });
    writeOwnFile(join(folder, "kernel.js"), frontEnds.kernelScript, permissions);
    writeOwnFile(join(folder, VSIX), frontEnds.vsix, permissions);
    writeLabExtension(dataFolder(options.scope, context), frontEnds, permissions);
    for (const [name, logo] of logos) writeOwnFile(join(folder, name), logo, permissions);
    const spec = {
      argv: [...command, "kernel", "--connection-file", "{connection_file}"],
      display_name: displayName,
      language: KERNEL_LANGUAGE,
      interrupt_mode: "message",
      metadata: { debugger: false, restlab: { version: KERNEL_VERSION, runtime } },
    };
    // Last, so that a front end never finds an incomplete spec.
    writeOwnFile(join(folder, "kernel.json"), `${JSON.stringify(spec, null, 2)}\n`, permissions);
    return { folder, name, displayName, notes, jupyter: findJupyter(context) };
  };
  try {
    return isOfAnother(folder) ? replaceFolder(folder, write) : write();
  } catch (error) {
    throw explain(error, folder);
  }
}

/**
 * Removes a kernel spec that `installKernelspec` wrote.
 *
 * @returns The folder that was removed.
 * @throws Error if there is none, or if it belongs to another program.
 */
export function uninstallKernelspec(options: InstallOptions, context: InstallContext): string {
  const name = checkName(options.name ?? defaultName(options.runtime ?? context.current));
  const folder = join(kernelsFolder(options.scope, context), name);
  const file = join(folder, "kernel.json");
  if (!existsSync(file)) {
    throw new Error(`Uninstalling "${name}" failed: "${file}" does not exist`);
  }
  if (isOfAnother(folder)) {
    throw new Error(`Uninstalling "${name}" failed: "${file}" belongs to another program`);
  }
  try {
    rmSync(folder, { recursive: true });
    if (!hasOwnSpec(options.scope, context)) removeLabExtension(dataFolder(options.scope, context));
  } catch (error) {
    throw explain(error, folder);
  }
  return folder;
}

function defaultName(runtime: Runtime["name"]): string {
  return runtime === "node" ? "restlab" : `restlab-${runtime}`;
}

/** Jupyter converts names to lower case itself. */
function checkName(name: string): string {
  if (/^[a-z0-9._-]+$/i.test(name) && !/^\.+$/.test(name)) return name.toLowerCase();
  throw new TypeError(
    `Naming the kernel "${name}" failed: a name may contain only letters, digits, ".", "_" and "-"`,
  );
}

function explain(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") return error;
  return new Error(
    `Writing "${folder}" failed: ${process.env["USER"] ?? "this user"} has no permission to write there; ` +
      "omit the location to install for this user only",
    { cause: error },
  );
}

/**
 * Finds a kernel spec of another program that an installation would replace or hide: the one in the
 * same folder, or one elsewhere, since a user's kernels take precedence over shared ones.
 *
 * @param name The name of the spec.
 * @returns Its folder.
 */
function findOtherSpec(name: string, scope: Scope, context: SystemContext): string | undefined {
  const folders = [kernelsFolder(scope, context)];
  if (scope.kind === "user") folders.push(...sharedFolders(context));
  return folders.map((folder) => join(folder, name)).find(isOfAnother);
}

/** Whether a folder contains a kernel spec that restlab did not write. */
function isOfAnother(folder: string): boolean {
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
function hasOwnSpec(scope: Scope, context: SystemContext): boolean {
  const folder = kernelsFolder(scope, context);
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => {
    const spec = join(folder, name);
    return existsSync(join(spec, "kernel.json")) && !isOfAnother(spec);
  });
}

/** Replaces a folder, or a link to one; restores it if writing the new one fails. */
function replaceFolder<T>(folder: string, write: () => T): T {
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
