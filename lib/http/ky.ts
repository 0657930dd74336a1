import ky, { HTTPError, type Options } from "ky";
import { fromByteString, UnansweredError, UnsendableRequestError } from "../exchange/mod.ts";
import { isBodiless, isChangedMethod } from "../fetch/mod.ts";
import { CredentialError } from "./auth/mod.ts";
import { isStreamed } from "./body-out.ts";
import { excludeHeaders } from "./headers.ts";
import { beforeDeadline, nonNegative } from "./in-flight.ts";
import type { Outgoing } from "./outgoing.ts";
import { drainBody } from "./read-body.ts";
import { followRedirects, RedirectError } from "./redirects.ts";
import type { Send } from "./send.ts";
import { outgoingHeaders } from "./transport.ts";

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

/** The options of a client, of the clients that it extends, and of one send: the later ones take precedence. */
export type KyLayers = readonly KyOptions[];

/** Merges ky options by ky's own rules: hooks are added, other options are replaced. */
export function mergeKyOptions(layers: KyLayers): KyOptions {
  const [first = {}, ...more] = layers;
  if (more.length === 0) return first;
  let merged = first;
  // ky shows the options of an instance only to a function.
  more
    .reduce((instance, layer) => instance.extend(layer), ky.create(first))
    .extend((given) => {
      merged = given as KyOptions;
      return {};
    });
  return merged;
}

/**
 * Adds ky options to others.
 *
 * @throws {TypeError} An option is set by the client, or is invalid.
 */
