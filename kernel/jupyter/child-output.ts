import { AsyncResource } from "node:async_hooks";
import children, { type ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { cells } from "./cell-globals.ts";

/** The streams of this process, by the number that a child knows them by. */
const STREAMS = { 1: process.stdout, 2: process.stderr } as const;
type Inherited = keyof typeof STREAMS;
const NUMBERS: readonly Inherited[] = [1, 2];

type Call = (...given: unknown[]) => unknown;

/**
 * Shows in their cell what children write that inherit the output of the kernel, which nobody reads: those of
 * `node:child_process` with `stdio: "inherit"`. Their other streams stay as they are.
 *
 * @param beforeWaiting Called before a cell blocks until a child has ended.
 */
export function showChildOutput(beforeWaiting: () => void): void {
  const methods = children as unknown as Record<string, Call>;
  for (const name of ["spawn", "fork"]) methods[name] = piping(methods[name] as Call, name);
  for (const name of ["spawnSync", "execSync", "execFileSync"]) {
    methods[name] = writingFiles(methods[name] as Call, beforeWaiting);
  }
  syncBuiltinESMExports();
}

function piping(original: Call, name: string): Call {
  return (...given) => {
    const { call, inherited } = redirect(given, () => "pipe", name === "fork");
    const child = original(...call) as ChildProcess;
    for (const number of inherited) {
      const write = (chunk: Uint8Array): void => void STREAMS[number].write(chunk);
      // The events of a child have no cell on every runtime.
      child.stdio[number]?.on("data", AsyncResource.bind(write));
    }
    return child;
  };
}

/** For calls that wait for the child: meanwhile this thread could not read from a pipe. */
function writingFiles(original: Call, beforeWaiting: () => void): Call {
  return (...given) => {
    const opened = new Map<Inherited, { readonly folder: string; readonly file: number }>();
    const { call } = redirect(given, (number) => {
      const folder = mkdtempSync(join(tmpdir(), "restlab-"));
      const file = openSync(join(folder, "output"), "w", 0o600);
      opened.set(number, { folder, file });
      return file;
    });
    beforeWaiting();
    try {
      return original(...call);
    } finally {
      for (const [number, { folder, file }] of opened) {
        closeSync(file);
        STREAMS[number].write(readFileSync(join(folder, "output")));
        rmSync(folder, { recursive: true, force: true });
      }
    }
  };
}

interface Redirected {
  /** The arguments, with other options. */
  readonly call: readonly unknown[];
  readonly inherited: readonly Inherited[];
}

/** Replaces what a call in a cell lets a child inherit. */
function redirect(
  given: readonly unknown[],
  replace: (number: Inherited) => unknown,
  inherits = false,
): Redirected {
  const at = given.findLastIndex((one) => isOptions(one));
  const options = (given[at] ?? {}) as { readonly stdio?: unknown; readonly silent?: boolean };
  const wanted = options.stdio ?? (inherits && options.silent !== true ? FORKED : undefined);
  const stdio = typeof wanted === "string" ? [wanted, wanted, wanted] : wanted;
  if (cells.get() === undefined || !Array.isArray(stdio)) return { call: given, inherited: [] };
  const inherited = NUMBERS.filter((number) => isInherited(stdio[number], number));
  const changed = stdio.map((one, index) => {
    const number = inherited.find((it) => it === index);
    return number === undefined ? one : replace(number);
  });
  const rest = at < 0 ? given : given.toSpliced(at, 1);
  return { call: [...rest, { ...options, stdio: changed }], inherited };
}

/** What a child of `fork` is given unless told. */
const FORKED = ["inherit", "inherit", "inherit", "ipc"];

function isOptions(one: unknown): boolean {
  return typeof one === "object" && one !== null && !Array.isArray(one);
}

function isInherited(one: unknown, number: Inherited): boolean {
  return one === "inherit" || one === number || one === STREAMS[number];
}
