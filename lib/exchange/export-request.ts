import { isPlaceholders, type WrittenRequest, writeCurl, writeFetch } from "../curl/mod.ts";
import { escapeBraces } from "../interpolation/mod.ts";
import { findHeader, parseRequests, type RenderedRequest, renderRequest } from "../request/mod.ts";
import {
  combineSecrets,
  hideCredential,
  isCredentialHeader,
  locateInBody,
  type SecretRange,
} from "../secrets/mod.ts";
import { fromBase64, toStrictText } from "./bytes.ts";
import { parseMediaType } from "./charset.ts";
import type { Exchange, SentRequest } from "./exchange.ts";

/** What a request can be written as: a command for a POSIX shell, a call of `fetch`, request text. */
export type CodeLanguage = "curl" | "fetch" | "http";

/** A request to write, of an exchange or not. */
export interface RequestSource extends Pick<Exchange, "secrets" | "redirects"> {
  readonly request: Pick<SentRequest, "method" | "url" | "headers" | "body">;
  /** Whether credentials are written as they are. */
  readonly reveals?: boolean;
}

const WRITERS: Readonly<
  Record<CodeLanguage, (write: (literal: WriteLiteral) => WrittenRequest) => string>
> = {
  curl: (written) => writeCurl(written(escapeBraces)),
  fetch: (written) => writeFetch(written(identity)),
  http: (written) => writeHttp(written(identity), written(escapeBraces)),
};

/** What a request can be written as. */
export const LANGUAGES = Object.keys(WRITERS) as readonly CodeLanguage[];

/** A request as code; placeholders or `•••` stand for secrets. */
export function writeRequest(source: RequestSource, language: CodeLanguage): string {
  return WRITERS[language]((literal) => masked(source, literal));
}

/** Writes the text between secrets and placeholders. */
type WriteLiteral = (text: string) => string;

const identity: WriteLiteral = (text) => text;

function masked(
  { request, secrets, redirects, reveals = false }: RequestSource,
  write: WriteLiteral,
): WrittenRequest {
  const masking = combineSecrets(secrets);
  const mask = (text: string): string => maskParts(text, masking.locate(text), write);
  const type = parseMediaType(findHeader(request.headers, "content-type") ?? null).essence;
  const maskBody = (text: string): string =>
    maskParts(text, locateInBody(text, type, masking), write);
  return {
    method: request.method,
    url: mask(request.url),
    headers: request.headers.map(([name, value]) => [
      name,
      isCredentialHeader(name, value) && !reveals
        ? (maskPassword(value, mask) ?? hideCredential(name, value, mask))
        : mask(value),
    ]),
    body: bodyOf(request.body, maskBody),
    follows: redirects.length > 0,
  };
}

/** Basic credentials with a placeholder for their password, as a request text can write them. */
function maskPassword(value: string, mask: (text: string) => string): string | undefined {
  const [, encoded] = /^Basic ([A-Za-z\d+/]+=*)$/i.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const pair = toStrictText(fromBase64(encoded)) ?? "";
    const [, name = "", password = ""] = /^([^\s:]+):(.+)$/s.exec(pair) ?? [];
    const shown = mask(password);
    return isPlaceholders(shown) ? `Basic ${mask(name)} ${shown}` : undefined;
  } catch {
    // A DOMException: it is not Base64.
    return undefined;
  }
}

function maskParts(text: string, secrets: readonly SecretRange[], write: WriteLiteral): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, shown } of secrets) {
    parts.push(write(text.slice(from, start)), shown);
    from = end;
  }
  return parts.join("") + write(text.slice(from));
}

/** Bytes that are UTF-8 text are written as text, so that secrets in them are masked. */
function bodyOf(
  body: string | Uint8Array | undefined,
  mask: (text: string) => string,
): string | Uint8Array | undefined {
  if (body === undefined || body.length === 0) return undefined;
  // A string is sent with replacements for what is no character.
  const text = typeof body === "string" ? body.toWellFormed() : toStrictText(body);
  return text === undefined ? body : mask(text);
}

/**
 * Writes a request as request text. A request that request text cannot express exactly (a line `###` in
 * the body, CRLF, bytes) is written as a curl command, which a cell can run as well.
 *
 * @param plain The request.
 * @param escaped The same request with literal double braces escaped.
 */
function writeHttp(plain: WrittenRequest, escaped: WrittenRequest): string {
  // A file of requests may be saved with either line break: the text must not depend on it.
  const text = writeText(escaped)?.replaceAll("\r\n", "\n");
  if (text !== undefined && isEquivalent(text, plain)) return text;
  return writeCurl(escaped);
}

function writeText({ method, url, headers, body }: WrittenRequest): string | undefined {
  if (body instanceof Uint8Array) return undefined;
  const lines = [
    `${method} ${url}`,
    ...headers.map(([name, value]) => `${name}: ${value}`.trimEnd()),
  ];
  return body === undefined ? lines.join("\n") : `${lines.join("\n")}\n\n${body}`;
}

/** Whether request text is exact is found by parsing and rendering it. */
function isEquivalent(text: string, { method, url, headers, body }: WrittenRequest): boolean {
  let read: RenderedRequest;
  try {
    const [draft, ...more] = parseRequests(text);
    if (draft === undefined || more.length > 0 || draft.saveTo !== undefined) return false;
    read = renderRequest(draft, new Map(), { missing: "keep" });
  } catch {
    // It is not valid request text.
    return false;
  }
  const isSameHead =
    read.method === method &&
    read.url === url &&
    JSON.stringify(read.headers) ===
      JSON.stringify(headers.map(([name, value]) => [name, value.trim()]));
  return isSameHead && read.body === body && read.added.length === 0;
}
