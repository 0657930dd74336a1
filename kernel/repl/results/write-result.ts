import { toVisibleLine, toVisibleText } from "../../../lib/display/mod.ts";
import { type Exchange, isExchange, renderJson, type Secrets } from "../../../lib/mod.ts";
import { isBinary, jsonLine, resultData, type TerminalPrinter } from "../../terminal/mod.ts";
import { visibleBody } from "../commands/mod.ts";
import { type BodyStyle, prettyBody } from "./pretty-body.ts";

/** Which part of a result is written, and how. */
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
    write(`${jsonLine(value, isTerminal ? secrets : undefined)}\n`);
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
      const text = typeof value === "string" ? value : renderJson(resultData(value));
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

/** Describes in one line why a result could not be shown. */
export function describeShowError(error: unknown): string {
  const [reason] = String(error instanceof Error ? error.message : error).split("\n", 1);
  return `The result could not be shown: ${reason}`;
}
