import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { openGate, sendFile, sendPage, sendPieces } from "./stream-routes.ts";

type Route = (url: URL, request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

const COMPRESSIONS = new Map([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
]);

const attempts = new Map<string, number>();

/** Answers by the first part of the path. */
const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["echo", echo],
  // /status/404?reason=Gone%20Fishing
  [
    "status",
    (url, _request, response) => {
      response.writeHead(
        Number(url.pathname.split("/")[2]),
        url.searchParams.get("reason") ?? undefined,
      );
      response.end();
    },
  ],
  // /redirect/302?to=/echo, without `to` there is no Location
  [
    "redirect",
    (url, _request, response) => {
      const to = url.searchParams.get("to");
      const location = to === null ? {} : { location: Buffer.from(to).toString("latin1") };
      response.writeHead(Number(url.pathname.split("/")[2]), location).end("see there");
    },
  ],
  // /hops/3 needs three redirects
  [
    "hops",
    (url, _request, response) => {
      const left = Number(url.pathname.split("/")[2]);
      if (left === 0) response.end("arrived");
      else response.writeHead(302, { location: `/hops/${left - 1}` }).end();
    },
  ],
  ["body", sendBody],
  ["stall", () => undefined],
  // Five of ten bytes, then nothing
  [
    "stall-body",
    (_url, _request, response) => {
      response.writeHead(200, { "content-length": 10 }).write("hello");
    },
  ],
  ["endless", sendForEver],
  ["pieces", sendPieces],
  ["next", openGate],
  ["pages", sendPage],
  ["file", sendFile],
  [
    "cookies",
    (_url, _request, response) => {
      response.writeHead(200, { "set-cookie": ["a=1", "b=2"] }).end();
    },
  ],
  // /flaky/key fails with 503 once for each key
  [
    "flaky",
    (url, _request, response) => {
      const count = (attempts.get(url.pathname) ?? 0) + 1;
      attempts.set(url.pathname, count);
      response.writeHead(count === 1 ? 503 : 200).end(String(count));
    },
  ],
]);

/** The request listener of the well-behaved test server. */
export function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const route = ROUTES.get(url.pathname.split("/")[1] ?? "");
    if (route) route(url, request, response, Buffer.concat(chunks));
    else response.writeHead(404).end();
  });
}

/** Header values are given as hexadecimal bytes too: what went over the wire, not a reading of it. */
function echo(_url: URL, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const headers: Record<string, string> = {};
  const hex: Record<string, string> = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase() ?? "";
    const value = request.rawHeaders[index + 1] ?? "";
    headers[name] = name in headers ? `${headers[name]} | ${value}` : value;
    hex[name] = Buffer.from(value, "latin1").toString("hex");
  }
  response.setHeader("content-type", "application/json");
  const { method, url } = request;
  response.end(
    JSON.stringify({ method, url, headers, hex, body: body.toString(), bytes: body.length }),
  );
}

/** /body?hex=…&type=…&encoding=gzip&short=1 sends these bytes; `short` breaks off half-way. */
function sendBody(url: URL, request: IncomingMessage, response: ServerResponse): void {
  const plain = Buffer.from(url.searchParams.get("hex") ?? "", "hex");
  const encoding = url.searchParams.get("encoding");
  const bytes = COMPRESSIONS.get(encoding ?? "")?.(plain) ?? plain;
  const type = url.searchParams.get("type");
  response.writeHead(200, {
    ...(type === null ? {} : { "content-type": type }),
    ...(encoding === null ? {} : { "content-encoding": encoding }),
    "content-length": bytes.length,
  });
  if (request.method === "HEAD") response.end();
  else if (!url.searchParams.has("short")) response.end(bytes);
  else
    response.write(bytes.subarray(0, bytes.length >> 1), () =>
      setTimeout(() => response.destroy(), 50),
    );
}

function sendForEver(_url: URL, _request: IncomingMessage, response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, "x");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more).on("close", () => response.off("drain", more));
  more();
}
