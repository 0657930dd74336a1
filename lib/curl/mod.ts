/**
 * Parses curl commands, and writes requests as curl commands or `fetch` calls. Options that are not supported
 * are reported with their positions. It sends nothing, reads no files and keeps placeholders.
 */

export {
  type CurlBody,
  type CurlCommand,
  type CurlField,
  type CurlPiece,
  parseCurl,
  startsAsCurl,
} from "./read/mod.ts";
export { isPlaceholders, type WrittenRequest, writeCurl, writeFetch } from "./write/mod.ts";
