/**
 * Kernel specs: where Jupyter looks for them, how they are written and removed; the logo.
 */

export { installCommand, uninstallCommand } from "./commands.ts";
export type { Scope } from "./folders.ts";
export {
  type InstallContext,
  type InstallOptions,
  installKernelspec,
  uninstallKernelspec,
} from "./kernel-spec.ts";
