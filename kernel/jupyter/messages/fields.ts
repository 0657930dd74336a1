import { toStringIndex } from "./cursor.ts";
import type { Dict, ExecuteRequest } from "./protocol.ts";

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
