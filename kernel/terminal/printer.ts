import { inspect } from "node:util";
import picocolors from "picocolors";
import {
  type Block,
  DEFAULT_LIMITS,
  displayMethod,
  inspectSafely,
  isShortList,
  type Limits,
  type Paint,
  renderBundle,
  type StatusBlock,
  stringText,
  toText,
  toVisibleText,
  viewRich,
  wrapText,
} from "../../lib/display/mod.ts";
import { readable } from "../../lib/interpolation/mod.ts";
import { isRevealed, type Secrets } from "../../lib/mod.ts";
import { hideLong } from "../../lib/secrets/mod.ts";

/** What a printer writes to, for example standard output. */
export interface TerminalStream {
  /** @param atOnce Whether to write without buffering. */
  write(text: string, atOnce?: boolean): void;
  /** The width; infinite if nothing is to be cut. */
  columns(): number;
  readonly color: boolean;
  /** Whether a person reads it: long lines are broken between words, and line breaks in strings are shown. */
  readonly isTerminal?: boolean;
}

interface PrintableError {
  readonly name: string;
  readonly message: string;
  /** The message with carets, and the trace. */
  readonly traceback: readonly string[];
}

/** Prints whole lines, with secrets masked and control characters made visible. */
export interface TerminalPrinter {
  /**
   * Prints a result: answers and errors in their views, anything else as a console does.
   *
   * @throws What a value throws when it is inspected; nothing is printed then.
   */
  value(value: unknown): void;
  /** Prints blocks, whose texts are masked already. */
  blocks(blocks: readonly Block[]): void;
  error(error: PrintableError): void;
  /** Prints one line, in the colour of a status class if one is given. */
  line(text: string, statusClass?: StatusBlock["statusClass"]): void;
  heading(text: string): void;
  markdown(source: string): void;
  /** Prints the source of a cell, dimmed. */
  source(label: string, text: string): void;
  /** Returns text in which only colours act on a terminal. */
  visible(text: string): string;
}

interface PrinterOptions {
  /** Whether headers are listed, or folded into one line (the default). */
  readonly headers?: "listed" | "folded";
  /** Masked in everything that is printed. */
  readonly secrets?: Secrets | undefined;
  /** Returns what shows the rows or columns that a table leaves out, in place of a call. */
  readonly more?: ((hidden: "rows" | "columns") => string | undefined) | undefined;
}

const MAX_LENGTH = 20_000;
const MIN_WIDTH = 20;
const DEFAULT_WIDTH = 100;

/** Creates a printer for a stream, which may be a terminal. */
export function createTerminalPrinter(
  stream: TerminalStream,
  { headers = "folded", secrets, more }: PrinterOptions = {},
): TerminalPrinter {
  const colors = picocolors.createColors(stream.color);
  const paint = createPaint(colors);
  const renderBlocks = (blocks: readonly Block[]): string =>
    toText(blocks, { ...layoutOf(stream), paint, headers, more });
  const renderValue = createValueRenderer(stream, secrets, renderBlocks);
  // Text is masked first, and made visible and coloured after: a placeholder may contain a name from
  // the server.
  const visible = (text: string): string => toVisibleText(secrets?.mask(text) ?? text);
  const writeLine = (text: string): void => stream.write(`${text}\n`);
  return {
    value: (value) => {
      if (value !== undefined) writeLine(renderValue(value));
    },
    blocks: (blocks) => {
      writeLine(renderBlocks(blocks));
    },
    error: (error) => writeLine(renderError(error, { visible, colors, wrap: wrapFor(stream) })),
    line: (text, statusClass) => {
      const shown = wrapFor(stream)(visible(text));
      writeLine(statusClass === undefined ? shown : paint.status(shown, statusClass));
    },
    heading: (text) => writeLine(`${colors.bold(visible(text))}\n`),
    markdown: (source) => writeLine(`${renderMarkdown(visible(source), colors.bold)}\n`),
    source: (label, text) => {
      const [first = "", ...rest] = visible(text).split("\n");
      const shown = visible(label);
      const indent = " ".repeat(shown.length);
      const lines = [`${shown} ${first}`, ...rest.map((line) => `${indent} ${line}`.trimEnd())];
      writeLine(lines.map((line) => colors.dim(line)).join("\n"));
    },
    visible: (text) => toTerminalText(text, stream.color, toPrintedText),
  };
}

