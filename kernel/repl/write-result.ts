import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import { toVisibleJson, toVisibleLine, toVisibleText } from "../../lib/display/mod.ts";
import { snapshotValue } from "../../lib/interpolation/mod.ts";
import {
  type Exchange,
  isExchange,
  maskValue,
  renderJson,
  type Secrets,
  type Value,
} from "../../lib/mod.ts";
import type { TerminalPrinter } from "../terminal/mod.ts";
import { isBinary, visibleBody } from "./commands/mod.ts";
import type { Form } from "./options.ts";

/** Where results go. */
export interface ResultOutput {
  readonly printer: TerminalPrinter;
  readonly isTerminal: boolean;
  /** What a person must not see; a program behind a pipe gets data as they are. */
  readonly secrets: Secrets;
  write(data: string | Uint8Array): void;
}

type Write = (value: unknown, output: ResultOutput) => void;

/** Writes a result in the form that was asked for; into a pipe bytes go as they came. */
export const WRITE_RESULT: Readonly<Record<Form, Write>> = {
  shown: (value, { printer }) => printer.value(value),
  quiet: () => undefined,
  json: (value, { isTerminal, secrets, write }) => {
    const data = isExchange(value) ? exchangeData(value) : toData(value);
    // Masked as data, so that it stays the JSON that it is.
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

function writeBody(exchange: Exchange, { isTerminal, secrets, write }: ResultOutput): void {
  if (!isTerminal || exchange.bytes.length === 0) {
    write(exchange.bytes);
    return;
  }
  const shown = visibleBody(exchange, "send them into a file", [secrets]);
  write(shown.endsWith("\n") ? shown : `${shown}\n`);
}

/** The exchange with its whole body: as JSON where it is JSON, as text, or in base64. */
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
    // What does not parse is text like any other.
  }
  const { bytes, text } = exchange;
  const isText = !isBinary(bytes) && !text.includes("\ufffd");
  if (isText) return { body: text };
  const { buffer, byteOffset, byteLength } = bytes;
  return { base64: Buffer.from(buffer, byteOffset, byteLength).toString("base64") };
}

/** The value where it is data, else what a console says of it. */
function toData(value: unknown): Value {
  if (value === undefined) return null;
  try {
    return snapshotValue(value as Value, "result");
  } catch {
    return inspect(value);
  }
}
