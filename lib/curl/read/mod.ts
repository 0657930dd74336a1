/**
 * A curl command to a request: the words of bash or cmd.exe, the options one by one, their effects on a
 * request in the making. It runs nothing and reads no files.
 */

export type { CurlBody, CurlCommand, CurlField } from "./command.ts";
export { parseCurl, startsAsCurl } from "./parse.ts";
