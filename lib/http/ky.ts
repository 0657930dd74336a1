import type { KyInstance, Options } from "ky";
import ky from "ky";
import type { Hop } from "./attempt.ts";
import { isBodiless, isChangedMethod, outgoingHeaders } from "./fetch-limits.ts";
import { excludeHeaders } from "./headers.ts";
import { fromByteString, type PreparedRequest, type SendableBody } from "./prepare.ts";
import { isStreamed, type StreamedBody } from "./streamed-body.ts";

/** ky options that a client sets itself. */
export type DecidedKyOption =
  | "method"
  | "headers"
  | "body"
  | "json"
  | "searchParams"
  | "prefixUrl"
  | "signal"
  | "redirect"
  | "timeout"
  | "throwHttpErrors"
  | "parseJson"
  | "stringifyJson"
  | "onDownloadProgress"
  | "onUploadProgress"
  | "duplex";

/** What to use instead. */
const DECIDED: Readonly<Record<DecidedKyOption, string>> = {
  method: "write it into the request",
  headers: "use the option headers, or write them into the request",
  body: "write it into the request",
  json: "write it into the request, or use the json of a request as data",
  searchParams: "write them into the URL, or use the query of a request as data",
  prefixUrl: "use a variable, as in {{base}}/users",
  signal: "use the option signal of send",
  redirect: "use the option redirect",
  timeout: "use the option timeout",
  throwHttpErrors: "no status is an error",
  parseJson: "use the text or the json of an exchange",
  stringifyJson: "write the body into the request",
  onDownloadProgress: "use the option onProgress of send",
  onUploadProgress: "there is no replacement",
  duplex: "there is no replacement",
};

/**
 * ky options with their documented meaning: `hooks`, `retry`, `context`, `fetch`, and those that ky passes to
 * `fetch` (in a browser `cache` and `credentials`).
 *
 * @see https://github.com/sindresorhus/ky#options
 * @example
 * ```ts
 * const options: KyOptions = {
 *   retry: 2,
 *   hooks: { beforeRequest: [(request) => request.headers.set("X-Id", "1")] },
 * };
 * ```
 */
export type KyOptions = Omit<Options, DecidedKyOption>;

/** The user's ky options as an instance of ky, which merges them by its own rules. */
export type KyDefaults = KyInstance;

/**
 * Creates the ky options of a client.
 *
 * @throws {TypeError} An option is set by the client, or is invalid.
 */
export function createKyDefaults(options: KyOptions | undefined): KyDefaults {
  return extendKyDefaults(ky.create({}), options);
}

/**
 * Adds the options of an extended client or of one send. Hooks are added; other options are replaced.
 *
 * @throws {TypeError} An option is set by the client, or is invalid.
 */
export function extendKyDefaults(defaults: KyDefaults, options: KyOptions | undefined): KyDefaults {
  return options === undefined ? defaults : defaults.extend(check(options));
}

/** Reads the options, which ky exposes only to a function. */
export function kyOptionsOf(defaults: KyDefaults): KyOptions {
  let options: KyOptions = {};
  defaults.extend((given) => {
    options = given as KyOptions;
    return {};
  });
  return options;
}

function check(options: KyOptions): KyOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`Cannot use ${String(options)} as ky: it is not an object of ky options`);
  }
  const decided = Object.keys(options).find((name) => Object.hasOwn(DECIDED, name));
  if (decided !== undefined) {
    const instead = DECIDED[decided as DecidedKyOption];
    throw new TypeError(`Cannot use the option ky.${decided}: the client sets it; ${instead}`);
  }
  for (const [name, hooks] of Object.entries(options.hooks ?? {})) {
    const isList = Array.isArray(hooks) && hooks.every((hook) => typeof hook === "function");
    if (hooks === undefined || isList) continue;
    throw new TypeError(`Cannot use ky.hooks.${name}: it is not a list of functions`);
  }
  return options;
}

/** The method of a `Request` if the runtime would change the real one. */
const STAND_IN = "POST";

/**
 * The request for ky, without its body: a `Request` made from another one would send that body as a
 * stream. It has the headers, since ky drops a header with the value "undefined" from its options.
 */
export function toRequest({ sent: { method, headers }, url }: PreparedRequest): Request {
  return new Request(url, {
    method: isChangedMethod(method) ? STAND_IN : method,
    headers: outgoingHeaders(headers),
  });
}

/**
 * The body for ky and its hooks. Left out is what goes beside the `Request`: a stream, since ky clones requests,
 * which would buffer all of it, and a body with GET and HEAD, which a `Request` refuses.
 */
export function toBody(prepared: PreparedRequest): Exclude<SendableBody, StreamedBody> | undefined {
  const { body } = prepared;
  return isStreamed(body) || isBodiless(prepared.sent.method) ? undefined : body;
}

/**
 * Converts a request of ky to a hop. What no hook has changed is taken from the prepared request, since a
 * `Request` loses the case of header names, text beyond ASCII in them, and on Bun the method.
 *
 * @param original The request that ky was called with.
 */
export async function toHop(
  request: Request,
  original: Request,
  prepared: PreparedRequest,
): Promise<Hop> {
  const { sent, url } = prepared;
  const method =
    request.method === STAND_IN && isChangedMethod(sent.method) ? sent.method : request.method;
  return {
    method,
    url: request.url === original.url ? url : new URL(request.url),
    headers: headersOf(request, original, sent.headers),
    body: await bodyOf(request, prepared),
  };
}

function headersOf(request: Request, original: Request, written: Hop["headers"]): Hop["headers"] {
  const kept = written.filter(
    ([name]) =>
      request.headers.get(name) === original.headers.get(name) && original.headers.has(name),
  );
  const changed = excludeHeaders([...request.headers], kept);
  if (kept.length === written.length && changed.length === 0) return written;
  const spelled = (lower: string): string =>
    written.find(([name]) => name.toLowerCase() === lower)?.[0] ?? lower;
  return [
    ...kept,
    ...changed.map(([name, value]) => [spelled(name), fromByteString(value)] as const),
  ];
}

async function bodyOf(
  request: Request,
  { body: prepared, sent }: PreparedRequest,
): Promise<Hop["body"]> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength === 0) {
    // A hook that makes another request a GET does not ask for its stream.
    if (isBodiless(sent.method)) return prepared;
    return isStreamed(prepared) && !isBodiless(request.method) ? prepared : undefined;
  }
  if (prepared === undefined || isStreamed(prepared)) return bytes;
  const before = typeof prepared === "string" ? new TextEncoder().encode(prepared) : prepared;
  return isEqual(bytes, before) ? prepared : bytes;
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.byteLength !== other.byteLength) return false;
  for (let index = 0; index < one.byteLength; index++) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}
