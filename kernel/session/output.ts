import { Buffer } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { isError, readable } from "../../lib/interpolation/mod.ts";
import type { AssertionResult, Secrets, SkippedRequest } from "../../lib/mod.ts";
import { AsyncContext } from "../platform/mod.ts";
import { type CellError, cameOfEnd, type OutputSink, type Owner } from "./cell/mod.ts";
import { LiveOutput } from "./live-output.ts";
import { scriptOf } from "./trace.ts";

/** A stream that a cell prints to. */
export type StreamName = "stdout" | "stderr";

/** The output of a cell, which its timers share. */
export interface CellOutput {
  write(name: StreamName, chunk: string | Uint8Array, encoding?: BufferEncoding): void;
  /** Called with the values that the cell prints with the console; returns what is printed of them. */
  prepare(values: readonly unknown[]): readonly unknown[];
  /** Shows an error that the cell did not catch. */
  fail(error: unknown): void;
  /** Called by `process.exit` in the cell; by default the process ends. */
  readonly exit: ((status: number) => void) | undefined;
  /** The secrets that the output must not contain. */
  readonly secrets: Secrets;
  /** What its code sees beside the globals of the runtime, by name. */
  readonly globals: object;
  readonly sink: OutputSink;
  /** Shows the requests of the cell that are on their way. */
  readonly live: LiveOutput;
  /** Ends what the cell began. */
  readonly owner: Owner;
  /** The results of the assertions and tests of the cell, which its code adds to. */
  readonly assertions: AssertionResult[];
  /** The requests of the cell that were not sent. */
  readonly skipped: SkippedRequest[];
}

/** What a session adds to the output of its cells. */
export type CellHooks = Pick<CellOutput, "prepare" | "exit" | "secrets" | "globals"> & {
  /** Describes an error that the cell did not catch. */
  readonly describe: (error: unknown) => CellError;
};

/** The cell whose code is running, through timers, promises and callbacks. */
const running = new AsyncContext<CellOutput | undefined>();

/** The output of the cell whose code calls this, if it is a cell. */
export function currentOutput(): CellOutput | undefined {
  return running.get();
}

/** The owner of the cell whose code calls this, if it is a cell. */
export function currentOwner(): Owner | undefined {
  return currentOutput()?.owner;
}

/** The cell that was started last, for code whose own cell is unknown. */
let latest: CellOutput | undefined;

/** The output of the cell that was started last. */
export function latestOutput(): CellOutput | undefined {
  return latest;
}

/** The outputs of the latest cells, by the numbers of their scripts. */
const byScript = new Map<number, WeakRef<CellOutput>>();
const KEPT_OUTPUTS = 1000;

/** Notes which cell a script is of. */
export function noteScript(id: number, output: CellOutput): void {
  byScript.set(id, new WeakRef(output));
  byScript.delete(id - KEPT_OUTPUTS);
}

/** What a timer has thrown last, and the cell that started it. */
let thrown: { readonly error: unknown; readonly output: CellOutput | undefined } | undefined;

/** Calls back for a timer of a cell. */
export function runTimer(output: CellOutput | undefined, callback: () => void): void {
  try {
    callback();
  } catch (error) {
    // Deno itself would end for a revoked proxy.
    thrown = { error: readable(error), output };
    throw thrown.error;
  }
}

/**
 * The output of the cell that an error is of, which nothing has caught. Deno forgets the context of timers there, Bun
 * that of promises: then the stack tells whose code called that which made the error.
 *
 * @param isGuest Whether other code than that of cells runs in the process: then it is not of the latest cell.
 */
export function outputOfError(error: unknown, isGuest: boolean): CellOutput | undefined {
  const isOfTimer = thrown !== undefined && Object.is(thrown.error, error);
  const known = (isOfTimer ? thrown?.output : currentOutput()) ?? outputOfStack(error);
  return known ?? (isGuest ? undefined : latest);
}

function outputOfStack(error: unknown): CellOutput | undefined {
  const id = isError(error) ? scriptOf(error) : undefined;
  return id === undefined ? undefined : byScript.get(id)?.deref();
}

/** Runs code as part of a cell. */
export function runInCell<T>(output: CellOutput, action: () => T): T {
  latest = output;
  return running.run(output, action);
}

/** Runs code outside of all cells, even if a cell calls it. */
export function runOutsideCells<T>(action: () => T): T {
  return running.run(undefined, action);
}

/** Creates the output of a cell, which joins characters that are split between two writes. */
export function createCellOutput(
  sink: OutputSink,
  hooks: CellHooks,
  owner: Owner,
  { assertions, skipped }: Pick<CellOutput, "assertions" | "skipped">,
): CellOutput {
  const decoders = new Map<StreamName, StringDecoder>();
  const { prepare, exit, secrets, globals } = hooks;
  return {
    sink,
    live: new LiveOutput(sink, secrets),
    owner,
    assertions,
    skipped,
    prepare,
    exit,
    secrets,
    // What the cell assigns to them is its own.
    globals: Object.create(globals) as object,
    write: (name, chunk, encoding) => {
      send(name, typeof chunk === "string" ? decodeText(chunk, encoding) : decode(name, chunk));
    },
    fail: (thrown) => {
      // The failure of an interrupted cell was reported already.
      if (owner.reason !== undefined || cameOfEnd(thrown)) return;
      const error = hooks.describe(thrown);
      if (sink.uncaught === undefined) send("stderr", `Uncaught ${error.traceback.join("\n")}\n`);
      else sink.uncaught(error);
    },
  };

  function send(name: StreamName, text: string): void {
    if (text !== "") sink.stream(name, text);
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

/** Forgets all cells. */
export function forgetCells(): void {
  latest = undefined;
  thrown = undefined;
  byScript.clear();
}