function createValueRenderer(
  stream: TerminalStream,
  secrets: Secrets | undefined,
  renderBlocks: (blocks: readonly Block[]) => string,
): (value: unknown) => string {
  const known = secrets === undefined ? [] : [secrets];
  const mask = (text: string): string => secrets?.mask(text) ?? text;
  const bundleOptions = {
    inspect,
    secrets: known,
    onFailure: (error: unknown): never => {
      throw error;
    },
  };

  function renderPlain(value: unknown): string {
    if (typeof value === "string") {
      const text = cutFor(stream)(mask(value));
      return wrapFor(stream)(toVisibleText(stream.isTerminal === true ? stringText(text) : text));
    }
    secrets?.learn({ kind: "value", value }, "person");
    const options = {
      breakLength: readableWidth(stream),
      depth: 4,
      ...(isShortList(value) && { compact: true }),
    };
    const printed = secrets === undefined ? value : hideLong(value, secrets);
    const shown = inspectSafely(printed, (one) => inspect(one, options));
    const masked = mask(shown);
    // Without colours if a secret is masked: their codes could split it.
    if (masked !== shown || !stream.color) return toVisibleText(cutFor(stream)(masked));
    const colored = inspectSafely(printed, (one) => inspect(one, { ...options, colors: true }));
    return toTerminalText(cutFor(stream)(colored), true);
  }

  return (given) => {
    const value = readable(given);
    const options = { width: readableWidth(stream), limits: limitsOf(stream) };
    if (isRevealed(value)) {
      const blocks = viewRich(value, options);
      if (blocks !== undefined) return renderBlocks(blocks);
      return toVisibleText(renderBundle(value, { inspect })["text/plain"]);
    }
    const blocks = viewRich(value, { ...options, secrets: known });
    if (blocks !== undefined) return renderBlocks(blocks);
    if (displayMethod(value) !== undefined) {
      return wrapFor(stream)(toVisibleText(renderBundle(value, bundleOptions)["text/plain"]));
    }
    return renderPlain(value);
  };
}

function widthOf(stream: TerminalStream): number {
  return Math.max(MIN_WIDTH, stream.columns() || 80);
}

/** A finite width: text in lines of any length is hard to read. */
function readableWidth(stream: TerminalStream): number {
  const width = widthOf(stream);
  return Number.isFinite(width) ? width : DEFAULT_WIDTH;
}

/** Output without a width is read by programs, and not cut. */
function limitsOf(stream: TerminalStream): Limits {
  return Number.isFinite(widthOf(stream)) ? DEFAULT_LIMITS : WHOLE_LIMITS;
}

function layoutOf(stream: TerminalStream): { readonly width: number; readonly wrap: boolean } {
  return { width: widthOf(stream), wrap: stream.isTerminal === true };
}

function cutFor(stream: TerminalStream): (text: string) => string {
  return Number.isFinite(widthOf(stream)) ? cut : String;
}

function wrapFor(stream: TerminalStream): (text: string) => string {
  const { wrap, width } = layoutOf(stream);
  return wrap ? (text) => wrapText(text, width) : String;
}

interface ErrorStyle {
  readonly visible: (text: string) => string;
  readonly colors: Colors;
  readonly wrap: (text: string) => string;
}

