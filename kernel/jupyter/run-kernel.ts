import { setTimeout } from "node:timers";
import type { Worker } from "node:worker_threads";
import {
  historyPath,
  openSessionHistory,
  type Platform,
  type SessionHistory,
} from "../platform/mod.ts";
import { endedBy } from "../session/cell/mod.ts";
import type { Session } from "../session/mod.ts";
import { cells, createCellGlobals, GLOBAL_TYPES } from "./cell-globals.ts";
import { Channels } from "./channels.ts";
import { showChildOutput } from "./child-output.ts";
import { createHistory } from "./history.ts";
import { type Kernel, loadSessionModule } from "./kernel.ts";
import { Server } from "./server.ts";

/** Milliseconds that front ends have to read what is queued when the kernel ends. */
const LINGER = 250;
/** Milliseconds after the start at which the session is opened, unless a cell needs it earlier. */
const BEFORE_LOADING = 100;

/**
 * Runs a kernel until it is shut down.
 *
 * @param thread Runs the program of the sockets, and has read the connection file.
 * @returns The exit status: 0 after a shutdown, 1 if the kernel could not start, or what a cell
 * passed to `process.exit`.
 */
export async function runKernel(platform: Platform, thread: Worker): Promise<number> {
  const log = (line: string): void => platform.stderr.write(`restlab: ${line}\n`);
  try {
    const inspector = await inspectorUrl(platform.runtime.name);
    return await new KernelProcess({ platform, thread, inspector, log }).run();
  } catch (error) {
    const { toVisibleLine } = await import("../../lib/display/mod.ts");
    log(toVisibleLine(error instanceof Error ? error.message : String(error)));
    return 1;
  }
}

interface KernelOptions {
  readonly platform: Platform;
  readonly thread: Worker;
  readonly inspector: string | undefined;
  readonly log: (line: string) => void;
}

/** A kernel: its channels, its server, its session and how they end. */
class KernelProcess implements Kernel {
  readonly channels: Channels;
  readonly history: Kernel["history"] = createHistory();
  readonly #log: (line: string) => void;
  readonly #platform: Platform;
  readonly #server: Server;
  readonly #ended: Promise<number>;
  #resolveEnd: (status: number) => void = () => undefined;
  #isEnding = false;
  #count = 0;
  #kept: Promise<SessionHistory> | undefined;
  #session: Promise<Session> | undefined;
  #opened: Session | undefined;

  constructor({ platform, thread, inspector, log }: KernelOptions) {
    this.#log = log;
    this.#platform = platform;
    this.#ended = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
    this.#server = new Server(this, log);
    this.channels = new Channels(
      thread,
      { runtime: platform.runtime.name, inspector },
      {
        request: (job) => this.#server.receive(job),
        interrupt: () => this.#interrupt(),
        shutdown: () => this.#end(0),
        failed: (error) => {
          log(error.message);
          this.#resolveEnd(1);
        },
        log,
      },
    );
  }

  /** @returns The exit status. */
  async run(): Promise<number> {
    const undoSignal = this.#platform.onInterrupt(() => this.channels.signal());
    try {
      await this.channels.bound;
      // The first cell should not wait for what can be loaded while the user writes it.
      setTimeout(() => {
        void this.kept();
        this.session()
          .then((session) => session.warmUp())
          .catch((error) => this.#log(`Opening the session failed: ${String(error)}`));
      }, BEFORE_LOADING);
      return await this.#ended;
    } finally {
      undoSignal();
      await this.#endHistory();
      await this.channels.close(LINGER);
    }
  }

  kept(): Promise<SessionHistory> {
    this.#kept ??= openSessionHistory({
      path: historyPath(this.#platform.environment, "-kernel"),
      onWarning: this.#log,
    });
    return this.#kept;
  }

  session(): Promise<Session> {
    this.#session ??= this.#openSession();
    return this.#session;
  }

  executionCount(next: boolean): number {
    if (next) this.#count += 1;
    return this.#count;
  }

  isEnding(): boolean {
    return this.#isEnding;
  }

  #interrupt(): void {
    this.channels.acknowledge();
    this.#session?.then(
      (session) => session.interrupt(),
      () => undefined, // The cell that opened the session reports the error.
    );
    this.#server.interrupt();
  }

  async #openSession(): Promise<Session> {
    const { createSession } = await loadSessionModule();
    const { channels } = this;
    const globals = createCellGlobals(channels, () => this.#opened?.interrupt());
    const { prompt } = globals;
    // What a cell printed before is seen while it waits for a child.
    showChildOutput(() => channels.flush());
    this.#opened = await createSession({
      platform: this.#platform,
      globals,
      ask: async ({ description, secret, defaultValue = "" }) =>
        secret ? prompt.password(description) : prompt(description, defaultValue),
      globalTypes: GLOBAL_TYPES,
      scriptEvents: {
        ...endedBy({
          run: (script) => channels.runScript(script),
          mustEnd: () => channels.mustEnd(),
        }),
        compiles: () => channels.flush(),
      },
      onExit: (status) => {
        const text = `The cell called process.exit(${status}): the kernel has ended\n`;
        cells.get()?.publisher.stream("stderr", text);
        this.#end(status);
      },
    });
    return this.#opened;
  }

  /** Since the last cell a response that nobody awaits may have revealed a secret. */
  async #endHistory(): Promise<void> {
    const history = (await this.#kept)?.file;
    if (this.#opened !== undefined) {
      const { secrets } = this.#opened.client;
      const { isKeepable } = await loadSessionModule();
      history?.review((input) => isKeepable(input, secrets), secrets.revision);
    }
    history?.flush();
  }

  #end(status: number): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    // The cell that ends the kernel must return first.
    setTimeout(() => {
      this.#server.close();
      this.#resolveEnd(status);
    }, 0);
  }
}

/** Deno's inspector has an address; the other runtimes need none. */
async function inspectorUrl(runtime: string): Promise<string | undefined> {
  if (runtime !== "deno") return undefined;
  const { url } = await import("node:inspector");
  return url();
}
