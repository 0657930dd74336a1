/**
 * Parses curl commands and HTTPie's, and writes requests as curl commands or `fetch` calls. Options that are not supported
 * are reported with their positions. It sends nothing, reads no files and keeps placeholders.
 */

export { hasBytes, splitBytes } from "./bytes.ts";
export {
  type CurlBody,
  type CurlCommand,
  type CurlField,
  type CurlPiece,
  FAIL_ASSERTION,
} from "./command.ts";
export { HttpieError, httpieToCurl } from "./httpie.ts";
export { CURL_OPTIONS } from "./option-help.ts";
export { parseCurl, startsAsCurl, takesNextWord } from "./parse.ts";
export { writePiped } from "./piped.ts";
export { splitWords } from "./words.ts";
export { isPlaceholders, quoteWord, type WrittenRequest, writeCurl, writeFetch } from "./write.ts";
