import { inspect } from "node:util";
import picocolors from "picocolors";
import {
  type Block,
  maskBlocks,
  renderBundle,
  type StatusBlock,
  toText,
  toVisibleText,
  viewRich,
} from "../../lib/display/mod.ts";
import { isRevealed, jupyterDisplay, type Secrets } from "../../lib/mod.ts";
import { createPaint } from "./paint.ts";
import { toTerminalText } from "./visible.ts";

/** Where a printer writes, and what can be done there; standard output is one. */
export interface TerminalStream {
  /** @param atOnce Whether it must not be held back for a moment. */
  write(text: string, atOnce?: boolean): void;
  /** The width in columns, asked anew each time. */
  columns(): number;
  /** Whether colours are wanted. */
  readonly color: boolean;
}

/** What is printed of a failure. */
export interface PrintableError {
  readonly name: string;
  readonly message: string;
  /** Readable lines: the message with carets, the trace. */
  readonly traceback: readonly string[];
}

/** Prints what a session says; each function writes whole lines. */
export interface TerminalPrinter {
  /**
   * A value as the result of a cell: an answer or an error in its view, all else as a console shows it.
   *
   * @throws What a value throws that is looked at; nothing was written then.
   */
  value(value: unknown): void;
  blocks(blocks: readonly Block[]): void;
  error(error: PrintableError): void;
  /** One line, in the colour of a status class where one is given. */
  line(text: string, statusClass?: StatusBlock["statusClass"]): void;
  heading(text: string): void;
  markdown(source: string): void;
  /** The text of a cell, set off from its output. */
  source(label: string, text: string): void;
  /** Printed text in which only colours act; it is returned, not written. */
  visible(text: string): string;
}

/** How the printer shows what can be long. */
export interface PrinterOptions {
  /** Whether headers are listed or only named in one line; folded unless told. */
  readonly headers?: "listed" | "folded";
  /** What nothing that is printed may hold. */
  readonly secrets?: Secrets;
}

const LONGEST = 20_000;
const NARROWEST = 20;

/** Creates a printer for a stream that is or may be a terminal. */
export function createTerminalPrinter(
  stream: TerminalStream,
  options: PrinterOptions = {},
): TerminalPrinter {
  const colors = picocolors.createColors(stream.color);
  const paint = createPaint(colors);
  const headers = options.headers ?? "folded";
  const width = (): number => Math.max(NARROWEST, stream.columns() || 80);
  const { secrets } = options;
  const hidden = secrets === undefined ? [] : [secrets];
  // Text is masked as it is, and then made visible and coloured: a placeholder holds what a server
  // has called its keys.
  const mask = (text: string): string => secrets?.mask(text) ?? text;
  const visible = (text: string): string => toVisibleText(mask(text));
  const writeLine = (text: string): void => stream.write(`${text}\n`);

  const layOut = (shown: readonly Block[]): string =>
    toText(shown, { width: width(), paint, headers });
  const blocks = (shown: readonly Block[]): void =>
    writeLine(layOut(secrets === undefined ? shown : maskBlocks(shown, secrets)));

  const ownForms = {
    inspect,
    secrets: hidden,
    onFailure: (error: unknown): never => {
      throw error;
    },
  };

  const plain = (value: unknown): string => {
    if (typeof value === "string") return toVisibleText(cut(mask(value)));
    secrets?.learnValue(value);
    const how = { breakLength: width(), depth: 4 };
    const shown = inspect(value, how);
    const masked = mask(shown);
    // What is masked has no colours: their codes could part a secret.
    if (masked !== shown || !stream.color) return toVisibleText(cut(masked));
    return toTerminalText(cut(inspect(value, { ...how, colors: true })), true);
  };

  /** Once, and with a note, what is masked everywhere else. */
  const revealed = (value: unknown): void => {
    const rich = viewRich(value, { width: width() });
    const text = rich === undefined ? renderBundle(value, { inspect })["text/plain"] : layOut(rich);
    stream.write(`${rich === undefined ? toVisibleText(text) : text}\n`);
  };

  return {
    value: (value) => {
      if (value === undefined) return;
      if (isRevealed(value)) return revealed(value);
      const rich = viewRich(value, { width: width(), secrets: hidden });
      if (rich !== undefined) blocks(rich);
      else if (showsItself(value))
        writeLine(toVisibleText(renderBundle(value, ownForms)["text/plain"]));
      else writeLine(plain(value));
    },
    blocks,
    error: ({ name, message, traceback }) => {
      const head = `${name}: ${message}`;
      // A traceback that begins with the name says the message itself.
      const lines = traceback[0]?.startsWith(name) ? traceback : [head, ...traceback];
      const text = visible(lines.join("\n"));
      const [first = "", ...rest] = text.split("\n");
      const body = rest.map((line) => (/^\s*│ +\^+/.test(line) ? colors.red(line) : line));
      const title = visible(name);
      const headLine = first.startsWith(title)
        ? colors.bold(colors.red(title)) + first.slice(title.length)
        : first;
      writeLine([headLine, ...body].join("\n"));
    },
    line: (text, statusClass) => {
      const shown = visible(text);
      writeLine(statusClass === undefined ? shown : paint.status(shown, statusClass));
    },
    heading: (text) => writeLine(`${colors.bold(visible(text))}\n`),
    markdown: (source) => writeLine(`${markdownLines(visible(source), colors.bold)}\n`),
    source: (label, text) => {
      const [first = "", ...rest] = visible(text).split("\n");
      const shown = visible(label);
      const indent = " ".repeat(shown.length);
      const lines = [`${shown} ${first}`, ...rest.map((line) => `${indent} ${line}`.trimEnd())];
      writeLine(lines.map((line) => colors.dim(line)).join("\n"));
    },
    visible: (text) => toTerminalText(text, stream.color),
  };
}

function showsItself(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && Reflect.get(value, jupyterDisplay) !== undefined
  );
}

function markdownLines(source: string, bold: (text: string) => string): string {
  const lines = source.trim().split("\n");
  return lines
    .map((line) => line.replace(/^#{1,6} +(.*)$/, (_, text: string) => bold(text)))
    .join("\n");
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST)}…\n${text.length - LONGEST} more characters`;
}
