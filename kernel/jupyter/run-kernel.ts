import { randomUUID } from "node:crypto";
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
import {
  ConnectionFileError,
  type ConnectionInfo,
  parseConnectionFile,
} from "./connection-file.ts";
import { createHistory } from "./history.ts";
import { createKernelInfo, type Kernel, loadSessionModule } from "./kernel.ts";
import { Server } from "./server.ts";

/** Milliseconds that front ends have to read what is queued when the kernel ends. */
const LINGER = 250;
/** Milliseconds after the start at which the session is opened, unless a cell needs it earlier. */
const BEFORE_LOADING = 100;

/**
 * Runs a kernel until it is shut down.
 *
 * @param connectionFile The path of the file with the ports to listen on.
 * @param thread Runs the program of the sockets.
 * @returns The exit status: 0 after a shutdown, 1 if the kernel could not start, or what a cell
 * passed to `process.exit`.
 */
export async function runKernel(
  connectionFile: string,
  platform: Platform,
  thread: Worker,
): Promise<number> {
  const log = (line: string): void => platform.stderr.write(`restlab: ${line}\n`);
  try {
    const text = new TextDecoder().decode(await readConnectionFile(connectionFile, platform));
    const connection = parseConnectionFile(text, connectionFile);
    const inspector = await inspectorUrl(platform.runtime.name);
    return await new KernelProcess({ platform, connection, thread, inspector, log }).run();
  } catch (error) {
    const { toVisibleLine } = await import("../../lib/display/mod.ts");
    log(toVisibleLine(error instanceof Error ? error.message : String(error)));
    return 1;
  }
}

async function readConnectionFile(path: string, platform: Platform): Promise<Uint8Array> {
  try {
    return await platform.readFile(path);
  } catch (error) {
    throw new ConnectionFileError(path, [(error as Error).message]);
  }
}

interface KernelOptions {
  readonly platform: Platform;
  readonly connection: ConnectionInfo;
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
  readonly #hasKey: boolean;
  readonly #server: Server;
  readonly #ended: Promise<number>;
  #resolveEnd: (status: number) => void = () => undefined;
  #isEnding = false;
  #count = 0;
  #kept: Promise<SessionHistory> | undefined;
  #session: Promise<Session> | undefined;
  #opened: Session | undefined;

  constructor({ platform, connection, thread, inspector, log }: KernelOptions) {
    const { runtime, environment } = platform;
    const username = environment["USER"] ?? environment["USERNAME"] ?? "restlab";
    this.#log = log;
    this.#platform = platform;
    this.#hasKey = connection.key !== "";
    this.#ended = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
    this.#server = new Server(this, log);
    this.channels = new Channels(
      thread,
      {
        connection,
        session: randomUUID(),
        username,
        info: createKernelInfo(runtime.title),
        runtime: runtime.name,
        inspector,
        parentProcess: toProcessId(environment["JPY_PARENT_PID"]),
      },
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
      if (!this.#hasKey) {
        this.#log(
          "The connection file has no key: anyone who can reach the ports of this kernel can run " +
            "code as this user",
        );
      }
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
    showChildOutput();
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

function toProcessId(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 1 ? number : undefined;
}
