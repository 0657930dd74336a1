import type { CellError } from "../../session/mod.ts";
import type { ErrorContent, ErrorReply } from "./protocol.ts";

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
