/**
 * The five sockets of a kernel, held by a worker thread, and the main thread's side of them: messages that
 * arrive, questions on stdin, interrupts.
 */

export { type Channels, openChannels, type RequestChannel } from "./channels.ts";
export { loadSessionModule, sessionModule } from "./session-module.ts";
export { startSocketThread } from "./socket-thread.ts";
