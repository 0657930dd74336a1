import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import { toVisibleJson, toVisibleLine, toVisibleText } from "../../../lib/display/mod.ts";
import { snapshotValue } from "../../../lib/interpolation/mod.ts";
import {
  type Exchange,
  isExchange,
  maskValue,
  renderJson,
  type Secrets,
  type Value,
} from "../../../lib/mod.ts";
import type { TerminalPrinter } from "../../terminal/mod.ts";
import { isBinary, visibleBody } from "../commands/mod.ts";
import { type BodyStyle, prettyBody } from "./pretty-body.ts";

/** What is written of a result. */
export type Form = "shown" | "json" | "body" | "headers" | "quiet";

export interface ResultOutput {
  readonly printer: TerminalPrinter;
  readonly isTerminal: boolean;
  readonly style: BodyStyle;
  /** Masked at a terminal; a pipe gets data unchanged. */
  readonly secrets: Secrets;
  write(data: string | Uint8Array): void;
}

type Write = (value: unknown, output: ResultOutput) => void;

export const WRITE_RESULT: Readonly<Record<Form, Write>> = {
  shown: (value, { printer }) => printer.value(value),
  quiet: () => undefined,
  json: (value, { isTerminal, secrets, write }) => {
    const data = isExchange(value) ? exchangeData(value) : toData(value);
    // Masked as data, so that the output stays valid JSON.
    const shown = isTerminal ? (maskValue(data, secrets) as Value) : data;
    write(`${toVisibleJson(renderJson(shown))}\n`);
  },
  headers: (value, { isTerminal, secrets, write }) => {
    if (!isExchange(value)) return;
    const lines = [`${value.status} ${value.statusText}`.trim()];
    for (const [name, content] of value.headers) lines.push(`${name}: ${content}`);
    write(
      lines.map((line) => `${isTerminal ? toVisibleLine(secrets.mask(line)) : line}\n`).join(""),
    );
  },
  body: (value, output) => {
    if (isExchange(value)) writeBody(value, output);
    else if (value !== undefined) {
      const text = typeof value === "string" ? value : renderJson(toData(value));
      output.write(`${output.isTerminal ? toVisibleText(output.secrets.mask(text)) : text}\n`);
    }
  },
};

function writeBody(exchange: Exchange, { isTerminal, style, secrets, write }: ResultOutput): void {
  const { bytes, mediaType } = exchange;
  const isData = !isTerminal && !style.format && !style.color;
  if (isData || bytes.length === 0 || (!isTerminal && isBinary(bytes))) {
    write(bytes);
    return;
  }
  const visible = isTerminal
    ? visibleBody(exchange, "redirect them to a file", [secrets])
    : exchange.text;
  const shown = prettyBody(visible, mediaType, style);
  write(shown.endsWith("\n") || !isTerminal ? shown : `${shown}\n`);
}

/** An exchange with its whole body as JSON, text or base64. */
function exchangeData(exchange: Exchange): Value {
  const { body: _body, ...rest } = exchange.toJSON() as Readonly<Record<string, unknown>>;
  const head = snapshotValue(JSON.parse(JSON.stringify(rest)), "exchange");
  return { ...(head as Readonly<Record<string, Value>>), ...bodyData(exchange) };
}

function bodyData(exchange: Exchange): Readonly<Record<string, Value>> {
  try {
    if (/[/+]json$/.test(exchange.mediaType) && exchange.json !== undefined) {
      return { json: exchange.json };
    }
  } catch {
    // Invalid JSON is written as text.
  }
  const { bytes, text } = exchange;
  const isText = !isBinary(bytes) && !text.includes("\ufffd");
  if (isText) return { body: text };
  const { buffer, byteOffset, byteLength } = bytes;
  return { base64: Buffer.from(buffer, byteOffset, byteLength).toString("base64") };
}

/** The value itself if it is data, else its text as on a console. */
function toData(value: unknown): Value {
  if (value === undefined) return null;
  try {
    return snapshotValue(value as Value, "result");
  } catch {
    return inspect(value);
  }
}

/** Describes in one line why a result could not be shown. */
export function describeShowError(error: unknown): string {
  const [reason] = String(error instanceof Error ? error.message : error).split("\n", 1);
  return `The result could not be shown: ${reason}`;
}
