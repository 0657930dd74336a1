import { Console } from "node:console";
import process from "node:process";
import { Writable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { inspect } from "node:util";
import { RUNTIME_FETCH } from "../../lib/fetch/mod.ts";
import { readable } from "../../lib/interpolation/mod.ts";
import {
  CellExit,
  cameOfEnd,
  keepBuiltIns,
  REALM,
  restoreBuiltIns,
  StuckError,
} from "./cell/mod.ts";
import { noteFetched } from "./fetched.ts";
import {
  currentOutput,
  currentOwner,
  forgetCells,
  outputOfError,
  runOutsideCells,
  type StreamName,
} from "./output.ts";
import { createOwnedTimers } from "./owned-timers.ts";

let captures = 0;
let restore = (): void => undefined;

/**
 * Sends what cells print to their sinks until the returned function is called. What other code prints
 * is not changed.
 *
 * @param isGuest Whether the process is of another program, which handles its own errors.
 */
export function captureOutput(isGuest = false): () => void {
  captures += 1;
  if (captures === 1) restore = install(isGuest);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    captures -= 1;
    if (captures > 0) return;
    restore();
    forgetCells();
  };
}

function install(isGuest: boolean): () => void {
  keepBuiltIns();
  const installed = [
    installConsole(),
    installStream("stdout", process.stdout),
    installStream("stderr", process.stderr),
    isGuest ? guardGuest() : guardProcess(),
    guardExit(),
    installOwnedGlobals(),
  ];
  return () => {
    for (const undo of installed) undo();
  };
}

function installConsole(): () => void {
  const original = REALM.console;
  const cells = new Console({ stdout: sinkStream("stdout"), stderr: sinkStream("stderr") });
  const inCell = new Map<PropertyKey, unknown>();
  const replaced = new Proxy(original, {
    get: (target, property) => {
      if (currentOutput() === undefined) return Reflect.get(target, property);
      const known = inCell.get(property);
      if (known !== undefined) return known;
      const method: unknown = Reflect.get(cells, property);
      if (typeof method !== "function") return method ?? Reflect.get(target, property);
      const prepared = (...values: unknown[]): unknown => {
        const printed = currentOutput()?.prepare(values) ?? values;
        return Reflect.apply(method, cells, printed);
      };
      inCell.set(property, prepared);
      return prepared;
    },
    set: (target, property, value) => {
      inCell.delete(property);
      return Reflect.set(currentOutput() === undefined ? target : cells, property, value);
    },
  });
  REALM.console = replaced;
  return () => {
    if (REALM.console === replaced) REALM.console = original;
  };
}

function sinkStream(name: StreamName): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, encoding, done) => {
      currentOutput()?.write(name, chunk, encoding);
      done();
    },
  });
}

type Write = NodeJS.WriteStream["write"];

function installStream(name: StreamName, stream: NodeJS.WriteStream): () => void {
  const original = stream.write;
  const replaced = function write(
    this: NodeJS.WriteStream,
    chunk: string | Uint8Array,
    ...rest: unknown[]
  ): boolean {
    const output = currentOutput();
    if (output === undefined) return Reflect.apply(original, this, [chunk, ...rest]);
    const [encoding] = rest.filter((value) => typeof value === "string") as BufferEncoding[];
    output.write(name, chunk, encoding);
    const done = rest.find((value) => typeof value === "function");
    if (done !== undefined) queueMicrotask(done as () => void);
    return true;
  } as Write;
  stream.write = replaced;
  return () => {
    if (stream.write === replaced) stream.write = original;
  };
}

/** The events of errors that nothing has caught. */
const UNCAUGHT = ["uncaughtException", "unhandledRejection"] as const;
type UncaughtEvent = (typeof UNCAUGHT)[number];

/**
 * Shows an error that nothing has caught as one of its cell.
 *
 * @returns Whether it is an error of a cell.
 */
