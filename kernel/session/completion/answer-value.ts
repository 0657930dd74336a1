import type { Exchange } from "../../../lib/mod.ts";

/**
 * What the placeholders of a named request reach into: `response`, `request`, and the properties of
 * a JSON body by themselves.
 */
export function readAnswer(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { request, status, statusText, url, headers, timing } = exchange;
  const body = readBody(exchange);
  const parts = {
    response: {
      status,
      statusText,
      url,
      headers: Object.fromEntries(headers),
      body,
      time: timing.total,
    },
    request: {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: request.body ?? "",
    },
  };
  // A property of the body that is called `response` comes after `response.body`.
  return typeof body === "object" ? { ...body, ...parts } : parts;
}

function readBody(exchange: Exchange): unknown {
  try {
    return exchange.json ?? exchange.text;
  } catch {
    // It is not JSON, whatever its header says.
    return exchange.text;
  }
}
