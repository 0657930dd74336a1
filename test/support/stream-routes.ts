import type { IncomingMessage, ServerResponse } from "node:http";

/** What sends the next piece, by the name of the gate that it waits at. */
const gates = new Map<string, () => void>();

/**
 * /pieces?type=text/event-stream&p=data:1%0A%0A&p=…&ms=5&hang=1 sends each piece by itself, and with
 * `hang` never ends; `length` says beforehand how much there will be. With `gate=name` each further piece waits
 * for /next/name: what was read before cannot come together with it, however slow a client is. With `to` it is the
 * body of a redirect.
 */
export function sendPieces(url: URL, _request: IncomingMessage, response: ServerResponse): void {
  const pieces = url.searchParams.getAll("p");
  const pause = Number(url.searchParams.get("ms") ?? 5);
  const type = url.searchParams.get("type");
  const gate = url.searchParams.get("gate");
  const to = url.searchParams.get("to");
  response.writeHead(to === null ? 200 : 302, {
    ...(to === null ? {} : { location: to }),
    ...(type === null ? {} : { "content-type": type }),
    ...(url.searchParams.has("length")
      ? { "content-length": Buffer.byteLength(pieces.join("")) }
      : {}),
  });
  response.flushHeaders();
  const sendNext = (): void => {
    const piece = pieces.shift();
    if (response.destroyed) return;
    if (piece !== undefined && gate !== null) {
      gates.set(gate, sendNext);
      response.write(piece);
    } else if (piece !== undefined) response.write(piece, () => setTimeout(sendNext, pause));
    else if (!url.searchParams.has("hang")) response.end();
  };
  sendNext();
}

/**
 * /file?text=…&tag=…&drop=3 sends a text with its ETag, or the range of it that is asked for; `drop` ends the connection
 * after so many bytes, and `whole` ignores ranges.
 */
export function sendFile(url: URL, request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = url;
  const text = searchParams.get("text") ?? "";
  const etag = `"${searchParams.get("tag") ?? "1"}"`;
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1];
  const condition = request.headers["if-range"] ?? etag;
  const isWhole = asked === undefined || condition !== etag || searchParams.has("whole");
  const start = isWhole ? 0 : Number(asked);
  if (start >= text.length && !isWhole) {
    response.writeHead(416, { "content-range": `bytes */${text.length}` }).end();
    return;
  }
  const range = { "content-range": `bytes ${start}-${text.length - 1}/${text.length}` };
  const length = { "content-length": text.length - start };
  response.writeHead(isWhole ? 200 : 206, { etag, ...length, ...(isWhole ? {} : range) });
  const drop = searchParams.get("drop");
  if (drop === null) response.end(text.slice(start));
  else response.write(text.slice(start, Number(drop)), () => response.destroy());
}

/** /next/name sends the next piece of /pieces?gate=name. */
export function openGate(url: URL, _request: IncomingMessage, response: ServerResponse): void {
  gates.get(url.pathname.split("/")[2] ?? "")?.();
  response.end();
}

/**
 * /pages/link?size=2&total=5&page=1 and its kin: one listing, paged in three ways. With `says` it tells
 * its length: in a `header`, a `range` or a `field`; `drop` ends the connection at an offset.
 */
export function sendPage(url: URL, _request: IncomingMessage, response: ServerResponse): void {
  const { searchParams, pathname } = url;
  const size = Number(searchParams.get("size") ?? 2);
  const total = Number(searchParams.get("total") ?? 5);
  const items = Array.from({ length: total }, (_, index) => ({ id: index + 1 }));
  const slice = (start: number): unknown[] => items.slice(start, start + size);
  response.setHeader("content-type", "application/json");
  const offset = Number(searchParams.get("offset") ?? 0);
  const says = searchParams.get("says");
  if (says === "header") response.setHeader("x-total-count", String(total));
  if (says === "range") response.setHeader("content-range", `items ${offset}-${offset}/${total}`);
  const style = pathname.split("/")[2];
  if (searchParams.get("fail") === (searchParams.get("page") ?? "1")) {
    response.writeHead(500).end('{"error":"broken page"}');
  } else if (style === "link") {
    const page = Number(searchParams.get("page") ?? 1);
    searchParams.set("page", String(page + 1));
    const link = `<${pathname}?${searchParams}>; rel="next", </first>; rel=first`;
    if (page * size < total) response.setHeader("link", link);
    response.end(JSON.stringify(slice((page - 1) * size)));
  } else if (style === "cursor") {
    const start = Number(searchParams.get("cursor") ?? 0);
    const next = start + size < total ? String(start + size) : null;
    response.end(JSON.stringify({ data: { items: slice(start) }, paging: { next } }));
  } else if (style === "loop") {
    response.setHeader("link", `<${pathname}?${searchParams}>; rel="next"`);
    response.end(JSON.stringify(slice(0)));
  } else {
    if (searchParams.get("drop") === String(offset)) response.destroy();
    const list = slice(style === "page" ? (Number(searchParams.get("page")) - 1) * size : offset);
    response.end(JSON.stringify(says === "field" ? { total, meta: { total }, list } : list));
  }
}
