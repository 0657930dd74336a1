import type { IncomingMessage, ServerResponse } from "node:http";

const attempts = new Map<string, number[]>();
const waiting: (() => void)[] = [];
let running = 0;
let most = 0;

type Route = (url: URL, request: IncomingMessage, response: ServerResponse) => void;

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  // /set?cookie=a%3D1&cookie=b%3D2
  [
    "set",
    (url, _request, response) => {
      response.writeHead(200, { "set-cookie": url.searchParams.getAll("cookie") }).end("set");
    },
  ],
  // /login sets a cookie on the redirect itself
  [
    "login",
    (_url, _request, response) => {
      response.writeHead(302, { location: "/show", "set-cookie": "sid=abc; Path=/; HttpOnly" });
      response.end();
    },
  ],
  ["show", (_url, request, response) => void response.end(request.headers.cookie ?? "none")],
  // /retry/key?fail=503,429&after=0 fails so often and so, then tells when it was asked
  [
    "retry",
    (url, request, response) => {
      // Each server counts for itself.
      const key = `${request.headers.host}${url.pathname}`;
      const times = attempts.get(key) ?? [];
      attempts.set(key, [...times, Date.now()]);
      const failures = (url.searchParams.get("fail") ?? "").split(",").filter(Boolean);
      const status = Number(failures[times.length] ?? 200);
      const after = url.searchParams.get("after");
      if (status === 0) return void request.socket.destroy();
      response.writeHead(status, after === null || status === 200 ? {} : { "retry-after": after });
      response.end(
        JSON.stringify([...times, Date.now()].map((time, _index, [first = 0]) => time - first)),
      );
    },
  ],
  // /slow answers after a moment, and knows how many were there at once
  [
    "slow",
    (_url, _request, response) => {
      running++;
      most = Math.max(most, running);
      setTimeout(() => {
        running--;
        response.end("done");
      }, 30);
    },
  ],
  [
    "most",
    (_url, _request, response) => {
      response.end(String(most));
      most = 0;
    },
  ],
  // /patience takes its body when /resume is asked for
  ["patience", (_url, request, response) => void waiting.push(() => void count(request, response))],
  [
    "resume",
    (_url, _request, response) => {
      for (const go of waiting.splice(0)) go();
      response.end("resumed");
    },
  ],
  // An upload may be given up half-way.
  ["upload", (_url, request, response) => void count(request, response).catch(() => undefined)],
  // /forward/307?to=…
  [
    "forward",
    (url, request, response) => {
      request.resume().on("end", () => {
        response.writeHead(Number(url.pathname.split("/")[2]), {
          location: url.searchParams.get("to") ?? "/",
        });
        response.end();
      });
    },
  ],
]);

/** The request listener. */
export function answerRoute(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://localhost");
  const route = ROUTES.get(url.pathname.split("/")[1] ?? "");
  if (route) route(url, request, response);
  else response.writeHead(404).end();
}

async function count(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  const { "content-length": length, "content-encoding": encoding } = request.headers;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ bytes, length, encoding }));
}
