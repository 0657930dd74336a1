/**
 * The runtime and its process: arguments, streams, signals, what it is called. The contract that every
 * front end gets its surroundings by.
 */

export { currentPlatform, currentRuntime } from "./current.ts";
export type { OutputStream, Platform, Runtime } from "./platform.ts";
