/**
 * The Jupyter messaging protocol: messages on the wire, a table of handlers around one session,
 * and the installation of kernel specs. It knows neither how cells run nor how sockets work, and
 * does not depend on the terminal front end.
 *
 * @module
 */

export {
  ConnectionFileError,
  type ConnectionInfo,
  parseConnectionFile,
} from "./connection-file.ts";
export { installCommand, uninstallCommand } from "./install/commands.ts";
export type { Scope } from "./install/folders.ts";
export {
  type InstallContext,
  type InstallOptions,
  installKernelspec,
  uninstallKernelspec,
} from "./install/kernel-spec.ts";
export { kernelCommand } from "./kernel-command.ts";
