import { type DisplayData, type Exchange, jupyterDisplay, type Untyped } from "../exchange/mod.ts";
import type { RequestInput, RequestSpec } from "../http/mod.ts";
import { messageOf } from "../interpolation/mod.ts";
import type { ClientContext } from "./client-session.ts";

/** The result of one of many requests. */
export interface ManyResult<Body = Untyped> {
  /** The number of the request, from 1. */
  readonly n: number;
  /** The request as it was given. */
  readonly request: RequestInput;
  /** Whether there is a response, there is none, or the request was not sent. */
  readonly state: "answered" | "failed" | "not sent";
  /** Whether the status of the response is 200 to 299. */
  readonly ok: boolean;
  /** The exchange; of a text with several requests, the last one. */
  readonly exchange?: Exchange<Body> | undefined;
  /** All exchanges; more than one if a text has several requests. */
  readonly exchanges: readonly Exchange[];
  /** Why there is no response. */
  readonly error?: unknown;
  /** Why it was not sent. */
  readonly reason?: string | undefined;
  /** Milliseconds until it failed. */
  readonly milliseconds?: number | undefined;
}

/** The results of many requests, in their order. Displayed as one table. */
export interface ManyResults<Body = Untyped> extends Iterable<ManyResult<Body>> {
  /** How many requests there were. */
  readonly length: number;
  /** Whether every request has a response of status 200 to 299. */
  readonly ok: boolean;
  /** One result per request. */
  readonly results: readonly ManyResult<Body>[];
  /** All exchanges. */
  readonly exchanges: readonly Exchange[];
  /** The results that are not `ok`. */
  readonly failed: readonly ManyResult<Body>[];
  /** The numbers of results, in one line. */
  readonly summary: string;
  /** The results as plain rows without secrets, for `JSON.stringify`. */
  toJSON(): readonly ResultRow[];
  /** The table as plain text. */
  toString(): string;
  /** The table, by media type. */
  [jupyterDisplay](): DisplayData;
}

/** A result as a row of a table. */
export interface ResultRow {
  /** The number of the request, from 1. */
  readonly n: number;
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** The status, if there is a response. */
  readonly status?: number | undefined;
  /** Milliseconds until it ended. */
  readonly ms?: number | undefined;
  /** Bytes of the body. */
  readonly bytes?: number | undefined;
  /** Why there is no response. */
  readonly error?: string | undefined;
}

/** Creates the results of many requests. */
export function createResults<Body>(
  results: readonly ManyResult<Body>[],
  { session: { secrets }, showRows }: ClientContext,
): ManyResults<Body> {
  const mask = (text: string): string => secrets.mask(text);
  const rows = (): readonly ResultRow[] => results.flatMap((result) => rowsOf(result, mask));
  const failed = results.filter(({ ok }) => !ok);
  const summary = summarize(results);
  const shown = {
    length: results.length,
    ok: failed.length === 0,
    results,
    exchanges: results.flatMap(({ exchanges }) => exchanges),
    failed,
    summary,
    toJSON: rows,
    [Symbol.iterator]: () => results[Symbol.iterator](),
  };
  return Object.freeze(showRows(shown, rows, { summary, times: ["ms"] }));
}

function rowsOf(result: ManyResult, mask: (text: string) => string): readonly ResultRow[] {
  const answered = result.exchanges.map(
    ({ request, status, timing, sizes }): ResultRow => ({
      n: result.n,
      method: request.method,
      url: mask(request.url),
      status,
      ms: Math.round(timing.total),
      bytes: sizes.response.body,
    }),
  );
  if (result.state === "answered") return answered;
  const { method, url } = headlineOf(result.request);
  const error = result.state === "failed" ? messageOf(result.error) : `not sent: ${result.reason}`;
  const { milliseconds } = result;
  const lost: ResultRow = {
    n: result.n,
    method,
    url: mask(url),
    ...(milliseconds === undefined ? {} : { ms: Math.round(milliseconds) }),
    error: mask(error),
  };
  return [...answered, lost];
}

/** The method and the URL of a request that has no exchange. */
function headlineOf(request: RequestInput): { method: string; url: string } {
  if (request instanceof URL) return { method: "GET", url: request.href };
  if (typeof request !== "string") {
    // What a program passed may be no request at all, which is why it was not sent.
    const { method = "GET", url = "" } = Object(request) as Partial<RequestSpec>;
    return { method: String(method), url: String(url) };
  }
  const lines = request.split(/\r\n?|\n/).map((line) => line.trim());
  const line = lines.find((it) => it !== "" && !/^(?:#|\/\/|@)/.test(it)) ?? "";
  const [first = "", second] = line.split(/\s+/);
  return second === undefined ? { method: "GET", url: first } : { method: first, url: second };
}

function summarize(results: readonly ManyResult[]): string {
  const count = (test: (result: ManyResult) => boolean): number => results.filter(test).length;
  const parts: readonly (readonly [number, string])[] = [
    [count(({ ok }) => ok), "ok"],
    [count(({ state, ok }) => state === "answered" && !ok), "with another status"],
    [count(({ state }) => state === "failed"), "without a response"],
    [count(({ state }) => state === "not sent"), "not sent"],
  ];
  const counts = parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number} ${what}`);
  const noun = results.length === 1 ? "request" : "requests";
  return `${results.length} ${noun}${counts.length === 0 ? "" : `: ${counts.join(", ")}`}`;
}
