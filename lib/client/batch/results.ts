import {
  type DisplayData,
  denoInspect,
  type Exchange,
  jupyterDisplay,
  nodeInspect,
  type Show,
} from "../../exchange/mod.ts";
import type { RequestSpec } from "../../http/mod.ts";

/** What became of one of many requests. */
export interface ManyResult {
  /** Its place among the requests, from 1. */
  readonly n: number;
  /** The request as it was given. */
  readonly request: string | RequestSpec;
  /** Whether an answer came, none came, or the request was not sent. */
  readonly state: "answered" | "failed" | "not sent";
  /** True where the answer's status is 200 to 299. */
  readonly ok: boolean;
  /** The answer; of a text with several requests the last one. */
  readonly exchange?: Exchange;
  /** All answers that came; more than one where a text held several requests. */
  readonly exchanges: readonly Exchange[];
  /** Why no answer came. */
  readonly error?: unknown;
  /** Why it was not sent. */
  readonly reason?: string;
  /** How long it took until it failed. */
  readonly milliseconds?: number;
}

/** What became of many requests, in their order. It shows itself as one table. */
export interface ManyResults extends Iterable<ManyResult> {
  /** How many requests there were. */
  readonly length: number;
  /** True where every request has an answer of status 200 to 299. */
  readonly ok: boolean;
  /** One result for each request. */
  readonly results: readonly ManyResult[];
  /** The answers that came. */
  readonly exchanges: readonly Exchange[];
  /** The results that are not `ok`. */
  readonly failed: readonly ManyResult[];
  /** What there is in it, in a line. */
  readonly summary: string;
  /** The results as plain rows, secrets hidden, for `JSON.stringify`. */
  toJSON(): readonly ResultRow[];
  /** The table as plain text. */
  toString(): string;
  /** How the results look, by media type. */
  [jupyterDisplay](): DisplayData;
}

/** A result as a line of a table. */
export interface ResultRow {
  /** Its place among the requests, from 1. */
  readonly n: number;
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** The status, where an answer came. */
  readonly status?: number;
  /** Milliseconds until it ended. */
  readonly ms?: number;
  /** Bytes of the body. */
  readonly bytes?: number;
  /** Why there is no answer. */
  readonly error?: string;
}

/** Creates the results of many requests. */
export function createResults(
  results: readonly ManyResult[],
  access: { readonly show: Show; mask(text: string): string },
): ManyResults {
  const mask = (text: string): string => access.mask(text);
  const rows = (): readonly ResultRow[] => results.flatMap((result) => rowsOf(result, mask));
  const failed = results.filter(({ ok }) => !ok);
  const summary = summarize(results);
  const display = (): DisplayData => {
    const shown = access.show(rows());
    return { ...shown, "text/plain": `${summary}\n${shown["text/plain"]}` };
  };
  return Object.freeze({
    length: results.length,
    ok: failed.length === 0,
    results,
    exchanges: results.flatMap(({ exchanges }) => exchanges),
    failed,
    summary,
    toJSON: rows,
    toString: () => display()["text/plain"],
    [Symbol.iterator]: () => results[Symbol.iterator](),
    [jupyterDisplay]: display,
    ...{
      [nodeInspect]: () => display()["text/plain"],
      [denoInspect]: () => display()["text/plain"],
    },
  });
}

function rowsOf(result: ManyResult, hide: (text: string) => string): readonly ResultRow[] {
  const answered = result.exchanges.map(
    ({ request, status, timing, sizes }): ResultRow => ({
      n: result.n,
      method: request.method,
      url: hide(request.url),
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
    url: hide(url),
    ...(milliseconds === undefined ? {} : { ms: Math.round(milliseconds) }),
    error: hide(error),
  };
  return [...answered, lost];
}

/** The request line of a text, or what stands in its place in a spec. */
function headlineOf(request: string | RequestSpec): { method: string; url: string } {
  if (typeof request !== "string") return { method: request.method ?? "GET", url: request.url };
  const lines = request.split(/\r\n?|\n/).map((line) => line.trim());
  const line = lines.find((it) => it !== "" && !/^(?:#|\/\/|@)/.test(it)) ?? "";
  const [first = "", second] = line.split(/\s+/);
  return second === undefined ? { method: "GET", url: first } : { method: first, url: second };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function summarize(results: readonly ManyResult[]): string {
  const count = (test: (result: ManyResult) => boolean): number => results.filter(test).length;
  const parts: readonly (readonly [number, string])[] = [
    [count(({ ok }) => ok), "ok"],
    [count(({ state, ok }) => state === "answered" && !ok), "with another status"],
    [count(({ state }) => state === "failed"), "without an answer"],
    [count(({ state }) => state === "not sent"), "not sent"],
  ];
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const noun = results.length === 1 ? "request" : "requests";
  return `${results.length} ${noun}${told.length === 0 ? "" : `: ${told.join(", ")}`}`;
}
