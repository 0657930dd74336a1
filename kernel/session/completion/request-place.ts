/** What stands at a position of a request text. */
export type RequestPlace =
  | {
      readonly kind: "method" | "target" | "headerName" | "annotation" | "other";
      readonly typed: string;
    }
  | { readonly kind: "headerValue"; readonly header: string; readonly typed: string }
  | { readonly kind: "placeholder"; readonly path: string };

/** The lines of the request that a text ends with, by what they are. */
interface LastRequest {
  /** Undefined until there is a request line. */
  readonly line: string | undefined;
  readonly headers: readonly string[];
  /** Undefined before the blank line after the headers. */
  readonly body: string | undefined;
}

/** What is being written at the end of a request text. */
export function placeAtEnd(text: string): RequestPlace {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  const open = /(?<!\\)\{\{[ \t]*([^{}]*)$/.exec(line);
  if (open !== null) return { kind: "placeholder", path: open[1] ?? "" };
  const { line: requestLine, headers, body } = readLastRequest(text);
  const trimmed = line.trimStart();
  const [, annotation] = /^(?:#+|\/\/+)[ \t]*@([\w-]*)$/.exec(trimmed) ?? [];
  if (annotation !== undefined && !body?.trim().includes("\n")) {
    return { kind: "annotation", typed: annotation };
  }
  if (body !== undefined || /^(#|\/\/|@|%%)/.test(trimmed)) return { kind: "other", typed: "" };
  if (requestLine === undefined) return { kind: "method", typed: trimmed };
  if (headers.length === 0 && requestLine === line) {
    const [, target] = /^\s*\S+\s+(\S*)$/.exec(line) ?? [];
    if (target !== undefined) return { kind: "target", typed: target };
    return /\s/.test(trimmed) ? { kind: "other", typed: "" } : { kind: "method", typed: trimmed };
  }
  const [, header, value] = /^([^:]*):\s*(.*)$/.exec(trimmed) ?? [];
  return header === undefined
    ? { kind: "headerName", typed: trimmed }
    : { kind: "headerValue", header: header.toLowerCase(), typed: value ?? "" };
}

/** Takes the last request of a text apart, as far as it is written. */
function readLastRequest(text: string): LastRequest {
  const lines = text.split(/\r\n?|\n/);
  const separator = lines.findLastIndex((line) => line.trimStart().startsWith("###"));
  const rest = lines.slice(separator + 1);
  const isAside = (line: string): boolean => /^\s*(#|\/\/|@|%%|$)/.test(line);
  const first = rest.findIndex((line) => !isAside(line));
  if (first === -1) return { line: undefined, headers: [], body: undefined };
  const blank = rest.findIndex((line, index) => index > first && line.trim() === "");
  const head = blank === -1 ? rest.slice(first + 1) : rest.slice(first + 1, blank);
  return {
    line: rest[first],
    headers: head.filter((line) => !/^\s*(#|\/\/|[?&])/.test(line)),
    body: blank === -1 ? undefined : rest.slice(blank + 1).join("\n"),
  };
}
