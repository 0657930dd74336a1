/** Parses the text of a cell or an `.http` file into drafts, line by line. It knows no values. */

export { parseAssertions, startsAsAssertions } from "./assertions.ts";
export { startsAsRequest } from "./cell.ts";
export { type ParsedText, parseEntries, parseRequests, parseText, readText } from "./parse.ts";
export { GLOBAL_VARIABLE, scriptVariables } from "./script-variables.ts";
export { skipScripts } from "./skip-scripts.ts";
