/**
 * The Jupyter messaging protocol: messages on the wire, a table of handlers around one session,
 * and the installation of kernel specs. It knows neither how cells run nor how sockets work, and
 * does not depend on the terminal front end.
 *
 * @module
 */

export {
  type InstallContext,
  type InstallOptions,
  installCommand,
  installKernelspec,
  type Scope,
  uninstallCommand,
  uninstallKernelspec,
} from "./install/mod.ts";
export { kernelCommand } from "./kernel-command.ts";
