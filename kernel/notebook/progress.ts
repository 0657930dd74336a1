import type { OutputStream } from "../platform/mod.ts";

/** A line on a terminal that says what is running, and goes when something else is written. */
export interface Progress {
  readonly start: (label: string) => void;
  /** Takes the line away, so that output can be written where it stood. */
  readonly clear: () => void;
  readonly stop: () => void;
}

/** Short cells come and go without a flicker. */
const DELAY = 250;
const INTERVAL = 200;

/** Creates a progress line; where the stream is no terminal, nothing is ever written. */
export function createProgress(stream: OutputStream): Progress {
  let timer: ReturnType<typeof setInterval> | undefined;
  let label = "";
  let startedAt = 0;
  let isShown = false;

  const draw = (): void => {
    const elapsed = performance.now() - startedAt;
    if (elapsed < DELAY) return;
    const text = `${label} ${(elapsed / 1000).toFixed(1)} s`;
    stream.write(`\r\u001b[K${text.slice(0, Math.max(0, stream.columns() - 1))}`);
    isShown = true;
  };
  const clear = (): void => {
    if (isShown) stream.write("\r\u001b[K");
    isShown = false;
  };
  return {
    start: (text) => {
      label = text;
      startedAt = performance.now();
      if (stream.isTerminal) timer = setInterval(draw, INTERVAL);
    },
    clear,
    stop: () => {
      clearInterval(timer);
      clear();
    },
  };
}
