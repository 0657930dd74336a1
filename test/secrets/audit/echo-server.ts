import http, { type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { acceptSockets } from "../../support/socket-routes.ts";
import { BASE64_AROUND, SPELLINGS } from "../spellings.ts";

/** Answers with secrets in one place. */
type Place = (secrets: readonly string[], response: ServerResponse) => void;

const text =
  (type: string, write: (secrets: readonly string[]) => string): Place =>
  (secrets, response) => {
    response.writeHead(200, { "Content-Type": type }).end(write(secrets));
  };
const lines = (secrets: readonly string[]): string =>
  secrets.map((it) => `it is ${it}!`).join("\n");
const ofName = (secrets: readonly string[]): object[] =>
  secrets.map((it, id) => ({ id, [`field ${id}`]: it, text: `<${it}>`, deep: [{ [it]: it }] }));
const html = (it: string): string =>
  it
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
/** What a header and a reason phrase can hold. */
const printable = (it: string): string =>
  encodeURI(it).replaceAll("%20", " ").replaceAll("%22", '"');

/** Sends a text in pieces of three characters, so that each secret is parted. */
const inPieces =
  (type: string, write: (secrets: readonly string[]) => string): Place =>
  (secrets, response) => {
    response.writeHead(200, { "Content-Type": type });
    const rest = write(secrets).match(/[\s\S]{1,7}/g) ?? [];
    const next = (): void => {
      for (let count = 0; count < 40 && rest.length > 0; count++) response.write(rest.shift());
      if (rest.length === 0) response.end();
      else setImmediate(next);
    };
    next();
  };

/** Every place of an answer that a server can echo a secret in. */
export const PLACES: Readonly<Record<string, Place>> = {
  "status text": (secrets, response) => {
    response.writeHead(418, printable(secrets.join(" and "))).end();
  },
  headers: (secrets, response) => {
    for (const [index, it] of secrets.entries())
      response.setHeader(`X-Echo-${index}`, `is ${printable(it)}`);
    response.setHeader(
      "Link",
      secrets.map((it) => `</a?x=${encodeURIComponent(it)}>; rel="next"`).join(", "),
    );
    response.setHeader("ETag", `"${printable(secrets[0] ?? "")}"`);
    response.end("headers");
  },
  JSON: text("application/json", (secrets) => JSON.stringify(ofName(secrets))),
  "JSON of a scalar": text("application/json", (secrets) => JSON.stringify(lines(secrets))),
  "an object": text("application/json", (secrets) =>
    JSON.stringify(Object.fromEntries(secrets.map((it) => [it, it]))),
  ),
  "broken JSON": text("application/json", (secrets) => `${JSON.stringify(ofName(secrets))},`),
  problem: text("application/problem+json", (secrets) =>
    JSON.stringify({ title: secrets[0], detail: lines(secrets) }),
  ),
  XML: text(
    "application/xml",
    (secrets) => `<a>${secrets.map((it) => `<b c="${html(it)}">${html(it)}</b>`).join("")}</a>`,
  ),
  HTML: text("text/html", (secrets) =>
    secrets.map((it) => `<p title='${html(it)}'>${html(it)}</p>`).join("\n"),
  ),
  plain: text("text/plain", lines),
  markdown: text("text/markdown", lines),
  CSV: text(
    "text/csv",
    (secrets) => `a,b\n${secrets.map((it) => `1,"${it.replaceAll('"', '""')}"`).join("\n")}`,
  ),
  YAML: text("application/yaml", (secrets) =>
    secrets.map((it) => `- a: ${JSON.stringify(it)}`).join("\n"),
  ),
  form: text("application/x-www-form-urlencoded", (secrets) =>
    new URLSearchParams(secrets.map((it, id) => [`f${id}`, it])).toString(),
  ),
  multipart: text(
    "multipart/form-data; boundary=b",
    (secrets) =>
      `${secrets.map((it, id) => `--b\r\nContent-Disposition: form-data; name="f${id}"\r\n\r\n${it}\r\n`).join("")}--b--\r\n`,
  ),
  bytes: text("application/octet-stream", (secrets) => `\0\u0001${lines(secrets)}`),
  SVG: text(
    "image/svg+xml",
    (secrets) =>
      `<svg xmlns="http://www.w3.org/2000/svg">${secrets.map((it) => `<text>${html(it)}</text>`).join("")}</svg>`,
  ),
  "no type": (secrets, response) => void response.end(lines(secrets)),
  JavaScript: text("text/javascript", (secrets) => `f(${JSON.stringify(secrets)})`),
  "JSON Lines": text("application/x-ndjson", (secrets) =>
    secrets.map((it) => `${JSON.stringify({ a: it })}\n`).join(""),
  ),
  events: text("text/event-stream", (secrets) =>
    secrets.map((it) => `event: e\ndata: ${JSON.stringify({ a: it })}\n\n`).join(""),
  ),
  "events in pieces": inPieces("text/event-stream", (secrets) =>
    secrets.map((it) => `data: ${it}\n\n`).join(""),
  ),
  "lines in pieces": inPieces("application/x-ndjson", (secrets) =>
    secrets.map((it) => `${JSON.stringify(it)}\n`).join(""),
  ),
  "text in pieces": inPieces("text/plain", lines),
  spelled: text("text/plain", (secrets) =>
    secrets
      .flatMap((it) =>
        [...Object.values(SPELLINGS), ...Object.values(BASE64_AROUND)].map((spell) => spell(it)),
      )
      .join("\n"),
  ),
  // JSON in JSON would be escaped three times here, which is not undone.
  "spelled in JSON": text("application/json", (secrets) => {
    const { "JSON in JSON": _, ...spellings } = SPELLINGS;
    return JSON.stringify(
      secrets.map((it) =>
        Object.fromEntries(Object.entries(spellings).map(([name, spell]) => [name, spell(it)])),
      ),
    );
  }),
  pairs: text("text/plain", (secrets) =>
    secrets
      .flatMap((it) =>
        [`${it}:ada`, `ada:${it}`].map((pair) => Buffer.from(pair).toString("base64")),
      )
      .join("\n"),
  ),
  compressed: (secrets, response) => {
    const headers = { "Content-Type": "text/plain", "Content-Encoding": "gzip" };
    response.writeHead(200, headers).end(gzipSync(lines(secrets)));
  },
  redirects: (secrets, response) => {
    const query = secrets.map((it, id) => `q${id}=${encodeURIComponent(it)}`).join("&");
    response
      .writeHead(302, printable(secrets[0] ?? ""), {
        Location: `/arrived?${query}#${encodeURIComponent(secrets[1] ?? "")}`,
      })
      .end();
  },
  "a redirect to nowhere": (secrets, response) => {
    response
      .writeHead(302, {
        Location: `http://ada:${encodeURIComponent(secrets[0] ?? "")}@127.0.0.1:1/${encodeURIComponent(secrets[1] ?? "")}?token=${encodeURIComponent(secrets[2] ?? "")}`,
      })
      .end();
  },
  "a body that breaks off": (secrets, response) => {
    response.writeHead(200, { "Content-Type": "text/plain", "Content-Length": "100000" });
    response.write(lines(secrets), () => setTimeout(() => response.destroy(), 30));
  },
  cookies: (secrets, response) => {
    response.setHeader(
      "Set-Cookie",
      secrets.map((it, id) => `c${id}=${encodeURIComponent(it)}; Path=/cookie-${id}`),
    );
    response.end("cookies");
  },
};

/** What hands out secrets that nobody has told before. */
const HANDED_OUT: Readonly<Record<string, (handed: Handed) => object>> = {
  "/token": ({ accessToken, refreshToken }) => ({
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: "Bearer",
    expires_in: 3600,
  }),
  "/login": ({ loginToken }) => ({ user: { name: "ada", session: { token: loginToken } } }),
};

/** Secrets that the server makes up. */
export interface Handed {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly loginToken: string;
  readonly cookie: string;
}

/** A server that knows all secrets and says them in the place that its path names. */
export async function startEcho(
  secrets: readonly string[],
  handed: Handed,
): Promise<{ readonly base: string; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    request.resume();
    const place = PLACES[decodeURIComponent(pathname.slice("/place/".length))];
    if (pathname.startsWith("/place/") && place !== undefined) return place(secrets, response);
    const give = HANDED_OUT[pathname];
    if (pathname === "/login") response.setHeader("Set-Cookie", `sid=${handed.cookie}; Path=/`);
    if (pathname === "/digest" && request.headers.authorization === undefined) {
      response
        .writeHead(401, { "WWW-Authenticate": 'Digest realm="r", nonce="n1", qop="auth"' })
        .end();
      return;
    }
    const body = give?.(handed) ?? { path: request.url, headers: request.headers };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  acceptSockets(server);
  const sockets = new Set<Socket>();
  server.on(
    "connection",
    (socket) => void sockets.add(socket.on("close", () => sockets.delete(socket))),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