function renderError(
  { name, message, traceback }: PrintableError,
  { visible, colors, wrap }: ErrorStyle,
): string {
  // Some tracebacks begin with the message.
  const hasHead = traceback[0]?.startsWith(name) === true;
  const lines = hasHead ? traceback : [`${name}: ${message}`, ...traceback];
  const [first = "", ...rest] = wrapMessages(visible(lines.join("\n")), wrap).split("\n");
  const title = visible(name);
  const head = first.startsWith(title)
    ? colors.bold(colors.red(title)) + first.slice(title.length)
    : first;
  const body = rest.map((line) => (/^\s*│ +\^+/.test(line) ? colors.red(line) : line));
  return [head, ...body].join("\n");
}

/** Source lines with carets and the frames of a stack stay whole. */
function wrapMessages(text: string, wrap: (text: string) => string): string {
  return text
    .split("\n")
    .map((line) => (/^\s*(?:\d+ +│|│ *\^)|^\s+at /.test(line) ? line : wrap(line)))
    .join("\n");
}

function renderMarkdown(source: string, bold: (text: string) => string): string {
  const lines = source.trim().split("\n");
  return lines
    .map((line) => line.replace(/^#{1,6} +(.*)$/, (_, text: string) => bold(text)))
    .join("\n");
}

function cut(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  return `${text.slice(0, MAX_LENGTH)}…\n${text.length - MAX_LENGTH} more characters`;
}

/** The functions of picocolors; without colours each returns its text. */
type Colors = ReturnType<typeof picocolors.createColors>;

/** Creates the paint of each role. A status class is also readable without its colour. */
function createPaint(colors: Colors): Paint {
  const classes = {
    Informational: colors.blue,
    Successful: colors.green,
    Redirection: colors.cyan,
    "Client error": colors.yellow,
    "Server error": colors.red,
    Unassigned: colors.magenta,
  };
  const levels = { info: colors.dim, warning: colors.yellow, error: colors.red };
  return {
    method: colors.bold,
    url: String,
    // An exchange of another version of the library may have another class.
    status: (text, statusClass) => colors.bold((classes[statusClass] ?? colors.magenta)(text)),
    fact: colors.dim,
    key: colors.bold,
    number: colors.cyan,
    string: colors.green,
    literal: colors.yellow,
    note: (text, level) => levels[level](text),
  };
}

// SGR colours and weights: nothing that moves the cursor, erases, hides (8), blinks (5, 6) or queries.
const STYLE =
  "(?:0?[0-479]|2[1-9]|[34][0-79]|9[0-7]|10[0-7]|[34]8;5;\\d{1,3}|[34]8;2;\\d{1,3};\\d{1,3};\\d{1,3})";
const SEQUENCE = new RegExp(`(\\u001b\\[(?:${STYLE}(?:;${STYLE})*)?m)`);
const RESET = "\u001b[0m";

/**
 * Makes the control characters of printed text visible, except tab, line feed and, with `color`, the
 * sequences for colours. Colours end with the text.
 *
 * @param visible Does so for text without colours.
 */
export function toTerminalText(
  text: string,
  color: boolean,
  visible: (text: string) => string = toVisibleText,
): string {
  if (!color || !text.includes("\u001b")) return visible(text);
  const parts = text.split(SEQUENCE);
  const shown = parts.map((part, index) => (index % 2 === 1 ? part : visible(part))).join("");
  // Before the last line feed: a colour does not begin a new line.
  return parts.length > 1 ? shown.replace(/\n?$/, (end) => RESET + end) : shown;
}

/** What a cell prints begins its line anew at a carriage return, as progress bars do. */
function toPrintedText(text: string): string {
  return text.replaceAll("\r\n", "\n").split("\r").map(toVisibleText).join("\r");
}

/** Far above the default limits, and still bounded. */
export const WHOLE_LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  rows: 10_000,
  columns: 200,
  cell: 2_000,
  table: 5_000_000,
  fields: 10_000,
  depth: 12,
  text: 5_000_000,
  hex: 4_096,
  notes: 1_000,
};
