import { bodyLength, toVisibleLine } from "../../lib/display/mod.ts";
import { type Exchange, isExchange, type PendingRequest, type Secrets } from "../../lib/mod.ts";
import type { OutputStream } from "../platform/mod.ts";
import type { CellError, Shown } from "../session/cell/mod.ts";
import {
  createProgress,
  createTerminalPrinter,
  describeRequest,
  jsonLine,
  type Progress,
  type TerminalPrinter,
} from "../terminal/mod.ts";
import type { Document, DocumentCell } from "./document.ts";
import type { RunOptions } from "./run.ts";
import type { CellEnd, Reporter } from "./run-document.ts";

interface TerminalReporterOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Masked in everything that is written. */
  readonly secrets: Secrets;
  /** Cells with their sources, one line per request, or one line of JSON per result. */
  readonly form: NonNullable<RunOptions["form"]>;
}

/** How much of a cell's source is printed above its output. */
const MAX_SOURCE_LINES = 12;
const MAX_LINE_LENGTH = 1000;

/**
 * The reporter of `restlab run`. Output of cells goes to standard output, errors and the progress line go
 * to standard error, so that a pipe gets the output alone.
 */
export class TerminalReporter implements Reporter {
  readonly #options: TerminalReporterOptions;
  readonly #output: TerminalPrinter;
  readonly #errors: TerminalPrinter;
  readonly #progress: Progress;
  #title = "";
  #running = 0;
  #position = "";
  #cell = "";
  #isWaiting = false;

  constructor(options: TerminalReporterOptions) {
    const { stdout, stderr, secrets } = options;
    this.#options = options;
    this.#output = createTerminalPrinter(stdout, { secrets });
    this.#errors = createTerminalPrinter(stderr, { secrets });
    this.#progress = createProgress(stderr);
  }

  documentStarted({ path }: Document): void {
    this.#title = toVisibleLine(path);
    if (this.#isWhole) this.#output.heading(this.#title);
  }

  text(cell: DocumentCell): void {
    if (this.#isWhole && cell.type === "markdown") this.#output.markdown(cell.source);
  }

  cellStarted(cell: DocumentCell, number: number, total: number): void {
    const { secrets } = this.#options;
    this.#running = number;
    this.#position = `${this.#title} [${number}/${total}]`;
    if (this.#isWhole) {
      // The session learns a literal secret of the cell only after its source has been printed.
      secrets.learn({ kind: "source", text: cell.source }, "person");
      this.#output.source(`[${number}/${total}]`, shortenSource(secrets.mask(cell.source)));
    }
    this.#cell = firstLine(cell);
    // Thousands of short cells that print nothing show how far they are as well.
    if (this.#isWhole || number === 1) {
      this.#progress.start(() => `${this.#position} ${secrets.mask(this.#cell)}`);
    }
  }

  stream(name: "stdout" | "stderr", text: string): void {
    this.#progress.clear();
    this.#options[name].write(this.#output.visible(text), true);
    this.#progress.written(text);
  }

  show({ value, display = value }: Shown): void {
    const { form, stdout, secrets } = this.#options;
    const exchange = isExchange(value) ? value : undefined;
    if (form === "brief" && exchange === undefined) return;
    this.#progress.clear();
    if (form === "json") {
      const pieces = jsonLine(value, stdout.isTerminal ? secrets : undefined);
      for (const piece of pieces) stdout.write(piece);
    } else if (this.#isWhole) this.#output.value(display);
    else if (exchange) this.#output.line(briefLine(exchange), exchange.statusClass);
  }

  failed(error: CellError): void {
    this.#progress.clear();
    // Without cell sources, nothing else names the cell.
    if (!this.#isWhole) this.#errors.line(`${this.#position}:`);
    this.#errors.error(error);
  }

  uncaught(error: CellError, number: number, total: number): void {
    this.#progress.clear();
    if (number !== this.#running) this.#errors.line(`Not awaited in [${number}/${total}]:`);
    this.#errors.error(error);
  }

  waiting(pending: readonly PendingRequest[]): void {
    const isWaiting = pending.length > 0;
    if (isWaiting === this.#isWaiting) return;
    this.#isWaiting = isWaiting;
    if (isWaiting) this.#progress.start(`${this.#title} waits for ${this.#listOf(pending)}`);
    else this.#progress.stop();
  }

  givenUp(pending: readonly PendingRequest[], seconds: number): void {
    this.#progress.clear();
    this.#errors.line(
      `Gave up after ${seconds} s on requests that no cell awaits: ${this.#listOf(pending)}; --timeout sets the limit`,
    );
  }

  cellEnded(_end: CellEnd): void {
    this.#running = 0;
    if (!this.#isWhole) return;
    this.#progress.stop();
    this.#options.stdout.write("\n");
  }

  /** Erases the progress line. */
  stop(): void {
    this.#progress.stop();
  }

  retrying(): void {
    this.#errors.line(`${this.#position}: retrying`);
  }

  get #isWhole(): boolean {
    return this.#options.form === "shown";
  }

  #listOf(pending: readonly PendingRequest[]): string {
    return this.#options.secrets.mask(pending.map(describeRequest).join(", "));
  }
}

function briefLine(exchange: Exchange): string {
  const { request, status, statusText, timing } = exchange;
  const answer = `${status}${statusText === "" ? "" : ` ${statusText}`}`;
  return `${request.method} ${request.url} ${answer} ${Math.round(timing.total)} ms ${bodyLength(exchange)} B`;
}

/** @param source Masked already: a part of a secret is not recognized. */
function shortenSource(source: string): string {
  // A separator without a title is not worth a line.
  const lines = source
    .trim()
    .replace(/^###\s*\n/, "")
    .split("\n")
    .map(shortenLine);
  const more = lines.length - MAX_SOURCE_LINES;
  return more > 1
    ? [...lines.slice(0, MAX_SOURCE_LINES), `… ${more} more lines`].join("\n")
    : lines.join("\n");
}

function shortenLine(line: string): string {
  const more = line.length - MAX_LINE_LENGTH;
  return more > 0 ? `${line.slice(0, MAX_LINE_LENGTH)} … ${more} more characters` : line;
}

function firstLine({ source }: DocumentCell): string {
  const lines = source.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !/^(#|\/\/)/.test(line)) ?? "";
}
