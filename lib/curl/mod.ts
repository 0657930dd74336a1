/**
 * Parses curl commands and HTTPie's, and writes requests as curl commands or `fetch` calls. Options that are not supported
 * are reported with their positions. It sends nothing, reads no files and keeps placeholders.
 */

export { HttpieError, httpieToCurl } from "./httpie/mod.ts";
export {
  type CurlBody,
  type CurlCommand,
  type CurlField,
  type CurlPiece,
  parseCurl,
  startsAsCurl,
  takesNextWord,
} from "./read/mod.ts";
export {
  isPlaceholders,
  quoteWord,
  type WrittenRequest,
  writeCurl,
  writeFetch,
} from "./write/mod.ts";
