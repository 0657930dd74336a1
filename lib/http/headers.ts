import type { HeaderList } from "../exchange/mod.ts";
import { createFault, renderTemplate, type Scope, type Template } from "../interpolation/mod.ts";
import {
  InvalidHeaderError,
  isHeaderName,
  type RenderedRequest,
  readCredentials,
} from "../request/mod.ts";
import type { RenderTextOptions } from "./options.ts";

/** Headers by name, or as pairs if a name occurs more than once. */
export type HeadersInput<T extends string | Template = string> =
  | { readonly [name: string]: T }
  | Iterable<readonly [name: string, value: T]>;

/**
 * Headers of every request that does not set them itself: a text is sent as it is, and the placeholders of a template
 * are filled. A function is called for each request.
 */
export type DefaultHeaders =
  | HeadersInput<string | Template>
  | (() => HeadersInput<string | Template>);

/** Default headers as pairs, not filled yet. */
type HeaderTemplates = readonly (readonly [name: string, value: string | Template])[];

/**
 * Converts headers to pairs.
 *
 * @throws {InvalidHeaderError} A name is not a token (RFC 9110, 5.6.2), or a value contains a line break or NUL.
 */
export function toHeaderList(input: HeadersInput | undefined): HeaderList {
  return pairsOf(input).map(([name, value]) => [checkName(name), checkValue(name, String(value))]);
}

/**
 * Returns what reads default headers: the result of a function each time, which is checked where it is filled, or a
 * copy of anything else. They go before those of the environment that is in use then.
 *
 * @throws What {@link toHeaderList} throws.
 */
export function headerReader(
  input: DefaultHeaders | undefined,
  inUse?: { readonly environment: { readonly headers: HeaderTemplates } | undefined },
): () => HeaderTemplates {
  const read = typeof input === "function" ? input : undefined;
  const copy = pairsOf(typeof input === "function" ? undefined : input).map(
    ([name, value]) =>
      [checkName(name), isTemplate(value) ? value : checkValue(name, String(value))] as const,
  );
  return () => {
    const own = read === undefined ? copy : pairsOf(read());
    const given = inUse?.environment?.headers ?? [];
    return given.length === 0 ? own : [...excludeHeaders(given, own), ...own];
  };
}

/**
 * Fills the placeholders of default headers.
 *
 * @throws {UnresolvedPlaceholderError} A placeholder has no value.
 * @throws What {@link toHeaderList} throws.
 */
export function fillHeaders(
  headers: HeaderTemplates,
  scope: Scope,
  missing: "error" | "keep" | undefined = "error",
): HeaderList {
  return headers.map(([name, value]) => {
    const text = isTemplate(value)
      ? renderTemplate(value, scope, "header", { missing })
      : String(value);
    return [checkName(name), checkValue(name, text)];
  });
}

/**
 * Adds the headers of the client that the request does not have.
 *
 * @throws What {@link fillHeaders} throws.
 * @throws {CredentialError} An Authorization header is not complete.
 */
export function withDefaults(
  request: RenderedRequest,
  defaults: HeaderTemplates,
  scope: Scope,
  { missing: unfilled }: RenderTextOptions,
): RenderedRequest {
  const needed = excludeHeaders(defaults, request.headers, request.without);
  const missing = fillHeaders(needed, scope, unfilled);
  const [, authorization] = needed.find(([name]) => name.toLowerCase() === "authorization") ?? [];
  const isWritten = authorization !== undefined && isTemplate(authorization);
  const credentials = isWritten && readCredentials(authorization, scope);
  if (credentials instanceof Error) throw credentials;
  return {
    ...request,
    ...(credentials && { credentials }),
    headers: [...request.headers, ...missing],
    added: [...request.added, ...missing.map(([name]) => name)],
  };
}

function pairsOf<T extends string | Template>(
  input: HeadersInput<T> | undefined,
): readonly (readonly [name: string, value: T])[] {
  if (input === undefined) return [];
  if (input instanceof Promise) {
    throw new TypeError("Cannot use a promise as headers: await it, and pass what it has");
  }
  if (typeof input !== "object" || input === null) {
    throw new TypeError(
      `Cannot use "${String(input)}" as headers: pass an object, pairs or Headers, as in { "X-Id": "7" }`,
    );
  }
  return Symbol.iterator in input
    ? [...(input as Iterable<readonly [string, T]>)]
    : Object.entries(input);
}

function isTemplate(value: string | Template): value is Template {
  return typeof value === "object" && "parts" in value;
}

/**
 * The headers whose names do not occur in another list, in any letter case.
 *
 * @param without Further names, in lower case.
 */
export function excludeHeaders<T>(
  headers: readonly (readonly [name: string, value: T])[],
  others: readonly (readonly [name: string, value: unknown])[],
  without: readonly string[] = [],
): readonly (readonly [name: string, value: T])[] {
  const names = new Set([...without, ...others.map(([name]) => name.toLowerCase())]);
  return headers.filter(([name]) => !names.has(name.toLowerCase()));
}

function checkName(name: string): string {
  if (isHeaderName(name)) return name;
  throw new InvalidHeaderError(name, [
    createFault(
      { source: name },
      { start: 0, end: name.length },
      `Cannot send the header ${JSON.stringify(name)}: its name is not a token`,
    ),
  ]);
}

function checkValue(name: string, value: string): string {
  const at = value.search(/[\r\n\0]/);
  if (at < 0) return value;
  throw new InvalidHeaderError(value, [
    createFault(
      { source: value },
      { start: at, end: at + 1 },
      `Cannot send the header "${name}": its value contains a line break or NUL`,
    ),
  ]);
}

/** The version of restlab. */
export const version: string = "2.3.0";

/**
 * The headers of every request that does not have its own, the same on every runtime. Every runtime decodes
 * these encodings. The fetch of Deno and that of Node always send an Accept-Language.
 */
const DEFAULT_HEADERS: HeaderList = [
  ["Accept", "*/*"],
  ["Accept-Encoding", "gzip, br"],
  ["Accept-Language", "*"],
  ["User-Agent", `restlab/${version}`],
];

/** The default headers that a request does not have itself, and may have. */
export function missingDefaults(headers: HeaderList, without?: readonly string[]): HeaderList {
  return excludeHeaders(DEFAULT_HEADERS, headers, without);
}
