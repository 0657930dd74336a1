/** Parses curl commands for bash or cmd.exe: words, options, and their effects. */

export type { CurlBody, CurlCommand, CurlField, CurlPiece } from "./command.ts";
export { parseCurl, startsAsCurl, takesNextWord } from "./parse.ts";
