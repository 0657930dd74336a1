/**
 * The runtime and its process: arguments, environment, streams, signals.
 *
 * @module
 */

export { currentPlatform, currentRuntime } from "./current.ts";
export type { OutputStream, Platform, Runtime } from "./platform.ts";
