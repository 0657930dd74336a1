import type { Exchange, Secrets } from "../../../lib/mod.ts";
import { show } from "../../session/mod.ts";
import type { ExchangeSummary } from "./results.ts";
import { shorten } from "./shorten.ts";

/** The members of `exchange.toJSON()` that a summary needs. */
interface PlainExchange {
  readonly request: { readonly method: string; readonly url: string };
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | { readonly bytes: number };
}

const MAX_TEXT = 8_000;

/** Summarizes an exchange; its secrets are masked. */
export function summarizeExchange(
  exchange: Exchange,
  secrets: Secrets,
  { isFailed, withHtml }: { readonly isFailed: boolean; readonly withHtml: boolean },
): ExchangeSummary {
  const html = withHtml ? show(exchange, secrets).bundle()["text/html"] : undefined;
  const { method } = exchange.request;
  const summary = {
    method,
    url: secrets.mask(exchange.request.url),
    status: exchange.status,
    duration: exchange.timing.total,
    warnings: exchange.warnings.map((one) => secrets.mask(one)),
    ...(typeof html === "string" && { html }),
  };
  if (!isFailed) return summary;
  const plain = exchange.toJSON() as PlainExchange;
  const { request } = plain;
  return {
    ...summary,
    url: request.url,
    request: shorten(secrets.mask(exchange.toHttp()), MAX_TEXT),
    response: shorten(secrets.mask(responseText(exchange.status, plain)), MAX_TEXT),
  };
}

function responseText(status: number, { statusText, headers, body }: PlainExchange): string {
  const head = [`HTTP ${status} ${statusText}`.trim()];
  for (const [name, value] of headers) head.push(`${name}: ${value}`);
  const content = typeof body === "string" ? body : `(${body.bytes} bytes)`;
  return `${head.join("\n")}\n\n${content}`.trimEnd();
}
