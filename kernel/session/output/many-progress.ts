import type { ManyProgress } from "../../../lib/mod.ts";
import type { OutputSink, Shown } from "../cell/mod.ts";
import { currentOutput } from "./output.ts";

/** What is done in less time needs no bar. */
const PATIENCE = 400;
const INTERVAL = 200;

interface Bar {
  id: string | undefined;
  drawnAt: number;
}

const bars = new WeakMap<OutputSink, Bar>();

/** Shows how far `client.all` has come, in the cell whose code calls it. */
export function showManyProgress(progress: ManyProgress): void {
  const sink = currentOutput()?.sink;
  if (sink?.displayWithId === undefined || sink.update === undefined) return;
  const { done, total, elapsed } = progress;
  const bar = bars.get(sink) ?? { id: undefined, drawnAt: 0 };
  const isOver = done === total;
  if (bar.id === undefined ? isOver || elapsed < PATIENCE : false) return;
  if (!isOver && performance.now() - bar.drawnAt < INTERVAL) return;
  bar.drawnAt = performance.now();
  const shown = showBar(progress);
  if (bar.id === undefined) bar.id = sink.displayWithId(shown);
  else sink.update(bar.id, shown);
  // Another call of the same cell gets a bar of its own.
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
