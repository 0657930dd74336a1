/** Prepares requests: reads the files of bodies, applies the header rules and refuses what fetch would refuse. */

export { fromByteString, toByteString } from "./byte-string.ts";
export { isBodiless, isChangedMethod, isComplete, refuseUnsendable } from "./fetch-limits.ts";
export { type FileAccess, openSource, readSource } from "./files.ts";
export {
  type DefaultHeaders,
  excludeHeaders,
  fillHeaders,
  type HeadersInput,
  headerReader,
  toHeaderList,
} from "./header-list.ts";
export {
  compose,
  type Hop,
  type HopFetch,
  type Middleware,
  type Warn,
  warnTo,
  withHeader,
} from "./hop.ts";
export {
  decodePercent,
  type PreparedRequest,
  prepareRequest,
  type ResolvedRequest,
  type SendableBody,
  takeCredentials,
} from "./prepare.ts";
export { type RenderTextOptions, resolveBody, withDefaults } from "./resolve.ts";
export { version } from "./version.ts";
