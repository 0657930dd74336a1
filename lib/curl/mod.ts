/**
 * Parses curl commands, HTTPie's and those that browsers copy, and writes requests as curl commands or `fetch` calls. Options that are not supported
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
export { isFetchOpen } from "./fetch-call.ts";
export { nameOfFile, typeOfFile } from "./file-names.ts";
export { CURL_OPTIONS, HTTPIE_ITEMS, writeOption } from "./option-help.ts";
export {
  parseCommand,
  parseCurl,
  startsAsCommand,
  startsAsCurl,
  takesNextWord,
} from "./parse.ts";
export { writePiped } from "./piped.ts";
export { isPowerShellOpen } from "./powershell.ts";
export { splitWords } from "./words.ts";
export { isPlaceholders, quoteWord, type WrittenRequest, writeCurl, writeFetch } from "./write.ts";
