/**
 * The Jupyter front end: messages, their handlers around one session, and the installation of kernel
 * specs. It knows neither how cells run nor how sockets work.
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
