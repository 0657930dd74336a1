import { syncBuiltinESMExports } from "node:module";
import process from "node:process";
import { Readable } from "node:stream";
import workerThreads from "node:worker_threads";

/*
 * Runs the built program for one command after another, in this process: a start of its own costs each command half
 * a second of a processor, and TypeScript another. What a process has for itself (arguments, environment, folder,
 * streams, listeners, threads, the end by `process.exit`) each command gets anew. What a command leaves installed
 * until its process ends, the capture of output above all, stays for the next one, which would install the same.
 */

const MAIN = new URL("../../dist/kernel/main.js", import.meta.url);
/** Milliseconds within which a command that ends is out of its own code. */
const PATIENCE = 500;

/** What `process.exit` throws instead of ending this process. */
class Ended extends Error {}

let count = 0;
/** The running command. */
let running;

process.exit = (status = process.exitCode ?? 0) => {
  running?.end(Number(status));
  throw new Ended();
};

for (const name of ["stdout", "stderr"]) {
  process[name].write = (chunk, ...rest) => {
    const encoding = rest.find((value) => typeof value === "string");
    running?.send({ name, bytes: Buffer.from(chunk, encoding) });
    const written = rest.find((value) => typeof value === "function");
    if (written !== undefined) queueMicrotask(written);
    return true;
  };
}

const threads = new Set();
workerThreads.Worker = class extends workerThreads.Worker {
  constructor(...options) {
    super(...options);
    threads.add(this);
  }
};
syncBuiltinESMExports();

process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

process.on("message", async ({ args, cwd, env, input }) => {
  // Nothing but the command keeps the process alive, so that one that waits for nothing is noticed.
  process.channel.unref();
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  process.exitCode = undefined;
  const stdin = Readable.from(input.length === 0 ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, "stdin", { value: stdin, configurable: true });

  const { status, isOut } = await runMain();
  for (const thread of threads) void thread.terminate();
  threads.clear();
  // What still is in the middle of something may disturb the next command, and keep it waiting for what is not its own.
  const left = process.getActiveResourcesInfo();
  const isQuiet = !left.some((resource) => /Timeout|Server|Process/.test(resource));
  process.channel.ref();
  process.send({ status, isClean: isOut && isQuiet });
});

/** Runs the program to its end, whether or not that is in code of a cell, which goes on then. */
function runMain() {
  const known = new Set(listeners().map(([, , listener]) => listener));
  return new Promise((resolve) => {
    let status;
    let patience;
    const end = (given) => {
      if (status !== undefined) return;
      status = given;
      const added = listeners().filter(([, , listener]) => !known.has(listener));
      for (const [, event, listener] of added) if (event === "exit") listener(given);
      for (const [emitter, event, listener] of added) emitter.removeListener(event, listener);
      running = undefined;
      patience = setTimeout(() => resolve({ status, isOut: false }), PATIENCE);
    };
    running = { end, send: (message) => process.send(message) };
    // Its own module is loaded again for each command, and those that it imports only once.
    import(`${MAIN}?command=${++count}`)
      .then(({ ended }) => ended)
      .then(
        () => end(process.exitCode ?? 0),
        (error) => {
          if (!(error instanceof Ended)) throw error;
        },
      )
      .then(() => {
        clearTimeout(patience);
        resolve({ status, isOut: true });
      });
  });
}

/** The listeners that a command adds to what outlives it. */
function listeners() {
  const events = ["exit", "SIGINT", "SIGTERM", "beforeExit"].map((event) => [process, event]);
  const errors = [process.stdout, process.stderr].map((stream) => [stream, "error"]);
  return [...events, ...errors].flatMap(([emitter, event]) =>
    emitter.rawListeners(event).map((listener) => [emitter, event, listener]),
  );
}
