import { inspect } from "node:util";
import { toVisibleJson, toVisibleLine, toVisibleText } from "../../lib/display/mod.ts";
import { snapshotValue } from "../../lib/interpolation/mod.ts";
import { type Exchange, isExchange, renderJson, type Secrets, type Value } from "../../lib/mod.ts";
import type { TerminalPrinter } from "../terminal/mod.ts";
import type { Form } from "./options.ts";
import { isBinary, visibleBody } from "./visible-body.ts";

/** Where results go. */
export interface ResultOutput {
  readonly printer: TerminalPrinter;
  readonly isTerminal: boolean;
  /** What a person must not see; a program behind a pipe gets data as they are. */
  readonly secrets: Pick<Secrets, "mask">;
  write(data: string | Uint8Array): void;
}

type Write = (value: unknown, output: ResultOutput) => void;

/** Writes a result in the form that was asked for; into a pipe bytes go as they came. */
export const WRITE_RESULT: Readonly<Record<Form, Write>> = {
  shown: (value, { printer }) => printer.value(value),
  quiet: () => undefined,
  json: (value, { isTerminal, secrets, write }) => {
    const text = isExchange(value) ? exchangeJson(value) : valueJson(value);
    write(`${toVisibleJson(isTerminal ? secrets.mask(text) : text)}\n`);
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
      const text = typeof value === "string" ? value : valueJson(value);
      output.write(`${output.isTerminal ? toVisibleText(output.secrets.mask(text)) : text}\n`);
    }
  },
};

function writeBody(exchange: Exchange, { isTerminal, secrets, write }: ResultOutput): void {
  if (!isTerminal || exchange.bytes.length === 0) {
    write(exchange.bytes);
    return;
  }
  const shown = secrets.mask(visibleBody(exchange, "send them into a file"));
  write(shown.endsWith("\n") ? shown : `${shown}\n`);
}

/** The exchange with its whole body: as JSON where it is JSON, as text, or in base64. */
function exchangeJson(exchange: Exchange): string {
  const { body: _body, ...rest } = exchange.toJSON() as Readonly<Record<string, unknown>>;
  return renderJson(snapshotValue(JSON.parse(JSON.stringify({ ...rest })), "exchange")).replace(
    /\}$/,
    `,${bodyJson(exchange)}}`,
  );
}

function bodyJson(exchange: Exchange): string {
  try {
    if (/[/+]json$/.test(exchange.mediaType) && exchange.json !== undefined) {
      return `"json":${renderJson(exchange.json)}`;
    }
  } catch {
    // What does not parse is text like any other.
  }
  const { bytes, text } = exchange;
  const isText = !isBinary(bytes) && !text.includes("\ufffd");
  return isText
    ? `"body":${JSON.stringify(text)}`
    : `"base64":"${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}"`;
}

/** JSON where the value is data, else what a console says of it, as a JSON string. */
function valueJson(value: unknown): string {
  if (value === undefined) return "null";
  try {
    return renderJson(snapshotValue(value as Value, "result"));
  } catch {
    return JSON.stringify(inspect(value));
  }
}
