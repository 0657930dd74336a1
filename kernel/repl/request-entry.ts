/** Methods that are sent without a body unless a header says that there is one. */
const BODILESS = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/i;
const BODY_HEADER = /^\s*(?:content-type|content-length|transfer-encoding)\s*:/i;

/**
 * Whether a request is complete when Enter is pressed at its end: a request line alone where the
 * method has no body; headers with an empty line behind them; a JSON body that closes; any other
 * body with an empty line behind it. Of several requests the last one counts.
 */
export function isRequestComplete(text: string): boolean {
  const lines = lastRequest(text.replace(/^\uFEFF?\s*%%http[^\n]*\n?/, "").split("\n"));
  const start = lines.findIndex(isRequestLine);
  if (start === -1) return isPrefaceComplete(lines);
  const request = lines.slice(start);
  const blank = request.findIndex((line, index) => index > 0 && line.trim() === "");
  const head = blank === -1 ? request : request.slice(0, blank);
  const method = /^\s*([A-Za-z][\w-]*)\s/.exec(request[0] ?? "")?.[1] ?? "GET";
  const takesBody = !BODILESS.test(method) || head.some((line) => BODY_HEADER.test(line));
  if (blank === -1) return request.length === 1 && !takesBody;
  if (!takesBody) return true;
  return isBodyComplete(request.slice(blank + 1));
}

function lastRequest(lines: readonly string[]): readonly string[] {
  const separator = lines.findLastIndex((line) => /^\s*###/.test(line));
  return lines.slice(separator === -1 ? 0 : separator);
}

const isRequestLine = (line: string): boolean => /^\s*[^\s#@/]/.test(line);

/** Variable lines are complete in themselves; a name or a title waits for its request. */
function isPrefaceComplete(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => line.trim() !== "") ?? "";
  return !/^\s*(?:###|(?:#+|\/\/+)\s*@)/.test(last);
}

function isBodyComplete(lines: readonly string[]): boolean {
  const body = lines.join("\n");
  if (body.trim() === "") return false;
  if (/^\s*<@?[\w-]*\s+\S/.test(body)) return true;
  if (/^\s*[[{]/.test(body)) return isClosed(body);
  return /\n[ \t]*$/.test(body);
}

const TOKENS =
  /\{\{[ \t]*[\p{L}_$][^{}\n]*\}\}|"(?:[^"\\\n{]|\\.|\{\{[^{}\n]*\}\}|\{)*"?|[[\]{}]/gu;

/** Whether every bracket outside of strings and placeholders is closed. */
function isClosed(json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
  }
  return depth <= 0;
}
