import { bodyLength, toVisibleLine } from "../../lib/display/mod.ts";
import { type Exchange, isExchange, type PendingRequest, type Secrets } from "../../lib/mod.ts";
import type { OutputStream } from "../platform/mod.ts";
import { createProgress, createTerminalPrinter } from "../terminal/mod.ts";
import type { DocumentCell } from "./document/mod.ts";
import type { Reporter } from "./run/mod.ts";

/** Where a report goes and how much of it is wanted. */
export interface TerminalReporterOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** What nothing that is written may hold. */
  readonly secrets: Secrets;
  /** One line for each request, and no cell texts. */
  readonly brief: boolean;
}

/** Source lines of a TypeScript cell that are repeated above its output. */
const ECHOED_LINES = 12;
const ECHOED_CHARACTERS = 1000;

/**
 * Creates the reporter of `restlab run`: answers and printed text on standard output, failures and
 * the progress line on standard error, so that a pipe gets what the cells said and nothing else.
 */
export function createTerminalReporter(options: TerminalReporterOptions): Reporter {
  const { stdout, stderr, brief, secrets } = options;
  const out = createTerminalPrinter(stdout, { secrets });
  const errors = createTerminalPrinter(stderr, { secrets });
  const progress = createProgress(stderr);
  let title = "";
  let running = 0;
  let place = "";
  let isWaiting = false;

  return {
    documentStarted: ({ path }) => {
      title = toVisibleLine(path);
      if (!brief) out.heading(title);
    },
    text: (cell) => {
      if (!brief && cell.type === "markdown") out.markdown(cell.source);
    },
    cellStarted: (cell, number, total) => {
      running = number;
      place = `${title} [${number}/${total}]`;
      if (!brief) {
        // The session does so as well, after the echo: a literal in the cell is a secret at once.
        secrets.learn({ kind: "source", text: cell.source }, "person");
        out.source(`[${number}/${total}]`, echoOf(secrets.mask(cell.source)));
      }
      // Masked when it is drawn: most cells are over before.
      progress.start(() => `${place} ${secrets.mask(firstLine(cell))}`);
    },
    stream: (name, text) => {
      progress.clear();
      (name === "stdout" ? stdout : stderr).write(out.visible(text), true);
      progress.written(text);
    },
    show: (shown) => {
      progress.clear();
      if (!brief) out.value(shown.value);
      else if (isExchange(shown.value)) out.line(briefLine(shown.value), shown.value.statusClass);
    },
    failed: (error) => {
      progress.clear();
      // Nothing else tells which cell it is.
      if (brief) errors.line(`${place}:`);
      errors.error(error);
    },
    uncaught: (error, number, total) => {
      progress.clear();
      if (number !== running) errors.line(`Not awaited in [${number}/${total}]:`);
      errors.error(error);
    },
    waiting: (pending) => {
      const isNow = pending.length > 0;
      if (isNow === isWaiting) return;
      isWaiting = isNow;
      if (isNow) progress.start(`${title} waits for ${secrets.mask(listOf(pending))}`);
      else progress.stop();
    },
    givenUp: (pending, seconds) => {
      progress.clear();
      errors.line(
        `Gave up after ${seconds} s on what no cell awaited: ${secrets.mask(listOf(pending))}; --timeout sets the limit`,
      );
    },
    cellEnded: () => {
      running = 0;
      progress.stop();
      if (!brief) stdout.write("\n");
    },
  };
}

/** Queries and user names hold credentials now and then. */
function listOf(pending: readonly PendingRequest[]): string {
  return pending
    .map(
      ({ method, url }) => `${method} ${url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//")}`,
    )
    .join(", ");
}

function briefLine(exchange: Exchange): string {
  const { request, status, statusText, timing } = exchange;
  const answer = `${status}${statusText === "" ? "" : ` ${statusText}`}`;
  return `${request.method} ${request.url} ${answer} ${Math.round(timing.total)} ms ${bodyLength(exchange)} B`;
}

/** @param source The cell with its secrets masked: half of one would not be known any more. */
function echoOf(source: string): string {
  // A bare separator says nothing here; one with a title is the request's heading.
  const lines = source
    .trim()
    .replace(/^###\s*\n/, "")
    .split("\n")
    .map(cutLine);
  const more = lines.length - ECHOED_LINES;
  return more > 1
    ? [...lines.slice(0, ECHOED_LINES), `… ${more} more lines`].join("\n")
    : lines.join("\n");
}

function cutLine(line: string): string {
  const more = line.length - ECHOED_CHARACTERS;
  return more > 0 ? `${line.slice(0, ECHOED_CHARACTERS)} … ${more} more characters` : line;
}

function firstLine({ source }: DocumentCell): string {
  const lines = source.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !/^(#|\/\/)/.test(line)) ?? "";
}
