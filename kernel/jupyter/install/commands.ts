import { join } from "node:path";
import process from "node:process";
import type { Platform } from "../../platform/mod.ts";
import {
  type InstallContext,
  type InstallOptions,
  installKernelspec,
  uninstallKernelspec,
  VSIX,
} from "./kernel-spec.ts";

/**
 * Installs a kernel spec and reports what was done.
 *
 * @returns The exit status: 0, or 1 if it failed.
 */
export async function installCommand(options: InstallOptions, platform: Platform): Promise<number> {
  return await attempt(platform, async () => {
    const { folder, name, displayName, notes, jupyter } = await installKernelspec(
      options,
      contextOf(platform),
    );
    const isElsewhere = options.scope.kind === "prefix" && jupyter !== undefined;
    return [
      `Installed the kernel "${displayName}" in ${folder}`,
      ...notes,
      jupyter === undefined
        ? 'Warning: Jupyter is not on the PATH; install it with "pipx install jupyterlab", or open a ' +
          "notebook in VS Code"
        : `Next: start "jupyter lab" and choose "${displayName}", or run ` +
          `"jupyter console --kernel ${name}"`,
      `For VS Code: code --install-extension "${join(folder, VSIX)}"`,
      ...(isElsewhere
        ? [
            `Jupyter finds it if its own prefix is the same, or if JUPYTER_PATH contains "${join(folder, "../..")}"`,
          ]
        : []),
    ];
  });
}

/**
 * Removes a kernel spec and reports it.
 *
 * @returns The exit status: 0, or 1 if it failed.
 */
export async function uninstallCommand(
  options: InstallOptions,
  platform: Platform,
): Promise<number> {
  return await attempt(platform, () => [
    `Removed ${uninstallKernelspec(options, contextOf(platform))}`,
  ]);
}

/** @param action Returns the lines of its report. */
async function attempt(
  { stdout, stderr }: Platform,
  action: () => readonly string[] | Promise<readonly string[]>,
): Promise<number> {
  // A static import would delay the first reply of a kernel, which loads this file as well.
  const { toVisibleLine } = await import("../../../lib/display/mod.ts");
  try {
    stdout.write(`${(await action()).map(toVisibleLine).join("\n")}\n`);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    stderr.write(`restlab: ${toVisibleLine(message)}\n`);
    return 1;
  }
}

function contextOf({ runtime, environment, directory }: Platform): InstallContext {
  return {
    system: process.platform,
    environment,
    directory,
    current: runtime.name,
    program: process.argv[1] ?? "",
  };
}
