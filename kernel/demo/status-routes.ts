import { setTimeout } from "node:timers/promises";
import { Problem, type Route, readQuery, reasonPhrase, respond, respondJson } from "./http.ts";

const USER = { Location: "/users/1" };
const LATER = { "Retry-After": "1" };

/** Headers that a status requires (RFC 9110, section 15). */
const HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  201: USER,
  300: USER,
  301: USER,
  302: USER,
  303: USER,
  304: { ETag: '"demo"' },
  307: USER,
  308: USER,
  401: { "WWW-Authenticate": 'Basic realm="restlab demo"' },
  405: { Allow: "" },
  407: { "Proxy-Authenticate": 'Basic realm="restlab demo"' },
  416: { "Content-Range": "bytes */0" },
  429: LATER,
  503: LATER,
};

const REDIRECTS = ["301", "302", "303", "307", "308"];
const MAX_HOPS = 100;
const LONGEST_WAIT = 60_000;

/** Answers with the status that the path names, after redirects, or after a while. */
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
  {
    method: "ANY",
    path: "/redirect/:hops",
    summary: `Redirects that many times (0 to ${MAX_HOPS}); status (${REDIRECTS.join(", ")})`,
    example: "/redirect/3?status=307",
    handle(context) {
      const text = context.req.param("hops") ?? "";
      const hops = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
      if (!(hops <= MAX_HOPS)) {
        throw new Problem(400, `Hops have to be a number from 0 to ${MAX_HOPS}: "${text}"`);
      }
      const query = readQuery(context);
      const status = query.oneOf("status", REDIRECTS) ?? "302";
      query.finish();
      if (hops === 0) return respondJson(200, { arrived: true, method: context.req.method });
      const next = status === "302" ? "" : `?status=${status}`;
      return respond(Number(status), { Location: `/redirect/${hops - 1}${next}` });
    },
  },
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

function unsendable(text: string, status: number): Problem {
  const reason =
    status >= 100 && status < 200
      ? "a 1xx status is interim and cannot be the answer; use 200 to 599"
      : "use a whole number from 200 to 599";
  return new Problem(400, `Status "${text}" cannot be sent: ${reason}`);
}
