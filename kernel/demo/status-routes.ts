import { setTimeout } from "node:timers/promises";
import type { Context } from "hono";
import { Problem, type Route, readQuery, reasonPhrase, respond, respondJson } from "./http.ts";

/** Headers that a status requires (RFC 9110, section 15). */
const HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  201: { Location: "/users/1" },
  300: { Location: "/users/1" },
  301: { Location: "/users/1" },
  302: { Location: "/users/1" },
  303: { Location: "/users/1" },
  304: { ETag: '"demo"' },
  307: { Location: "/users/1" },
  308: { Location: "/users/1" },
  401: { "WWW-Authenticate": 'Basic realm="restlab demo"' },
  405: { Allow: "" },
  407: { "Proxy-Authenticate": 'Basic realm="restlab demo"' },
  416: { "Content-Range": "bytes */0" },
  429: { "Retry-After": "1" },
  503: { "Retry-After": "1" },
};

/** Answers with the status that the path names. */
export const statusRoutes: readonly Route[] = [
  {
    method: "ANY",
    path: "/status/:code",
    summary: "Answers with any status from 200 to 599",
    example: "/status/503",
    handle({ req }) {
      const text = req.param("code") ?? "";
      const status = /^\d{3}$/.test(text) ? Number(text) : 0;
      if (status < 200 || status > 599) throw unsendable(text, status);
      const headers = HEADERS[status] ?? {};
      if (status >= 400) throw new Problem(status, "This status was asked for", { headers });
      return respondJson(status, { status, title: reasonPhrase(status) }, headers);
    },
  },
];

function unsendable(text: string, status: number): Problem {
  const reason =
    status >= 100 && status < 200
      ? "a 1xx status is interim and cannot be the answer; use 200 to 599"
      : "use a whole number from 200 to 599";
  return new Problem(400, `Status "${text}" cannot be sent: ${reason}`);
}

const LONGEST_WAIT = 60_000;

/** An answer that takes as long as the query says. */
export const slowRoutes: readonly Route[] = [
  {
    method: "ANY",
    path: "/slow",
    summary: `Answers after ms milliseconds (1000; at most ${LONGEST_WAIT})`,
    example: "/slow?ms=250",
    async handle(context) {
      const query = readQuery(context);
      const waited = query.integer("ms", { fallback: 1000, min: 0, max: LONGEST_WAIT });
      query.finish();
      const { signal } = context.req.raw;
      await setTimeout(waited, undefined, { signal }).catch(() => {
        throw new Problem(503, "The client disconnected");
      });
      return respondJson(200, { waited });
    },
  },
];

const STATUSES = ["301", "302", "303", "307", "308"];
const MAX_HOPS = 100;
/** A base for relative targets; `.invalid` is never a real host. */
const HERE = "http://here.invalid";

/** Redirects: a chain of hops, and one to a target on this machine. */
export const redirectRoutes: readonly Route[] = [
  {
    method: "ANY",
    path: "/redirect/:hops",
    summary: `Redirects that many times (0 to ${MAX_HOPS}); status (${STATUSES.join(", ")})`,
    example: "/redirect/3?status=307",
    handle(context) {
      const text = context.req.param("hops") ?? "";
      const hops = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
      if (!(hops <= MAX_HOPS)) {
        throw new Problem(400, `Hops have to be a number from 0 to ${MAX_HOPS}: "${text}"`);
      }
      const status = readStatus(context);
      if (hops === 0) return respondJson(200, { arrived: true, method: context.req.method });
      const query = status === 302 ? "" : `?status=${status}`;
      return respond(status, { Location: `/redirect/${hops - 1}${query}` });
    },
  },
  {
    method: "ANY",
    path: "/redirect-to",
    summary: "Redirects to url, which has to be a path or on this machine; status as above",
    example: "/redirect-to?url=/users/1",
    handle(context) {
      const target = context.req.query("url");
      if (target === undefined) throw invalidQuery("url", "is missing");
      return respond(readStatus(context), { Location: safeTarget(target) });
    },
  },
];

function readStatus(context: Context): number {
  const query = readQuery(context);
  const status = query.oneOf("status", STATUSES);
  query.finish();
  return Number(status ?? 302);
}

/** Loopback only: an open redirect would let others hide where a link leads. */
function safeTarget(text: string): string {
  if (!URL.canParse(text, HERE)) throw invalidQuery("url", `is not a URL: "${text}"`);
  const url = new URL(text, HERE);
  if (url.origin === HERE) return url.pathname + url.search + url.hash;
  const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (loopback && /^https?:$/.test(url.protocol)) return url.href;
  throw invalidQuery("url", `has to be a path or a loopback address: "${text}"`);
}

function invalidQuery(parameter: string, detail: string): Problem {
  return new Problem(400, "The query is not valid", { errors: [{ parameter, detail }] });
}