export function addKyOptions(layers: KyLayers, options: KyOptions | undefined): KyLayers {
  return options === undefined ? layers : [...layers, check(options)];
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

/** A function among the user's options of ky and retries has thrown; `cause` is what it threw. */
export class HookError extends Error {
  override readonly name = "HookError";
}

/**
 * Sends a request with ky, which calls the hooks and decides about retries. No status is an error.
 *
 * @throws {HookError} A hook has thrown.
 * @throws What sending throws.
 */
export async function sendByKy(send: Send): Promise<Response> {
  const { outgoing, ky: options, settings } = send;
  const method = isChangedMethod(outgoing.method) ? STAND_IN : outgoing.method;
  const hasHooks = options.hooks !== undefined;
  const retry = withinDeadline(send, settings.retry ?? options.retry);
  // What hooks and decisions about retries see. What is sent has it beside the `Request`.
  const isSeen = hasHooks || retry.limit !== 0;
  // A list: from a `Headers`, ky drops one with the value "undefined".
  const head = isSeen ? { method, headers: outgoingHeaders(outgoing.headers) } : { method };
  const attempts: string[] = [];
  let latest: Response | undefined;
  let failure: { readonly cause: unknown } | undefined;
  const fetch: unknown = async (request: Request): Promise<Response> => {
    if (latest !== undefined) void drainBody(latest);
    latest = undefined;
    failure = undefined;
    const index = attempts.push("no response") - 1;
    try {
      const hop = hasHooks
        ? await toHop(request, new Request(outgoing.url, head), outgoing)
        : outgoing;
      latest = await followRedirects(send, hop);
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
    attempts[index] = String(latest.status);
    return latest;
  };
  try {
    const sent = ky(outgoing.url, {
      ...options,
      ...head,
      // Hooks alone see the body.
      body: hasHooks ? bodyOfRequest(outgoing) : undefined,
      fetch,
      signal: isSeen ? send.deadline.signal : undefined,
      retry,
      redirect: "manual",
      timeout: false,
      // Only for an HTTPError does ky retry a status and call `beforeError`.
      throwHttpErrors: true,
    } as Options);
    // A hook may wait for what never comes: for its turn behind this request, for example.
    const response: Response | undefined = await beforeDeadline(send.deadline, sent);
    // ky returns nothing when a hook stops the retries.
    const answer = response ?? latest;
    if (answer === undefined) throw failure?.cause ?? new Error("a hook stopped the retries");
    if (attempts.length === 0) {
      send.warnings.push("Nothing was sent: a beforeRequest hook returned the response");
    }
    return answer;
  } catch (error) {
    // An HTTPError of another call comes from a hook that uses ky itself.
    if (error instanceof HTTPError && (error.options as Options).fetch === fetch) {
      return error.response;
    }
    // The functions of `retry` are called after an attempt.
    const mayBeOfRetry = settings.retry !== undefined && attempts.length > 0;
    const isFromSend = Object.keys(options).length === 0 && !mayBeOfRetry;
    if (isFromSend || failure?.cause === error) throw error;
    throw new HookError("A hook of ky failed", { cause: error });
  } finally {
    if (attempts.length > 1) {
      send.notes.push(`Sent ${attempts.length} times: ${attempts.join(", then ")}`);
    }
  }
}

/** The method of a `Request` if the runtime would change the real one. */
const STAND_IN = "POST";

/**
 * The body that hooks see. Left out is a stream, since ky clones requests, which would buffer all of it, and a body
 * with GET and HEAD, which a `Request` refuses.
 */
function bodyOfRequest({ method, body }: Outgoing): Outgoing["body"] {
  return isStreamed(body) || isBodiless(method) ? undefined : body;
}

/**
 * Converts a request of ky to a hop. What no hook has changed is taken from what was sent to ky, since a `Request`
 * loses the case of header names, text beyond ASCII in them, and on Bun the method.
 *
 * @param original The request before any hook.
 */
async function toHop(request: Request, original: Request, outgoing: Outgoing): Promise<Outgoing> {
  const isChanged = request.method === STAND_IN && isChangedMethod(outgoing.method);
  return {
    method: isChanged ? outgoing.method : request.method,
    url: request.url === original.url ? outgoing.url : new URL(request.url),
    headers: headersOf(request, original, outgoing.headers),
    body: await bodyOf(request, outgoing),
  };
}

function headersOf(
  request: Request,
  original: Request,
  written: Outgoing["headers"],
): Outgoing["headers"] {
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

async function bodyOf(request: Request, { method, body }: Outgoing): Promise<Outgoing["body"]> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength === 0) {
    // A hook that makes another request a GET does not ask for its stream.
    if (isBodiless(method)) return body;
    return isStreamed(body) && !isBodiless(request.method) ? body : undefined;
  }
  if (body === undefined || isStreamed(body)) return bytes;
  const before = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const isSame =
    bytes.byteLength === before.byteLength && bytes.every((byte, at) => byte === before[at]);
  return isSame ? body : bytes;
}

/** The retry options of ky. */
export type KyRetry = Exclude<KyOptions["retry"], number | undefined>;

/** A failure after which a request may be retried. */
export interface RetryState {
  /** What `fetch` has thrown, or an `HTTPError` of ky for a status that is an error. */
  readonly error: Error;
  /** The response, if there is one. */
  readonly response: Response | undefined;
  /** The number of the retry, from 1. */
  readonly retryCount: number;
}

/** When and how often a request is retried, as in ky. */
export interface RetryOptions {
  /** The number of retries; 2 by default. */
  readonly limit?: number | undefined;
  /** The methods to retry; by default GET, PUT, HEAD, DELETE, OPTIONS and QUERY, which are idempotent. */
  readonly methods?: readonly string[] | undefined;
  /** The statuses to retry; by default 408, 413, 429, 500, 502, 503 and 504. Failed connections are always retried. */
  readonly statuses?: readonly number[] | undefined;
  /**
   * Milliseconds before the first retry, each further delay being twice as long; 300 by default. A function gets the
   * number of the retry, from 1, and returns its delay.
   */
  readonly delay?: number | ((retryCount: number) => number) | undefined;
  /**
   * Decides about a retry within `limit` and `methods`: `true` and `false` take precedence over the other options,
   * `undefined` leaves it to them.
   */
  readonly shouldRetry?:
    | ((state: RetryState) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
  /** The maximum delay in milliseconds; no limit by default. */
  readonly maxDelay?: number | undefined;
  /** The maximum `Retry-After` in milliseconds; a longer one ends the retries. */
  readonly maxRetryAfter?: number | undefined;
  /** Whether delays are shortened at random, so that clients do not retry all at once. */
  readonly jitter?: boolean | undefined;
}

const METHODS = ["get", "put", "head", "delete", "options", "query"];

/**
 * Converts a retry option to that of ky.
 *
 * @throws {TypeError} An option is invalid.
 */
export function toKyRetry(retry: number | RetryOptions): KyRetry {
  if (typeof retry === "number")
    return { limit: nonNegative("retry", retry), methods: METHODS as KyRetry["methods"] };
  if (typeof retry !== "object" || retry === null) {
    throw new TypeError(
      `Cannot use retry: ${String(retry)} is neither a number nor an object; write 0 to send once`,
    );
  }
  const { limit = 2, methods, statuses, delay, maxDelay, maxRetryAfter, jitter } = retry;
  const { shouldRetry } = retry;
  const delayOf = typeof delay === "number" ? (count: number) => delay * 2 ** (count - 1) : delay;
  const milliseconds = { ...(typeof delay !== "function" && { delay }), maxDelay, maxRetryAfter };
  for (const [name, value] of Object.entries(milliseconds)) {
    if (value !== undefined) nonNegative(`retry.${name}`, value);
  }
  return {
    limit: nonNegative("retry.limit", limit),
    methods: (methods?.map((method) => method.toLowerCase()) ?? METHODS) as KyRetry["methods"],
    // ky would shorten the delay to the maximum instead.
    shouldRetry: ({ error, retryCount }) =>
      waitOf(error) > (maxRetryAfter ?? Infinity)
        ? false
        : shouldRetry?.({ error, retryCount, response: (error as HTTPError).response }),
    statusCodes: statuses && [...statuses],
    afterStatusCodes: statuses && [...statuses],
    delay: delayOf && ((count: number) => nonNegative("retry.delay", delayOf(count))),
    backoffLimit: maxDelay,
    jitter,
  } as KyRetry;
}

/** The headers from which ky reads how long to wait, in its order. */
const WAITS = [
  "retry-after",
  "ratelimit-reset",
  "x-ratelimit-retry-after",
  "x-ratelimit-reset",
  "x-rate-limit-reset",
];
/** The statuses with which it does. */
const WAIT_STATUSES = [413, 429, 503];
/** A larger number of milliseconds is a time, as in ky. */
const TIMES = Date.parse("2024-01-01");

/** The milliseconds that a response asks to wait; 0 if it does not, NaN if that cannot be read. */
function waitOf(error: unknown): number {
  const { response } = error as { readonly response?: Response };
  const after = WAITS.map((name) => response?.headers.get(name)).find((value) => value) ?? "0";
  const wait = Number(after) * 1000;
  if (Number.isNaN(wait)) return Date.parse(after) - Date.now();
  return wait >= TIMES ? wait - Date.now() : wait;
}

/** Errors that a retry cannot fix. */
const PERMANENT = [UnsendableRequestError, CredentialError, RedirectError, UnansweredError];

/**
 * Adds that some errors are permanent, that a response which asks for more time than there is left is the answer, and
 * that a wait which cannot be read is none; by default there are no retries.
 */
function withinDeadline({ deadline, warnings }: Send, retry: KyOptions["retry"] = 0): KyRetry {
  const options = typeof retry === "number" ? { limit: retry } : retry;
  const { shouldRetry, afterStatusCodes = WAIT_STATUSES } = options;
  return {
    ...options,
    shouldRetry: async (state) => {
      const { error } = state;
      if (PERMANENT.some((kind) => error instanceof kind)) return false;
      const decision = await shouldRetry?.(state);
      const isAsked =
        error instanceof HTTPError && afterStatusCodes.includes(error.response.status);
      if (decision === false || !isAsked) return decision;
      const wait = waitOf(error);
      if (Number.isNaN(wait)) return forgetWait(error.response) ? decision : false;
      if (wait <= deadline.left) return decision;
      warnings.push(
        `Not sent again: the server asks to wait ${Math.ceil(wait / 1000)} s, which is beyond the time limit`,
      );
      return false;
    },
  } as KyRetry;
}

/** Leaves the delay to ky; false if the headers of the response cannot be changed. */
function forgetWait({ headers }: Response): boolean {
  try {
    for (const name of WAITS) headers.delete(name);
    return true;
  } catch {
    // Those of a fetch of the runtime.
    return false;
  }
}
