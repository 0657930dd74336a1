import type { ManyProgress } from "../../lib/mod.ts";
import type { OutputSink, Shown } from "./cell/mod.ts";
import { currentOutput } from "./output.ts";

/** Calls that take less time have no progress bar. */
const DELAY = 400;
const INTERVAL = 200;

interface Bar {
  id: string | undefined;
  drawnAt: number;
}

const bars = new WeakMap<OutputSink, Bar>();

/** Shows the progress of `client.all` in the cell that calls it. */
export function showBatchProgress(progress: ManyProgress): void {
  const { sink, waiting } = currentOutput() ?? {};
  if (sink?.displayWithId === undefined || sink.update === undefined) return;
  const { done, total, elapsed } = progress;
  const bar = bars.get(sink) ?? { id: undefined, drawnAt: 0 };
  const isOver = done === total;
  if (waiting !== undefined) waiting.isCovered = bar.id !== undefined && progress.running > 0;
  if (bar.id === undefined && (isOver || elapsed < DELAY)) return;
  if (!isOver && performance.now() - bar.drawnAt < INTERVAL) return;
  bar.drawnAt = performance.now();
  const shown = showBar(progress);
  bar.id ??= waiting?.take().id;
  if (bar.id === undefined) bar.id = sink.displayWithId(shown);
  else sink.update(bar.id, shown);
  // The next call in the same cell has its own bar.
  if (isOver) bars.delete(sink);
  else bars.set(sink, bar);
}

const WIDTH = 30;

function showBar(progress: ManyProgress): Shown {
  const { done, total, failed, running, elapsed } = progress;
  const filled = Math.floor((done / total) * WIDTH);
  const drawn = `[${"#".repeat(filled)}${".".repeat(WIDTH - filled)}]`;
  const facts = [
    `${done} of ${total} requests`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(running > 0 ? [`${running} in progress`] : []),
    `${(elapsed / 1000).toFixed(1)} s`,
  ].join(", ");
  const html = `<div><progress max="${total}" value="${done}">${drawn}</progress> ${facts}</div>`;
  return {
    value: `${drawn} ${facts}`,
    metadata: {},
    bundle: () => ({ "text/plain": `${drawn} ${facts}`, "text/html": html }),
  };
}
