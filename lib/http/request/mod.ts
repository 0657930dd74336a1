/**
 * What goes out: a request given as an object, files of bodies, header rules, and whatever a fetch would
 * refuse, said before anything is sent.
 */

export { type FileAccess, openSource, readSource } from "./files.ts";
export { type HeadersInput, toHeaderList } from "./header-list.ts";
export type { Hop } from "./hop.ts";
export { compose, type HopFetch, type Middleware, type Tell, withHeader } from "./hop-fetch.ts";
export { isChangedMethod, refuseChangedMethods } from "./method.ts";
export {
  type PreparedRequest,
  prepareRequest,
  type ResolvedRequest,
  type SendableBody,
  takeCredentials,
  toByteString,
} from "./prepare.ts";
export { type RenderTextOptions, resolveBody, withDefaults } from "./resolve.ts";
