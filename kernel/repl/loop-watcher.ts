/** Words of memory that the main thread and the watcher share. */
export const PLACES = {
  /** How often the main thread has heard of Ctrl-C. */
  heard: 0,
  /** 1 while the main thread may be in code of a cell behind an `await`. */
  breakable: 1,
  /** How many messages the watcher has obeyed. */
  obeyed: 2,
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
 * Ctrl-C in the meantime, or be drawing an answer. To cut that off would leave a session without a
 * prompt.
 */
export const WATCHER: string = `
const { workerData, parentPort } = require("node:worker_threads");
const { Session } = require("node:inspector");
const { memory, own } = workerData;
const shared = new Int32Array(memory);
process.emitWarning = () => undefined;
const { Signal } = process.binding("signal_wrap");
const watcher = new Signal();
const SIGINT = 2;
const PATIENCE = 300;
watcher.onsignal = () => {
  const before = Atomics.load(shared, ${PLACES.heard});
  setTimeout(breakUnless, PATIENCE, () => Atomics.load(shared, ${PLACES.heard}) !== before);
};
function breakUnless(isHeard) {
  const isOver = () => isHeard() || Atomics.load(shared, ${PLACES.breakable}) === 0;
  if (isOver()) return;
  const session = new Session();
  session.connectToMainThread();
  session.on("Debugger.paused", ({ params: { callFrames } }) => {
    const resume = () => session.post("Debugger.resume", () => session.disconnect());
    if (isOver()) return resume();
    if (!isOfCell(callFrames)) {
      setTimeout(breakUnless, PATIENCE, isHeard);
      return resume();
    }
    const [{ callFrameId }] = callFrames;
    session.post("Debugger.evaluateOnCallFrame", { callFrameId, expression: CLEAR }, () => undefined);
    session.post("Runtime.terminateExecution", () => undefined);
    resume();
  });
  session.post("Debugger.enable");
  session.post("Debugger.pause");
}
function isOfCell(frames) {
  const urls = frames.map(({ url }) => url);
  if (urls.some((url) => url.startsWith("restlab-cell-"))) return true;
  // A callback in a package that a cell has called.
  const isOurs = (url) => url.startsWith(own) || url.includes("/tslab/");
  return !urls.some(isOurs) && urls.some((url) => !url.startsWith("node:"));
}
// What is cut off leaves its places on Node's stack of async contexts, and Node ends itself when it
// finds them. An exception that nobody catches clears that stack in the same way.
const CLEAR = \`{
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  process.binding("async_wrap").clearAsyncIdStack();
  process.emitWarning = emitWarning;
}\`;
parentPort.on("message", (isWanted) => {
  if (isWanted) watcher.start(SIGINT);
  else watcher.stop();
  Atomics.add(shared, ${PLACES.obeyed}, 1);
  Atomics.notify(shared, ${PLACES.obeyed});
});
`;
