import { combineSecrets, hideCredential, isCredentialHeader } from "../secrets/mod.ts";
import type { Exchange } from "./exchange.ts";

const TEXTUAL = /^text\/|[/+](?:json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql)$/;
const MAX_TEXT = 65_536;

/**
 * Converts an exchange to plain data for `JSON.stringify`: text bodies up to 64 Ki characters, the size
 * of other bodies, credentials and secrets masked.
 */
export function toPlainData(exchange: Exchange): unknown {
  const { mask } = combineSecrets(exchange.secrets);
  const hide = (text: string): string => mask(text);
  const headers = (list: Iterable<readonly [string, string]>): [string, string][] =>
    Array.from(list, ([name, value]) => [
      name,
      isCredentialHeader(name) ? hideCredential(value, hide) : hide(value),
    ]);
  const body = (content: string | Uint8Array | undefined): unknown => {
    if (content === undefined || typeof content === "string") {
      return content === undefined ? undefined : hide(content).slice(0, MAX_TEXT);
    }
    return { bytes: content.byteLength };
  };
  const { request, timing } = exchange;
  return {
    request: {
      ...(request.name === undefined ? {} : { name: request.name }),
      method: request.method,
      url: hide(request.url),
      headers: headers(request.headers),
      body: body(request.body),
    },
    url: hide(exchange.url),
    status: exchange.status,
    statusText: hide(exchange.statusText),
    statusClass: exchange.statusClass,
    headers: headers(exchange.headers),
    body: isTextual(exchange) ? body(exchange.text) : { bytes: exchange.sizes.response.body },
    cut: exchange.cut,
    timing: { ...timing, startedAt: timing.startedAt.toISOString() },
    sizes: exchange.sizes,
    redirects: exchange.redirects.map((redirect) => ({
      ...redirect,
      statusText: hide(redirect.statusText),
      url: hide(redirect.url),
      location: hide(redirect.location),
    })),
    warnings: exchange.warnings.map(hide),
  };
}

function isTextual({ mediaType, sizes }: Exchange): boolean {
  return sizes.response.body === 0 || TEXTUAL.test(mediaType);
}
