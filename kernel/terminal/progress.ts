import { cutToWidth, toVisibleLine } from "../../lib/display/mod.ts";
import type { TerminalStream } from "./printer.ts";

/** A line on a terminal that says what is running, and goes when something else is written. */
export interface Progress {
  /** @param label What runs; a function is asked anew each time. */
  readonly start: (label: string | (() => string)) => void;
  /** Draws a line now: what is to come lets nothing else happen. */
  readonly announce: (label: string) => void;
  /** Takes the line away, so that output can be written where it stood. */
  readonly clear: () => void;
  /** Draws nothing until the returned function is called: somebody else has the terminal. */
  readonly pause: () => () => void;
  /** Notes what was written: the rest of a line that has not ended must not be drawn over. */
  readonly written: (text: string) => void;
  readonly stop: () => void;
}

/** Short cells come and go without a flicker. */
const DELAY = 250;
const INTERVAL = 200;

/** Creates a progress line; where the stream is no terminal, nothing is ever written. */
export function createProgress(
  stream: TerminalStream & { readonly isTerminal: boolean },
): Progress {
  let timer: ReturnType<typeof setInterval> | undefined;
  let labelOf = (): string => "";
  let startedAt = 0;
  let isShown = false;
  let isInLine = false;
  let pauses = 0;

  const draw = (): void => {
    const elapsed = performance.now() - startedAt;
    if (elapsed < DELAY || isInLine || pauses > 0) return;
    const time = ` ${(elapsed / 1000).toFixed(1)} s`;
    const room = Math.max(1, (stream.columns() || 80) - 1 - time.length);
    stream.write(`\r\u001b[K${cutToWidth(toVisibleLine(labelOf()), room)}${time}`);
    isShown = true;
  };
  const clear = (): void => {
    if (isShown) stream.write("\r\u001b[K");
    isShown = false;
  };
  return {
    start: (label) => {
      labelOf = typeof label === "string" ? () => label : label;
      startedAt = performance.now();
      isInLine = false;
      clearInterval(timer);
      if (stream.isTerminal) timer = setInterval(draw, INTERVAL);
    },
    announce: (label) => {
      if (!stream.isTerminal || isInLine || pauses > 0) return;
      stream.write(
        `\r\u001b[K${cutToWidth(toVisibleLine(label), (stream.columns() || 80) - 1)}`,
        true,
      );
      isShown = true;
    },
    clear,
    pause: () => {
      clear();
      pauses += 1;
      let isOver = false;
      return () => {
        if (!isOver) pauses -= 1;
        isOver = true;
      };
    },
    written: (text) => {
      if (text !== "") isInLine = !text.endsWith("\n");
    },
    stop: () => {
      clearInterval(timer);
      clear();
    },
  };
}
