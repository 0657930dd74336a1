import { Console } from "node:console";
import process from "node:process";
import { Writable } from "node:stream";
import { installGuards } from "./guards.ts";
import { currentOutput, forgetLatest, type StreamName } from "./output.ts";
import { installOwnedGlobals } from "./owned-globals.ts";

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
    forgetLatest();
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
