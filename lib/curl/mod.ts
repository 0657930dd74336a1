/**
 * Parses curl commands and HTTPie's, and writes requests as curl commands or `fetch` calls. Options that are not supported
 * are reported with their positions. It sends nothing, reads no files and keeps placeholders.
 */

export type { CurlBody, CurlCommand, CurlField, CurlPiece } from "./command.ts";
export { HttpieError, httpieToCurl } from "./httpie.ts";
export { parseCurl, startsAsCurl, takesNextWord } from "./parse.ts";
export { isPlaceholders, quoteWord, type WrittenRequest, writeCurl, writeFetch } from "./write.ts";
