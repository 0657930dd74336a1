import { AsyncLocalStorage } from "node:async_hooks";
import { Buffer } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import type { Secrets } from "../../../lib/mod.ts";
import type { CellError, OutputSink } from "../cell/mod.ts";
import { cameOfEnd, type Owner } from "../cell/mod.ts";

/** A stream that a cell prints to. */
export type StreamName = "stdout" | "stderr";

/** What a cell prints to, wherever its code is running: in a timer of it as well. */
export interface CellOutput {
  write(name: StreamName, chunk: string | Uint8Array, encoding?: BufferEncoding): void;
  /** Called with what the cell prints by the console. */
  prepare(values: readonly unknown[]): void;
  /** Shows what nobody in the cell has caught. */
  fail(error: unknown): void;
  /** What `process.exit` does in the cell; it ends the process where this is left out. */
  readonly exit: ((status: number) => void) | undefined;
  /** What nothing that the cell shows may hold. */
  readonly secrets: Secrets;
  /** Where it goes in the end. */
  readonly sink: OutputSink;
  /** Ends what the cell began. */
  readonly owner: Owner;
}

/** What a session adds to the output of its cells. */
export type CellHooks = Pick<CellOutput, "prepare" | "exit" | "secrets"> & {
  /** What is to be read of an error that nobody has caught. */
  readonly describe: (error: unknown) => CellError;
};

/** The cell whose code is running here, through timers, promises and callbacks. */
const running = new AsyncLocalStorage<CellOutput | undefined>();

/** The output of the cell whose code calls this, or nothing outside of cells. */
export function currentOutput(): CellOutput | undefined {
  return running.getStore();
}

/** The owner of what the code that calls this begins, or nothing outside of cells. */
export function currentOwner(): Owner | undefined {
  return running.getStore()?.owner;
}

let latest: CellOutput | undefined;

/** The cell that code belongs to whose own cell is unknown: the one that was started last. */
export function latestOutput(): CellOutput | undefined {
  return latest;
}

/** Runs code as that of a cell. */
export function runInCell<T>(output: CellOutput, action: () => T): T {
  latest = output;
  return running.run(output, action);
}

/** Runs code as none of a cell's, though a cell has called it. */
export function runOutsideCells<T>(action: () => T): T {
  return running.run(undefined, action);
}

/** The output of one cell, with a memory of characters that are cut between two writes. */
export function createCellOutput(sink: OutputSink, hooks: CellHooks, owner: Owner): CellOutput {
  const decoders = new Map<StreamName, StringDecoder>();
  const { prepare, exit, secrets } = hooks;
  return {
    sink,
    owner,
    prepare,
    exit,
    secrets,
    write: (name, chunk, encoding) => {
      send(name, typeof chunk === "string" ? decodeText(chunk, encoding) : decode(name, chunk));
    },
    fail: (thrown) => {
      // What an interrupted cell comes to afterwards is no news: it has failed already.
      if (owner.reason !== undefined || cameOfEnd(thrown)) return;
      const error = hooks.describe(thrown);
      if (sink.uncaught === undefined) send("stderr", `Uncaught ${error.traceback.join("\n")}\n`);
      else runOutsideCells(() => sink.uncaught?.(error));
    },
  };

  function send(name: StreamName, text: string): void {
    // The front end may print in its turn, which is not the cell's printing.
    if (text !== "") runOutsideCells(() => sink.stream(name, text));
  }

  function decode(name: StreamName, bytes: Uint8Array): string {
    const decoder = decoders.get(name) ?? new StringDecoder("utf8");
    decoders.set(name, decoder);
    return decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
}

function decodeText(text: string, encoding: BufferEncoding = "utf8"): string {
  const isText = encoding === "utf8" || encoding === "utf-8";
  return isText ? text : Buffer.from(text, encoding).toString("utf8");
}

/** Forgets which cell was started last. */
export function forgetLatest(): void {
  latest = undefined;
}
