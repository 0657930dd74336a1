import { quoteTemplate, quoteWord } from "./quote.ts";
import { basicPair, hasHeader, toBase64, type WrittenRequest } from "./written.ts";

/**
 * Writes a request as a curl command for a POSIX shell, with one option per line.
 *
 * @param request Its texts are templates: double braces that are not a placeholder are escaped.
 */
export function writeCurl(request: WrittenRequest): string {
  const { method, url, headers, body, follows } = request;
  const isPiped = body instanceof Uint8Array;
  const parts = [`curl${isGlob(url) ? " -g" : ""} ${quoteTemplate(url)}`];
  const usual = body === undefined ? "GET" : "POST";
  // With -X HEAD, curl would wait for a body.
  if (method === "HEAD" && body === undefined) parts.push("-I");
  else if (method !== usual) parts.push(`-X ${quoteWord(method)}`);
  if (follows) parts.push("-L");
  for (const header of headers) {
    const [name, value] = header;
    const pair = basicPair(header);
    if (pair !== undefined) parts.push(`-u ${quoteTemplate(pair)}`);
    else parts.push(`-H ${quoteTemplate(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  if (body !== undefined && !hasHeader(request, "content-type")) parts.push("-H 'Content-Type:'");
  if (isPiped) parts.push("--data-binary @-");
  else if (body !== undefined) parts.push(`--data-raw ${quoteTemplate(body)}`);
  const command = parts.join(" \\\n  ");
  // An argument cannot contain NUL.
  return isPiped ? `printf %s ${quoteWord(toBase64(body))} | base64 -d | ${command}` : command;
}

/** Whether curl would expand a URL to several requests. */
function isGlob(url: string): boolean {
  return /[[\]{}]/.test(url);
}
