import type { CellError } from "../session/cell/mod.ts";
import type { Dict, ErrorContent, ErrorReply, ExecuteRequest } from "./protocol.ts";

/** @throws TypeError if the field is not text. */
export function textOf(content: Dict, name: string): string {
  const value = content[name];
  if (typeof value === "string") return value;
  const state = value === undefined ? "is missing" : `is ${JSON.stringify(value)}, not text`;
  throw new TypeError(`Reading the request failed: ${name} ${state}`);
}

/** The cursor as an index into the code; the end of the code by default. */
export function cursorOf(content: Dict, code: string): number {
  const value = content["cursor_pos"];
  return typeof value === "number" ? toStringIndex(code, value) : code.length;
}

/**
 * Fills in the defaults of an `execute_request`.
 *
 * @throws TypeError if it has no code.
 */
export function parseExecuteRequest(content: Dict): ExecuteRequest {
  const silent = content["silent"] === true;
  const expressions = content["user_expressions"];
  return {
    code: textOf(content, "code"),
    silent,
    // The specification forces this for silent requests.
    store_history: !silent && content["store_history"] !== false,
    user_expressions: isDict(expressions) ? textsOf(expressions) : {},
    // The default of ipykernel: a front end that omits it cannot answer.
    allow_stdin: content["allow_stdin"] === true,
    stop_on_error: content["stop_on_error"] !== false,
  };
}

function isDict(value: unknown): value is Dict {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsOf(dict: Dict): Record<string, string> {
  return Object.fromEntries(Object.entries(dict).map(([name, text]) => [name, String(text)]));
}

/**
 * Converts a protocol position, which counts code points since version 5.2, to an index into a
 * string.
 *
 * @param position How many code points precede the place; too many mean the end.
 * @see https://jupyter-client.readthedocs.io/en/latest/messaging.html#cursor-pos-unicode-note
 */
export function toStringIndex(text: string, position: number): number {
  return [...text].slice(0, Math.max(0, position)).join("").length;
}

/**
 * Converts an index into a string to a protocol position in code points.
 *
 * @param index In UTF-16 units; inside of a character it counts as before it.
 */
export function toCodePoints(text: string, index: number): number {
  const isInside = (text.codePointAt(index - 1) ?? 0) > 0xffff;
  return [...text.slice(0, isInside ? index - 1 : index)].length;
}

const BOLD_RED = "\u001b[1;31m";
const RESET = "\u001b[0m";

/** Converts a cell's failure to the protocol: the name in red, then readable lines. */
export function toErrorContent({ name, message, traceback }: CellError): ErrorContent {
  const [first = "", ...rest] = traceback.length > 0 ? traceback : [`${name}: ${message}`];
  const head = first.startsWith(name)
    ? `${BOLD_RED}${name}${RESET}${first.slice(name.length)}`
    : `${BOLD_RED}${first}${RESET}`;
  return { ename: name, evalue: message, traceback: [head, ...rest] };
}

/** Creates the reply to a request whose handler has failed. */
export function toErrorReply(error: unknown): ErrorReply {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { status: "error", ...toErrorContent({ name, message, traceback: [], cause: error }) };
}
