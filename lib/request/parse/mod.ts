/**
 * The text of a cell or a `.http` file to drafts, line by line: request lines, headers, bodies, variable
 * lines, curl commands. It knows no values.
 */

export { startsAsRequest } from "./cell.ts";
export { parseEntries, parseRequests, readEntries } from "./parse.ts";
