import type { Runtime } from "../platform.ts";
import { TERMINATION, terminateMainThread } from "./terminate-main-thread.ts";

/**
 * What both threads see: signals heard, what the main one is at, whether Ctrl-C is listened to, and
 * whether the loops of cells are to end by themselves.
 */
export const PLACES = { heard: 0, phase: 1, listening: 2, endLoops: 3 } as const;

/** What the main thread is at; code that is not the cell's would not survive being cut off. */
export const PHASES = { own: 0, script: 1, callbacks: 2 } as const;

/** A main thread that waits hears of a signal within so many milliseconds, on a busy machine too. */
const PATIENCE = { ending: 300, killing: 1000 } as const;

const BEGINNING = `
const { workerData, parentPort } = require("node:worker_threads");
const { memory, signals, lastWords } = workerData;
const shared = new Int32Array(memory);
const heard = () => Atomics.load(shared, ${PLACES.heard});
const phase = () => Atomics.load(shared, ${PLACES.phase});
let timer;
// Calls back where the main thread has not heard of it a moment after, while code of a cell runs. A
// signal may come while a cell is compiled that computes then: it is worth another look.
function ifUnheard(after, act, again = false) {
  const before = heard();
  const look = () => {
    if (heard() !== before) return;
    if (phase() !== ${PHASES.own}) act();
    else if (again) setTimeout(look, after);
  };
  return setTimeout(look, after);
}
`;

/** A thread that ends loops of the main one. `process.on` hears no signals in it, but what it is made of does. */
const ENDS_LOOPS = `${BEGINNING}
const { Session } = require("node:inspector");
const { signals: numbers } = require("node:os").constants;
process.emitWarning = () => undefined;
const { Signal } = process.binding("signal_wrap");
const TERMINATION = ${JSON.stringify(TERMINATION)};
const terminateMainThread = ${terminateMainThread.toString()};
const watchers = signals.map((name) => {
  const watcher = new Signal();
  watcher.onsignal = () => ifUnheard(${PATIENCE.ending}, end);
  return { name, watcher, isOn: false };
});
function end() {
  // A script ends at this signal; cut off by force it would leave its caller waiting for ever.
  if (phase() === ${PHASES.script}) process.kill(process.pid, "SIGINT");
  else void terminateMainThread(new Session(), TERMINATION);
}
parentPort.on("message", ({ limit }) => {
  clearTimeout(timer);
  // What the messages said may be long over. Each side says first what it does and looks then at what
  // the other one does, so that never both go on.
  Atomics.store(shared, ${PLACES.listening}, 1);
  const now = phase();
  for (const one of watchers) {
    // A script listens to SIGINT itself.
    const isWanted = now === ${PHASES.callbacks} || (now === ${PHASES.script} && one.name !== "SIGINT");
    if (isWanted === one.isOn) continue;
    one.isOn = isWanted;
    if (isWanted) one.watcher.start(numbers[one.name]);
    else one.watcher.stop();
  }
  if (limit !== undefined) timer = ifUnheard(limit + ${PATIENCE.ending}, end);
  Atomics.store(shared, ${PLACES.listening}, now === ${PHASES.callbacks} ? 1 : 0);
  Atomics.notify(shared, ${PLACES.listening});
});
`;

/**
 * A thread that asks the loops of cells to end, and ends the process where none does, since it can end
 * nothing itself. Bun's hears no signals.
 */
const ENDS_PROCESS = `${BEGINNING}
const { writeSync } = require("node:fs");
function end() {
  try {
    writeSync(2, lastWords + "\\n");
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}
for (const name of signals) {
  process.on(name, () => {
    ifUnheard(${PATIENCE.ending}, () => Atomics.store(shared, ${PLACES.endLoops}, 1), true);
    ifUnheard(${PATIENCE.killing}, end, true);
  });
}
parentPort.on("message", ({ limit }) => {
  clearTimeout(timer);
  if (limit !== undefined) timer = ifUnheard(limit + ${PATIENCE.killing}, end);
});
`;

/** What a watching thread runs, by runtime. */
export const WATCHERS: Readonly<Record<Runtime["name"], string>> = {
  node: ENDS_LOOPS,
  deno: ENDS_PROCESS,
  bun: ENDS_PROCESS,
};
