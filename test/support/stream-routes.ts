import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * /pieces?type=text/event-stream&p=data:1%0A%0A&p=…&ms=5&hang=1 sends each piece by itself, and with
 * `hang` never ends; `length` says beforehand how much there will be.
 */
export function sendPieces(url: URL, _request: IncomingMessage, response: ServerResponse): void {
  const pieces = url.searchParams.getAll("p");
  const pause = Number(url.searchParams.get("ms") ?? 5);
  const type = url.searchParams.get("type");
  response.writeHead(200, {
    ...(type === null ? {} : { "content-type": type }),
    ...(url.searchParams.has("length")
      ? { "content-length": Buffer.byteLength(pieces.join("")) }
      : {}),
  });
  response.flushHeaders();
  const sendNext = (): void => {
    const piece = pieces.shift();
    if (response.destroyed) return;
    if (piece !== undefined) response.write(piece, () => setTimeout(sendNext, pause));
    else if (!url.searchParams.has("hang")) response.end();
  };
  sendNext();
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
