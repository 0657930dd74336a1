import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { endWithTests } from "./processes.ts";

const ROOT = join(import.meta.dirname, "../..");

export type RuntimeName = "node" | "deno" | "bun";

/** How each runtime starts the command: Node the built one, Deno and Bun the sources. */
export const RUNTIMES: Readonly<Record<RuntimeName, readonly [string, ...string[]]>> = {
  node: [process.execPath, join(ROOT, "dist/kernel/main.js")],
  deno: [
    join(ROOT, "node_modules/.bin/deno"),
    "run",
    "-A",
    "--quiet",
    join(ROOT, "kernel/main.ts"),
  ],
  bun: [join(ROOT, "node_modules/.bin/bun"), join(ROOT, "kernel/main.ts")],
};

/** What a finished command left behind. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of the runtime itself. */
  readonly runtimeOptions?: readonly string[];
  /** Leaves the output unread for so many milliseconds, so that the pipe is full for a while. */
  readonly readAfter?: number;
  /** A file that standard output goes to. */
  readonly stdout?: string;
  /** Called with what sends a signal to the process. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called with standard output as it comes. */
  readonly onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs restlab as a process of its own, with empty standard input, until it ends. */
export function restlab(
  runtime: RuntimeName,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Ended> {
  const [program, ...before] = RUNTIMES[runtime];
  const main = before.pop() ?? "";
  const file = options.stdout === undefined ? undefined : openSync(options.stdout, "w");
  const child = endWithTests(
    spawn(program, [...before, ...(options.runtimeOptions ?? []), main, ...args], {
      cwd: options.cwd ?? ROOT,
      env: { ...process.env, NO_COLOR: "1", ...options.env },
      stdio: ["ignore", file === undefined ? "pipe" : file, "pipe"],
    }),
  );
  if (file !== undefined) closeSync(file);
  options.onStart?.((signal) => child.kill(signal));
  let stdout = "";
  let stderr = "";
  setTimeout(() => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      options.onOutput?.(stdout, (signal) => child.kill(signal));
    });
  }, options.readAfter ?? 0);
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}
