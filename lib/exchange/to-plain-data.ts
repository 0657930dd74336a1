import { combineSecrets } from "../secrets/mod.ts";
import type { Exchange } from "./exchange.ts";
import { maskExchange } from "./masked-exchange.ts";

const TEXTUAL = /^text\/|[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql)$/;
const MAX_TEXT = 65_536;

/**
 * Converts an exchange to plain data for `JSON.stringify`: text bodies up to 64 Ki characters, the size
 * of other bodies, credentials and secrets masked.
 */
export function toPlainData(exchange: Exchange): unknown {
  const masked = maskExchange(exchange, combineSecrets(exchange.secrets));
  const body = (content: string | Uint8Array | undefined, mediaType: string): unknown => {
    if (content === undefined) return undefined;
    if (typeof content !== "string") return { bytes: content.byteLength };
    return masked.masker.body(content, mediaType, MAX_TEXT).slice(0, MAX_TEXT);
  };
  const { request, timing } = exchange;
  const { method, url, headers } = masked.request;
  return {
    request: {
      ...(request.name === undefined ? {} : { name: request.name }),
      method,
      url,
      headers,
      body: body(request.body, ""),
    },
    url: masked.url,
    status: exchange.status,
    statusText: masked.statusText,
    statusClass: exchange.statusClass,
    headers: masked.headers,
    body: isTextual(exchange)
      ? body(exchange.text, exchange.mediaType)
      : { bytes: exchange.sizes.response.body },
    cut: exchange.cut,
    timing: { ...timing, startedAt: timing.startedAt.toISOString() },
    sizes: exchange.sizes,
    redirects: masked.redirects,
    warnings: masked.warnings,
    notes: masked.notes,
    assertions: masked.assertions,
  };
}

function isTextual({ mediaType, sizes }: Exchange): boolean {
  return sizes.response.body === 0 || TEXTUAL.test(mediaType);
}
