import { Console } from "node:console";
import process from "node:process";
import { Writable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { inspect } from "node:util";
import { RUNTIME_FETCH } from "../../lib/fetch/mod.ts";
import { readable } from "../../lib/interpolation/mod.ts";
import { CellExit, cameOfEnd, restoreBuiltIns, StuckError } from "./cell/mod.ts";
import { noteFetched } from "./fetched.ts";
import {
  currentOutput,
  currentOwner,
  forgetCells,
  outputOfError,
  runOutsideCells,
  type StreamName,
} from "./output.ts";
import { ownedTimers } from "./owned-timers.ts";

let captures = 0;
let restore = (): void => undefined;

/**
 * Sends what cells print to their sinks until the returned function is called. What other code prints
 * is not changed.
 */
export function captureOutput(): () => void {
  captures += 1;
  if (captures === 1) restore = install();
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

function install(): () => void {
  const installed = [
    installConsole(),
    installStream("stdout", process.stdout),
    installStream("stderr", process.stderr),
    installGuards(),
    installOwnedGlobals(),
  ];
  return () => {
    for (const undo of installed) undo();
  };
}

function installConsole(): () => void {
  const original = globalThis.console;
  const cells = new Console({ stdout: sinkStream("stdout"), stderr: sinkStream("stderr") });
  const inCell = new Map<PropertyKey, unknown>();
  globalThis.console = new Proxy(original, {
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
  return () => {
    globalThis.console = original;
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
  stream.write = function write(
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
  return () => {
    stream.write = original;
  };
}

/**
 * Keeps cells from ending the process: unhandled rejections and uncaught exceptions are shown by their
 * cell, and `process.exit` is passed to the session.
 *
 * @returns What removes the guards.
 */
function installGuards(): () => void {
  const onUncaught = (given: unknown): void => {
    // It may be a built-in function of a cell that has thrown.
    restoreBuiltIns();
    const error = readable(given);
    // The end of a cell was reported already.
    if (error instanceof CellExit || cameOfEnd(error)) return;
    const output = outputOfError(error);
    if (output !== undefined) output.fail(error);
    else rethrow(error);
  };
  process.on("uncaughtException", onUncaught);
  process.on("unhandledRejection", onUncaught);
  const { exit } = process;
  process.exit = ((status?: number | string | null): never => {
    const output = currentOutput();
    if (output?.exit === undefined) return exit(status);
    const code = toExitStatus(status ?? process.exitCode ?? 0);
    output.exit(code);
    throw new CellExit(code);
  }) as typeof process.exit;

  /** An error of other code ends the process, as it would without the guards. */
  function rethrow(error: unknown): void {
    undo();
    setImmediate(() => {
      throw error;
    });
  }

  function undo(): void {
    process.off("uncaughtException", onUncaught);
    process.off("unhandledRejection", onUncaught);
    process.exit = exit;
  }
  return undo;
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

/**
 * Calls back if the process would end in the middle of a cell, because nothing is left to wait for.
 * Deno and Bun keep waiting.
 *
 * @returns What stops watching.
 */
export function whenStuck(act: (reason: Error) => void): () => void {
  const listener = (): void => act(new StuckError());
  process.on("beforeExit", listener);
  return () => process.off("beforeExit", listener);
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
 * Replaces the runtime's timers and fetch by those that end with the owner of a cell. For other code
 * they work as before.
 *
 * @returns What restores those that were not replaced again meanwhile.
 */
function installOwnedGlobals(): () => void {
  const undo = Object.entries({ ...ownedTimers, fetch: ownedFetch }).map(([name, value]) => {
    const original = Object.getOwnPropertyDescriptor(globalThis, name);
    if (original === undefined) return () => undefined;
    const { enumerable = true } = original;
    Object.defineProperty(globalThis, name, {
      value,
      enumerable,
      writable: true,
      configurable: true,
    });
    return () => {
      if (Reflect.get(globalThis, name) !== value) return;
      Object.defineProperty(globalThis, name, original);
    };
  });
  return () => {
    for (const restore of undo) restore();
  };
}

const explainFetch = (url: string): string =>
  `fetch fills no placeholders: write client.send(\`GET ${url}\`), or ask for a variable by client.getVar("name")`;

const runtimeFetch = globalThis.fetch;

/** The runtime's fetch, which it names for the client, and whose requests end with the owner of the cell that sends them. */
const ownedFetch: typeof fetch = Object.assign(
  async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const owner = currentOwner();
    if (owner === undefined) return await runtimeFetch(input, init);
    if (owner.reason !== undefined) throw owner.reason;
    if (typeof input === "string" && input.includes("{{")) throw new TypeError(explainFetch(input));
    const signals = [init?.signal ?? (input instanceof Request ? input.signal : undefined)];
    const signal = AbortSignal.any([owner.signal, ...signals.filter((it) => it != null)]);
    // Other cells share the connections and their timers.
    const fetching = runOutsideCells(() => runtimeFetch(input, { ...init, signal }));
    return await noteFetched([input, init], fetching);
  },
  { [RUNTIME_FETCH]: runtimeFetch, toString: () => String(runtimeFetch) },
);
