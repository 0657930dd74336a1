import {
  cutToWidth,
  formatBytes,
  formatMilliseconds,
  formatWaiting,
  toVisibleLine,
} from "../../lib/display/mod.ts";
import { describeRequest, isWaitedFor } from "../../lib/exchange/mod.ts";
import type { Client } from "../../lib/mod.ts";
import type { TerminalStream } from "./printer.ts";

/** A progress line on a terminal, which other output replaces. */
export interface Progress {
  /**
   * @param label A function is called for each drawing.
   * @param timeOf Returns the time to show, by default the time since the start.
   */
  readonly start: (label: string | (() => string), timeOf?: () => string | undefined) => void;
  /** Draws at once, before work that blocks the thread. */
  readonly announce: (label: string) => void;
  /** Erases the line before other output. */
  readonly clear: () => void;
  /** Reports other output: an unfinished line must not be overwritten. */
  readonly written: (text: string) => void;
  readonly stop: () => void;
}

/** What erases the lines of the process that are drawn. */
const erasers = new Set<() => void>();
let holds = 0;

/** Erases all progress lines, before a question of code for whose answer the thread waits. */
export function eraseProgress(): void {
  for (const erase of erasers) erase();
}

/** Erases all progress lines, and draws none until the returned function is called: while a person is asked. */
export function holdProgress(): () => void {
  eraseProgress();
  holds += 1;
  let isOver = false;
  return () => {
    if (!isOver) holds -= 1;
    isOver = true;
  };
}

/** Short cells do not flicker. */
const DELAY = 250;
const INTERVAL = 200;

/**
 * Creates a progress line; nothing is drawn if the stream is not a terminal.
 *
 * @param keepsAlive Whether the process lives as long as it is drawn, as at a prompt, where a person ends what waits for
 *   nothing. A run waits at its end for all that keeps the process alive, and must not wait for this.
 */
export function createProgress(
  stream: TerminalStream & { readonly isTerminal: boolean },
  keepsAlive = false,
): Progress {
  let timer: ReturnType<typeof setInterval> | undefined;
  let labelOf = (): string => "";
  let timeOf = (): string | undefined => undefined;
  let startedAt = 0;
  let isShown = false;
  let isInLine = false;

  const show = (line: string): void => {
    stream.write(`\r\u001b[K${line}`, true);
    isShown = true;
  };
  const draw = (): void => {
    const elapsed = performance.now() - startedAt;
    if (elapsed < DELAY || isInLine || holds > 0) return;
    const time = ` ${timeOf() ?? `${(elapsed / 1000).toFixed(1)} s`}`;
    const room = Math.max(1, (stream.columns() || 80) - 1 - time.length);
    show(`${cutToWidth(toVisibleLine(labelOf()), room)}${time}`);
  };
  const clear = (): void => {
    if (isShown) stream.write("\r\u001b[K");
    isShown = false;
  };
  return {
    start: (label, time = () => undefined) => {
      timeOf = time;
      labelOf = typeof label === "string" ? () => label : label;
      startedAt = performance.now();
      isInLine = false;
      clearInterval(timer);
      if (!stream.isTerminal) return;
      erasers.add(clear);
      timer = setInterval(draw, INTERVAL);
      if (!keepsAlive) timer.unref();
    },
    announce: (label) => {
      if (!stream.isTerminal || isInLine || holds > 0) return;
      show(cutToWidth(toVisibleLine(label), (stream.columns() || 80) - 1));
    },
    clear,
    written: (text) => {
      if (text !== "") isInLine = !text.endsWith("\n");
    },
    stop: () => {
      clearInterval(timer);
      erasers.delete(clear);
      clear();
    },
  };
}

export { describeRequest };

/**
 * Describes pending requests on one line: the first one, and the number of others.
 *
 * @returns Nothing if no request is pending.
 * @example `GET http://127.0.0.1:8787/big and 2 more`
 */
export function describePending({
  pending,
  secrets,
}: Pick<Client, "pending" | "secrets">): string | undefined {
  const [first, ...more] = pending;
  if (first === undefined) return undefined;
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  return secrets.mask(`${describeRequest(first)}${others}`);
}

/**
 * Describes how far the first pending request is: how much of it is sent or of its answer received, at which rate, and
 * for how long that goes on; or how long it has waited.
 *
 * @returns Nothing if no request is pending, or it is an open WebSocket.
 * @example `█████░░░░░ 2.0 MB of 4.0 MB, 1.0 MB/s, 2 s left`
 */
export function describeTransfer({ pending }: Pick<Client, "pending">): string | undefined {
  const [first] = pending;
  if (first === undefined) return undefined;
  const { startedAt, timeout, received = 0, total, sent = 0, toSend } = first;
  const elapsed = Date.now() - startedAt.getTime();
  if (received > 0) return describePart(received, total, elapsed);
  if (!isWaitedFor(first)) return undefined;
  // What is sent whole is waited for.
  const isSending = sent > 0 && sent !== toSend;
  return isSending
    ? `sending ${describePart(sent, toSend, elapsed)}`
    : formatWaiting(elapsed, timeout);
}

const BAR = 10;

function describePart(done: number, total: number | undefined, elapsed: number): string {
  const rate = `${formatBytes((done / Math.max(1, elapsed)) * 1000)}/s`;
  if (total === undefined || total < done) return `${formatBytes(done)}, ${rate}`;
  const full = Math.floor((done / total) * BAR);
  const bar = "█".repeat(full) + "░".repeat(BAR - full);
  const seconds = Math.ceil(((total - done) / done) * (elapsed / 1000));
  const left = seconds < 60 ? `${seconds} s` : formatMilliseconds(seconds * 1000);
  return `${bar} ${formatBytes(done)} of ${formatBytes(total)}, ${rate}, ${left} left`;
}