function showUncaught(given: unknown, isGuest: boolean): boolean {
  // It may be a built-in function of a cell that has thrown.
  restoreBuiltIns();
  const error = readable(given);
  // The end of a cell was reported already.
  if (error instanceof CellExit || cameOfEnd(error)) return true;
  const output = outputOfError(error, isGuest);
  output?.fail(error);
  return output !== undefined;
}

/** Ends the process by an error of other code, as it would end without handlers. */
function endBy(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

/** Keeps the errors of cells from ending the process; returns what no longer does. */
function guardProcess(): () => void {
  const onUncaught = (given: unknown): void => {
    if (showUncaught(given, false)) return;
    undo();
    endBy(readable(given));
  };
  for (const event of UNCAUGHT) process.on(event, onUncaught);
  function undo(): void {
    for (const event of UNCAUGHT) process.off(event, onUncaught);
  }
  return undo;
}

/**
 * Does so in the process of another program, whose own handlers get the errors of its own code alone, and do with them
 * what they did before.
 */
function guardGuest(): () => void {
  const undos = UNCAUGHT.map((event) => {
    let isOwn = false;
    return putBefore(
      event,
      (given) => {
        isOwn = showUncaught(given, true);
        if (isOwn || process.listenerCount(event) > 1) return;
        // A rejection without handlers of its own is an exception, and an exception without them ends the process.
        if (process.listenerCount("uncaughtException") === 1) undo();
        endBy(readable(given));
      },
      () => !isOwn,
    );
  });
  const undo = (): void => {
    for (const one of undos) one();
  };
  return undo;
}

/** A handler as `process` keeps it: that of `once` names the one that it was made of. */
interface Handler {
  (this: unknown, ...given: unknown[]): void;
  readonly listener?: unknown;
}

/**
 * Puts a handler before the others of an event, which are called only if `passes` returns true after it.
 *
 * @returns What removes it, and leaves the others as they are then.
 */
function putBefore(event: UncaughtEvent, first: Handler, passes: () => boolean): () => void {
  const others = new Map<unknown, Handler>();
  const replace = (handlers: readonly Handler[]): void => {
    process.removeAllListeners(event);
    for (const handler of handlers) process.on(event, handler);
  };
  const wrap = (handler: Handler): Handler => {
    function wrapped(this: unknown, ...given: unknown[]): void {
      if (passes()) Reflect.apply(handler, this, given);
    }
    others.set(wrapped, handler);
    // The program finds, and removes, its handler by itself.
    return Object.assign(wrapped, { listener: handler.listener ?? handler });
  };
  replace([first, ...process.rawListeners(event).map((it) => wrap(it as Handler))]);
  return () => {
    const left = process.rawListeners(event).filter((it) => it !== first);
    replace(left.map((it) => others.get(it) ?? (it as Handler)));
  };
}

/** Passes `process.exit` in a cell to its session; returns what no longer does. */
function guardExit(): () => void {
  const { exit } = process;
  const replaced = ((status?: number | string | null): never => {
    const output = currentOutput();
    if (output?.exit === undefined) return exit(status);
    const code = toExitStatus(status ?? process.exitCode ?? 0);
    output.exit(code);
    throw new CellExit(code);
  }) as typeof process.exit;
  process.exit = replaced;
  return () => {
    if (process.exit === replaced) process.exit = exit;
  };
}

/**
 * The status that the system reports, which has eight bits. A failure stays a failure.
 */
function toExitStatus(status: number | string): number {
  const code = typeof status === "string" && status.trim() === "" ? Number.NaN : Number(status);
  if (!Number.isInteger(code)) {
    throw new TypeError(`Cannot exit with the status ${inspect(status)}: it is not a whole number`);
  }
  return code === 0 ? 0 : code & 255 || 1;
}

/** What is called at the end of the process: one handler of all sessions, since Node warns about more than ten. */
const stuck = new Set<(reason: Error) => void>();

function onStuck(): void {
  for (const act of stuck) act(new StuckError());
}

/**
 * Calls back if the process would end in the middle of a cell, because nothing is left to wait for.
 * Deno and Bun keep waiting.
 *
 * @returns What stops watching.
 */
export function whenStuck(act: (reason: Error) => void): () => void {
  if (stuck.size === 0) process.on("beforeExit", onStuck);
  stuck.add(act);
  return () => {
    stuck.delete(act);
    if (stuck.size === 0) process.off("beforeExit", onStuck);
  };
}

/** Milliseconds after which a person is told what the process waits for. */
const PATIENCE = 2000;

/**
 * Waits until nothing is left that keeps the process alive, as a program does at its end: timers, requests, servers.
 *
 * @param onWaiting Called once, with words for what it is, if that takes long.
 * @param signal Ends the waiting.
 */
export async function untilIdle(
  onWaiting: (what: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const note = setTimeout(() => onWaiting(describeResources()), PATIENCE).unref();
  await new Promise<void>((resolve) => {
    const end = (): void => resolve();
    process.once("beforeExit", end);
    signal.addEventListener("abort", () => {
      process.off("beforeExit", end);
      end();
    });
  });
  clearTimeout(note);
  // Bun reports what was not caught in the last turn only after it.
  await new Promise((resolve) => setImmediate(resolve));
}

/** What keeps the process alive, in words, as far as the runtime tells. */
function describeResources(): string {
  const counts = new Map<string, number>();
  for (const resource of process.getActiveResourcesInfo?.() ?? []) {
    const word = RESOURCES[resource];
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}${count === 1 ? "" : "s"}`);
  return parts.length === 0 ? "what cells have started" : parts.join(", ");
}

/** @see https://nodejs.org/docs/latest-v20.x/api/async_hooks.html#type */
const RESOURCES: Readonly<Record<string, string>> = {
  Timeout: "timer",
  TCPServerWrap: "server",
  PipeServerWrap: "server",
  TCPSocketWrap: "connection",
  TLSWrap: "connection",
  UDPWrap: "socket",
  ProcessWrap: "child process",
  MessagePort: "thread",
  FSEventWrap: "file watcher",
};

/**
 * Replaces the runtime's timers and fetch by those that end with the owner of a cell. Other code calls what was there
 * before, the mock of a test for example.
 *
 * @returns What restores those that were not replaced again meanwhile.
 */
function installOwnedGlobals(): () => void {
  const owned = { ...createOwnedTimers(REALM), fetch: createOwnedFetch(REALM.fetch) };
  const undo = Object.entries(owned).map(([name, value]) => {
    const original = Object.getOwnPropertyDescriptor(REALM, name);
    if (original === undefined) return () => undefined;
    const { enumerable = true } = original;
    Object.defineProperty(REALM, name, {
      value,
      enumerable,
      writable: true,
      configurable: true,
    });
    return () => {
      if (Reflect.get(REALM, name) !== value) return;
      Object.defineProperty(REALM, name, original);
    };
  });
  return () => {
    for (const restore of undo) restore();
  };
}

const explainFetch = (url: string): string =>
  `fetch fills no placeholders: write client.send(\`GET ${url}\`), or ask for a variable by client.getVar("name")`;

/** A fetch, which it names for the client, but requests of a cell end with the owner of the cell. */
function createOwnedFetch(former: typeof fetch): typeof fetch {
  const ownedFetch: typeof fetch = async (...[input, init]) => {
    const owner = currentOwner();
    if (owner === undefined) return await former(input, init);
    if (owner.reason !== undefined) throw owner.reason;
    if (typeof input === "string" && input.includes("{{")) throw new TypeError(explainFetch(input));
    const signals = [init?.signal ?? (input instanceof Request ? input.signal : undefined)];
    const signal = AbortSignal.any([owner.signal, ...signals.filter((it) => it != null)]);
    // Other cells share the connections and their timers.
    const fetching = runOutsideCells(() => former(input, { ...init, signal }));
    return await noteFetched([input, init], fetching);
  };
  return Object.assign(ownedFetch, { [RUNTIME_FETCH]: former, toString: () => String(former) });
}
