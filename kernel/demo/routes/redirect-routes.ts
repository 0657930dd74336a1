import type { Context } from "hono";
import { Problem, type Route, readQuery, respond, respondJson } from "../http/mod.ts";

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
