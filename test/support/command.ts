import { type ChildProcess, fork, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { endWithTests, keepForNextFile } from "./processes.ts";

const ROOT = join(import.meta.dirname, "../..");

export type RuntimeName = "node" | "deno" | "bun";

/** The built command, which is what packages have. */
const MAIN = join(ROOT, "dist/kernel/main.js");

/** How each runtime starts it: by its own program, since the command of npm's package hands no signals on. */
export const RUNTIMES: Readonly<Record<RuntimeName, readonly [string, ...string[]]>> = {
  node: [process.execPath, MAIN],
  deno: [join(ROOT, "node_modules/deno/deno"), "run", "-A", "--quiet", MAIN],
  bun: [join(ROOT, "node_modules/bun/bin/bun.exe"), MAIN],
};

/** What a finished command left behind. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, as they came. */
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; empty by default. */
  readonly input?: string | Uint8Array;
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

/**
 * Runs restlab until it ends: in a process of its own, or on Node, where nothing of the options needs that, in one
 * that runs the commands of test files one after another.
 */
export function restlab(
  runtime: RuntimeName,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Ended> {
  return canShare(runtime, options) ? runShared(args, options) : runAlone(runtime, args, options);
}

/** What a command has written so far. */
class Written {
  readonly #chunks: (readonly [name: "stdout" | "stderr", bytes: Uint8Array])[] = [];

  add(name: "stdout" | "stderr", bytes: Uint8Array): void {
    this.#chunks.push([name, bytes]);
  }

  get stdout(): string {
    return this.#text(([name]) => name === "stdout");
  }

  ended(status: number | null): Ended {
    const stderr = this.#text(([name]) => name === "stderr");
    return { status, stdout: this.stdout, stderr, output: this.#text(() => true) };
  }

  #text(isMeant: (chunk: readonly ["stdout" | "stderr", Uint8Array]) => boolean): string {
    return Buffer.concat(this.#chunks.filter(isMeant).map(([, bytes]) => bytes)).toString();
  }
}

function runAlone(
  runtime: RuntimeName,
  args: readonly string[],
  options: CommandOptions,
): Promise<Ended> {
  const [program, ...before] = RUNTIMES[runtime];
  const main = before.pop() ?? "";
  const file = options.stdout === undefined ? undefined : openSync(options.stdout, "w");
  const child = endWithTests(
    spawn(program, [...before, ...(options.runtimeOptions ?? []), main, ...args], {
      cwd: options.cwd ?? ROOT,
      env: environmentOf(options),
      stdio: ["pipe", file === undefined ? "pipe" : file, "pipe"],
    }),
  );
  // A command that reads nothing may have ended.
  child.stdin?.on("error", () => undefined).end(options.input ?? "");
  if (file !== undefined) closeSync(file);
  options.onStart?.((signal) => child.kill(signal));
  const written = new Written();
  setTimeout(() => {
    child.stdout?.on("data", (chunk: Buffer) => {
      written.add("stdout", chunk);
      options.onOutput?.(written.stdout, (signal) => child.kill(signal));
    });
  }, options.readAfter ?? 0);
  child.stderr?.on("data", (chunk: Buffer) => written.add("stderr", chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      resolve(written.ended(status));
    });
  });
}

function environmentOf({ env }: CommandOptions): NodeJS.ProcessEnv {
  return { ...process.env, NO_COLOR: "1", ...env };
}

/** Variables that the runtime reads when it starts. */
const READ_AT_START = /^(?:NODE_|SSL_|TZ$|LANG$|LC_)/;

function canShare(runtime: RuntimeName, options: CommandOptions): boolean {
  const { runtimeOptions, readAfter, stdout, onStart, onOutput, env = {} } = options;
  const ownProcess = [runtimeOptions, readAfter, stdout, onStart, onOutput];
  return (
    runtime === "node" &&
    ownProcess.every((option) => option === undefined) &&
    !Object.keys(env).some((name) => READ_AT_START.test(name))
  );
}

/** What the process of `command-host.mjs` sends: a part of its output, or the end. */
type FromHost =
  | { readonly name: "stdout" | "stderr"; readonly bytes: Uint8Array }
  | { readonly status: number; readonly isClean: boolean };

/** The processes that wait for a command. The test files of a worker share them. */
const idle: ChildProcess[] = [];

function runShared(args: readonly string[], options: CommandOptions): Promise<Ended> {
  const host = endWithTests(takeIdle() ?? startHost());
  const written = new Written();
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromHost): void => {
      if ("name" in message) {
        written.add(message.name, message.bytes);
        return;
      }
      if (message.isClean) {
        keepForNextFile(host);
        idle.push(host);
      } else host.kill("SIGKILL");
      end(message.status);
    };
    const onDirect = (chunk: Buffer): void => written.add("stderr", chunk);
    const end = (status: number | null): void => {
      host.off("message", onMessage).off("close", end).off("error", reject);
      host.stderr?.off("data", onDirect);
      resolve(written.ended(status));
    };
    host.on("message", onMessage).on("close", end).on("error", reject);
    host.stderr?.on("data", onDirect);
    const { cwd = ROOT, input = "" } = options;
    host.send({ args, cwd, env: environmentOf(options), input });
  });
}

function takeIdle(): ChildProcess | undefined {
  const host = idle.pop();
  return host?.connected === false ? takeIdle() : host;
}

function startHost(): ChildProcess {
  return fork(join(import.meta.dirname, "command-host.mjs"), {
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}
