import { toBase64, type WrittenRequest } from "./written.ts";

/** Writes a request as a call of `fetch`, as it can stand in a module. */
export function writeFetch({ method, url, headers, body }: WrittenRequest): string {
  const lines: string[] = [];
  if (method !== "GET") lines.push(`  method: ${quote(method)},`);
  if (headers.length > 0) {
    const names = headers.map(([name]) => name.toLowerCase());
    const isUnique = new Set(names).size === names.length;
    lines.push(isUnique ? "  headers: {" : "  headers: [");
    for (const [name, value] of headers) {
      const pair = isUnique
        ? `${quote(name)}: ${quote(value)}`
        : `[${quote(name)}, ${quote(value)}]`;
      lines.push(`    ${pair},`);
    }
    lines.push(isUnique ? "  }," : "  ],");
  }
  if (typeof body === "string") lines.push(`  body: ${quote(body)},`);
  else if (body !== undefined) {
    const bytes = `Uint8Array.from(atob(${quote(toBase64(body))}), (sign) => sign.charCodeAt(0))`;
    lines.push(`  body: ${bytes},`);
  }
  if (lines.length === 0) return `await fetch(${quote(url)});`;
  return [`await fetch(${quote(url)}, {`, ...lines, "});"].join("\n");
}

/** JSON is JavaScript, but for a key `__proto__`, which an object literal takes for its prototype. */
function quote(text: string): string {
  return text === "__proto__" ? '["__proto__"]' : JSON.stringify(text);
}
