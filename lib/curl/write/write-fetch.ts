import { basicPair, hasHeader, toBase64, type WrittenRequest } from "./written.ts";

/** Writes a request as a `fetch` call for a module. */
export function writeFetch(request: WrittenRequest): string {
  const { method, url, headers, body } = request;
  const lines: string[] = [];
  if (method !== "GET") lines.push(`  method: ${quote(method)},`);
  if (headers.length > 0) {
    const names = headers.map(([name]) => name.toLowerCase());
    const isUnique = new Set(names).size === names.length;
    lines.push(isUnique ? "  headers: {" : "  headers: [");
    for (const header of headers) {
      const [name, value] = header;
      const basic = basicPair(header);
      const written =
        basic === undefined ? quoteBytes(value) : `"Basic " + btoa(${quoteBytes(basic)})`;
      const pair = isUnique ? `${quote(name)}: ${written}` : `[${quote(name)}, ${written}]`;
      lines.push(`    ${pair},`);
    }
    lines.push(isUnique ? "  }," : "  ],");
  }
  if (typeof body === "string") {
    // fetch adds a Content-Type to a string, but not to bytes.
    const isTyped = hasHeader(request, "content-type");
    lines.push(`  body: ${isTyped ? quote(body) : `new TextEncoder().encode(${quote(body)})`},`);
  }
  if (body instanceof Uint8Array) {
    const bytes = `Uint8Array.from(atob(${quote(toBase64(body))}), (sign) => sign.charCodeAt(0))`;
    lines.push(`  body: ${bytes},`);
  }
  if (lines.length === 0) return `await fetch(${quote(url)});`;
  return [`await fetch(${quote(url)}, {`, ...lines, "});"].join("\n");
}

/** Quotes a header value as a byte string of its UTF-8 form; the dots of masked values are kept. */
function quoteBytes(value: string): string {
  const bytes = value.replace(/[^\0-\x7f•]+/g, (text) =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""),
  );
  return quote(bytes).replace(
    /[\x80-\xff]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** JSON is JavaScript, except that `__proto__` in an object literal sets the prototype. */
function quote(text: string): string {
  return text === "__proto__" ? '["__proto__"]' : JSON.stringify(text);
}
