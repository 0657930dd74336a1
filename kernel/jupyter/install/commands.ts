import process from "node:process";
import type { Platform } from "../../platform/mod.ts";
import {
  type InstallContext,
  type InstallOptions,
  installKernelspec,
  uninstallKernelspec,
} from "./kernel-spec.ts";

/**
 * Installs a kernel spec and says what was done.
 *
 * @returns The exit status: 0, or 1 where it failed.
 */
export async function installCommand(options: InstallOptions, platform: Platform): Promise<number> {
  return attempt(platform, () => {
    const { folder, name, displayName, notes, jupyter } = installKernelspec(
      options,
      contextOf(platform),
    );
    const isFarAway = options.scope.kind === "prefix" && jupyter !== undefined;
    const lines = [
      `Installed the kernel "${displayName}" in ${folder}`,
      ...notes,
      jupyter === undefined
        ? 'Warning: no Jupyter is on the PATH; get it with "pipx install jupyterlab", or open a ' +
          "notebook in VS Code"
        : `Next: start "jupyter lab" and choose "${displayName}", or run ` +
          `"jupyter console --kernel ${name}"`,
      ...(isFarAway
        ? ["Jupyter finds it if that prefix is its own, or JUPYTER_PATH names share/jupyter in it"]
        : []),
    ];
    platform.stdout.write(`${lines.join("\n")}\n`);
  });
}

/**
 * Removes a kernel spec and says so.
 *
 * @returns The exit status: 0, or 1 where it failed.
 */
export async function uninstallCommand(
  options: Pick<InstallOptions, "scope" | "name" | "runtime">,
  platform: Platform,
): Promise<number> {
  return attempt(platform, () => {
    platform.stdout.write(`Removed ${uninstallKernelspec(options, contextOf(platform))}\n`);
  });
}

function attempt({ stderr }: Platform, action: () => void): number {
  try {
    action();
    return 0;
  } catch (error) {
    stderr.write(`restlab: ${error instanceof Error ? error.message : String(error)}\n`);
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
