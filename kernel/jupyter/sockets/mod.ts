/**
 * The five channels of a kernel: the sockets in a worker thread, and what the main thread sends and
 * receives through it, questions on stdin and interrupts included.
 */

export { Channels, type RequestChannel } from "./channels.ts";
export { loadSessionModule, sessionModule } from "./session-module.ts";
export { startSocketThread } from "./socket-thread.ts";
