/** Reads single lines of a request text: their kinds, request lines and scripts. Reports what is wrong with them. */

export { type Block, lineStart } from "./block.ts";
export {
  afterComment,
  classifyLine,
  indentation,
  type Line,
  lineAt,
  readAnnotation,
  readLines,
  startsVariableLine,
  trimLine,
} from "./line.ts";
export { createParser, type Parser } from "./parser.ts";
export {
  isSecondRequestLine,
  type RequestLine,
  readRequestLine,
  readTarget,
  remarkNextRequest,
} from "./request-line.ts";
export {
  readScript,
  scriptAt,
  startsAssertion,
  startsHandler,
  startsPreRequestScript,
  startsRequestScript,
  startsScript,
  startsScriptBlock,
  unsupportedScript,
} from "./scripts.ts";
