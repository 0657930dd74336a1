import { Problem, type Route, reasonPhrase, respondJson } from "../http/mod.ts";

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
