/**
 * Command lines of curl: read into what they ask for, and written from a request; and the same
 * request as a call of `fetch`. What cannot be done, or would be guessed, is reported with its place.
 * It sends nothing, reads no file and knows no values: placeholders stay as they stand.
 */

export {
  type CurlBody,
  type CurlCommand,
  type CurlField,
  parseCurl,
  startsAsCurl,
} from "./read/mod.ts";
export { isPlaceholders, type WrittenRequest, writeCurl, writeFetch } from "./write/mod.ts";
