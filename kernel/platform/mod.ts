/**
 * What the outside world gives us: arguments, streams, signals, files and the runtime's name.
 * The only folder that may ask which runtime it is on. It imports nothing of ours.
 *
 * @module
 */

export { currentPlatform } from "./current.ts";
export type { OutputStream, Platform, Runtime } from "./platform.ts";
