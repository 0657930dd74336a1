import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import { toVisibleJson } from "../../lib/display/mod.ts";
import { contentOf, dataFormat, isTextual } from "../../lib/exchange/mod.ts";
import { snapshotValue } from "../../lib/interpolation/mod.ts";
import {
  type Exchange,
  isExchange,
  maskValue,
  renderJson,
  type Secrets,
  type Value,
} from "../../lib/mod.ts";
import { isJsonType } from "../../lib/request/mod.ts";

/**
 * A result as one line of JSON, for `--json`.
 *
 * @param secrets Masked at a terminal; a pipe gets data unchanged.
 */
export function jsonLine(value: unknown, secrets: Secrets | undefined): string {
  const data = isExchange(value) ? exchangeData(value) : resultData(value);
  // Masked as data, so that the output stays valid JSON.
  const shown = secrets === undefined ? data : (maskValue(data, secrets) as Value);
  return toVisibleJson(renderJson(shown));
}

/** An exchange with its whole body as JSON, text or base64. */
function exchangeData(exchange: Exchange): Value {
  const { body: _body, ...rest } = exchange.toJSON() as Readonly<Record<string, unknown>>;
  const head = snapshotValue(JSON.parse(JSON.stringify(rest)), "exchange");
  return { ...(head as Readonly<Record<string, Value>>), ...bodyData(exchange) };
}

function bodyData(exchange: Exchange): Readonly<Record<string, Value>> {
  try {
    const isData = dataFormat(exchange.mediaType, contentOf(exchange)) !== undefined;
    if ((isData || isJsonType(exchange.mediaType)) && exchange.json !== undefined) {
      return { json: snapshotValue(exchange.json as Value, "json") };
    }
  } catch {
    // Invalid JSON is written as text.
  }
  const { bytes, text } = exchange;
  if (isTextual(exchange) && !text.includes("\ufffd")) return { body: text };
  const { buffer, byteOffset, byteLength } = bytes;
  return { base64: Buffer.from(buffer, byteOffset, byteLength).toString("base64") };
}

/** The value itself if it is data, else its text as on a console. */
export function resultData(value: unknown): Value {
  if (value === undefined) return null;
  try {
    return snapshotValue(value as Value, "result");
  } catch {
    return inspect(value);
  }
}
