import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import { toVisibleJson } from "../../lib/display/mod.ts";
import { contentOf, dataFormat, isChecked, isTextual } from "../../lib/exchange/mod.ts";
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

/** In bytes: a longer body of JSON is written as it came, since its value takes several times as much memory. */
const LONG_JSON = 1024 * 1024;

/**
 * A result as one line of JSON, for `--json`, in pieces, so that a long body does not stand in memory twice.
 *
 * @param secrets Masked at a terminal; a pipe gets data unchanged.
 */
export function* jsonLine(value: unknown, secrets: Secrets | undefined): Iterable<string> {
  const text = secrets === undefined && isExchange(value) ? longJsonOf(value) : undefined;
  if (isExchange(value) && text !== undefined) {
    yield `${toVisibleJson(renderJson(headData(value)).slice(0, -1))},"json":`;
    // A line break in JSON is never within a string.
    for (const piece of cutJson(text)) {
      yield toVisibleJson(piece.replace(/[\n\r\t][\n\r\t ]*/g, ""));
    }
    yield "}\n";
    return;
  }
  const data = isExchange(value) ? { ...headData(value), ...bodyData(value) } : resultData(value);
  // Masked as data, so that the output stays valid JSON.
  const shown = secrets === undefined ? data : (maskValue(data, secrets) as Value);
  yield `${toVisibleJson(renderJson(shown))}\n`;
}

/** The text of a long body of JSON that was received as it is, and not checked into another value. */
function longJsonOf(exchange: Exchange): string | undefined {
  const content = contentOf(exchange);
  if (content.length < LONG_JSON || isChecked(exchange)) return undefined;
  if (!isJsonType(exchange.mediaType) || dataFormat(exchange.mediaType, content) !== undefined) {
    return undefined;
  }
  const { text } = exchange;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

/** Cuts JSON behind commas, so that no piece begins within a character. */
function* cutJson(text: string): Iterable<string> {
  for (let start = 0; start < text.length; ) {
    const comma = text.indexOf(",", start + LONG_JSON);
    const end = comma === -1 ? text.length : comma + 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** An exchange but for the body of its response. */
function headData(exchange: Exchange): Readonly<Record<string, Value>> {
  const { body: _body, ...rest } = exchange.toJSON() as Readonly<Record<string, unknown>>;
  const head = snapshotValue(JSON.parse(JSON.stringify(rest)), "exchange");
  return head as Readonly<Record<string, Value>>;
}

/** The body as JSON, text or base64. */
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
