/**
 * The Jupyter front end: messages, their handlers around one session, and the channels to the thread of the
 * sockets. It does not know how cells run.
 */

export { KERNEL_VERSION } from "./kernel-info.ts";
