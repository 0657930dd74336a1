import { indentJson, toVisibleLine, toVisibleText } from "../../lib/display/mod.ts";
import { isTextual, receivedHeaders, streamKind } from "../../lib/exchange/mod.ts";
import { type Exchange, isExchange, renderJson, type Secrets } from "../../lib/mod.ts";
import { isJsonType } from "../../lib/request/mod.ts";
import type { OutputStream } from "../platform/mod.ts";
import { jsonLine, resultData, type TerminalPrinter } from "../terminal/mod.ts";
import { createEditorPaint, highlight, paintText } from "./editor/mod.ts";
import { visibleBody } from "./requests.ts";

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
    for (const piece of jsonLine(value, isTerminal ? secrets : undefined)) write(piece);
  },
  headers: (value, { isTerminal, secrets, write }) => {
    if (!isExchange(value)) return;
    const lines = [`${value.status} ${value.statusText}`.trim()];
    for (const [name, content] of receivedHeaders(value)) lines.push(`${name}: ${content}`);
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
  if (isData || bytes.length === 0 || (!isTerminal && !isTextual(exchange))) {
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

/** How answers are written: bodies indented, in colours, both or neither. */
export type Pretty = "none" | "format" | "colors" | "all";

/** How bodies are written. */
export interface BodyStyle {
  /** Whether JSON is indented. */
  readonly format: boolean;
  readonly color: boolean;
}

/** The style of `--pretty`; by default a terminal gets both and a pipe gets neither. */
export function bodyStyle(pretty: Pretty | undefined, stdout: OutputStream): BodyStyle {
  if (pretty === undefined)
    return { format: stdout.isTerminal, color: stdout.isTerminal && stdout.color };
  const isAll = pretty === "all";
  return { format: isAll || pretty === "format", color: isAll || pretty === "colors" };
}

/** Indents JSON and colours JSON and JSON Lines, in a text that is visible already. */
export function prettyBody(text: string, mediaType: string, { format, color }: BodyStyle): string {
  const isJson = isJsonType(mediaType);
  if (!isJson && streamKind(mediaType) !== "lines") return text;
  const shown = format && isJson ? indentJson(text) : text;
  if (!color) return shown;
  const paint = createEditorPaint(true);
  // Line by line, since a long text is not highlighted.
  return shown
    .split("\n")
    .map((line) => paintText(line, highlight(line, "json"), paint))
    .join("\n");
}
