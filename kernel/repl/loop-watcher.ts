/** Words of memory that the main thread and the watcher share. */
export const PLACES = {
  /** How often the main thread has heard of Ctrl-C. */
  heard: 0,
  /** 1 while the main thread may be in code of a cell. */
  breakable: 1,
  /** 1 once the watcher hears signals. */
  listening: 2,
} as const;

/** What the watcher is started with. */
export interface WatcherData {
  readonly memory: SharedArrayBuffer;
  /** Where our own code is; a URL that its scripts begin with. */
  readonly own: string;
}

/**
 * The program of a thread that hears Ctrl-C while the main one computes; `process.on` hears no
 * signals in a worker, but what it is made of does.
 *
 * The main thread is paused before it is cut off, and looked at while it stands: it may have heard of
 * Ctrl-C in the meantime, or be drawing an answer, which to cut off would leave a session without a
 * prompt. In a cell that prints without end it is most often in the streams of the runtime, which
 * would never write again: it is let go on to the cell's own code first, for as long as that takes
 * no longer than a moment.
 */
export const WATCHER: string = `
const { workerData } = require("node:worker_threads");
const { Session } = require("node:inspector");
const { memory, own } = workerData;
const shared = new Int32Array(memory);
process.emitWarning = () => undefined;
const { Signal } = process.binding("signal_wrap");
const watcher = new Signal();
const SIGINT = 2;
const PATIENCE = 300;
const MOMENT = 1000;
const STEP = 100;
watcher.onsignal = () => {
  const before = Atomics.load(shared, ${PLACES.heard});
  setTimeout(breakUnless, PATIENCE, () => Atomics.load(shared, ${PLACES.heard}) !== before);
};
function breakUnless(isHeard) {
  const isOver = () => isHeard() || Atomics.load(shared, ${PLACES.breakable}) === 0;
  if (isOver()) return;
  const session = new Session();
  session.connectToMainThread();
  const end = Date.now() + MOMENT;
  let isEnding = false;
  let again;
  const resume = () => {
    clearInterval(again);
    session.post("Debugger.resume", () => session.disconnect());
  };
  session.on("Debugger.paused", ({ params: { callFrames } }) => {
    if (isEnding) return;
    if (isOver()) return resume();
    const urls = callFrames.map(({ url }) => url);
    if (!urls.some(isCell) && urls.some(isOurs)) {
      setTimeout(breakUnless, PATIENCE, isHeard);
      return resume();
    }
    if (isInside(urls[0]) && Date.now() < end) return session.post("Debugger.stepOut");
    isEnding = true;
    const [{ callFrameId }] = callFrames;
    session.post("Debugger.evaluateOnCallFrame", { callFrameId, expression: CLEAR }, () => undefined);
    session.post("Runtime.terminateExecution", () => undefined);
    resume();
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
  // A function may not come to its end, and an empty loop has no place to stop at behind one.
  again = setInterval(() => session.post("Debugger.pause", () => undefined), STEP);
}
const isCell = (url) => url.startsWith("restlab-cell-");
const isOurs = (url) => url.startsWith(own) || url.includes("/tslab/");
const isInside = (url) => url === "" || url.startsWith("node:") || isOurs(url);
// What is cut off leaves its places on Node's stack of async contexts, and Node ends itself when it
// finds them. An exception that nobody catches clears that stack in the same way.
const CLEAR = \`{
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  process.binding("async_wrap").clearAsyncIdStack();
  process.emitWarning = emitWarning;
}\`;
watcher.start(SIGINT);
Atomics.store(shared, ${PLACES.listening}, 1);
Atomics.notify(shared, ${PLACES.listening});
`;
