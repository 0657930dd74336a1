import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers";
import type { Worker } from "node:worker_threads";
import {
  historyPath,
  openSessionHistory,
  type Platform,
  type SessionHistory,
} from "../platform/mod.ts";
import type { Session } from "../session/mod.ts";
import { createCellGlobals, GLOBAL_TYPES } from "./cell-globals.ts";
import { createServer } from "./handlers/mod.ts";
import type { Kernel } from "./kernel/mod.ts";
import { cells, createHistory, createKernelInfo } from "./kernel/mod.ts";
import { ConnectionFileError, createMessageFactory, parseConnectionFile } from "./messages/mod.ts";
import { loadSessionModule, openChannels } from "./sockets/mod.ts";

/** Front ends have this long to take what is queued when the kernel ends, in milliseconds. */
const LINGER = 250;
/** The session is opened so long after the start, in milliseconds, if no cell came before. */
const BEFORE_LOADING = 100;
const OPEN = "anyone who can reach the ports of this kernel can run code as this user";

/**
 * Runs a kernel until it is shut down.
 *
 * @param connectionFile The path that a front end gives, with the ports to listen on.
 * @param thread Runs the program of the sockets.
 * @returns The exit status: 0 after a shutdown, 1 where the kernel could not start, or what a cell
 * gave to `process.exit`.
 */
export async function runKernel(
  connectionFile: string,
  platform: Platform,
  thread: Worker,
): Promise<number> {
  const log = (line: string): void => platform.stderr.write(`restlab: ${line}\n`);
  try {
    const text = new TextDecoder().decode(await readConnectionFile(connectionFile, platform));
    return await serve(text, connectionFile, { platform, thread, log });
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

interface Surroundings {
  readonly platform: Platform;
  readonly thread: Worker;
  readonly log: (line: string) => void;
}

async function serve(
  text: string,
  path: string,
  { platform, thread, log }: Surroundings,
): Promise<number> {
  const { runtime, environment, directory } = platform;
  const connection = parseConnectionFile(text, path);
  const username = environment["USER"] ?? environment["USERNAME"] ?? "restlab";
  const messages = createMessageFactory(randomUUID(), username);
  const info = createKernelInfo(runtime.title);
  let resolveEnd: (status: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    resolveEnd = resolve;
  });
  let isEnding = false;
  let count = 0;
  let session: Promise<Session> | undefined;
  let opened: Session | undefined;
  let kept: Promise<SessionHistory> | undefined;

  const channels = openChannels(
    {
      thread,
      connection,
      messages,
      username,
      info,
      runtime: runtime.name,
      inspector: await inspectorUrl(runtime.name),
      parentProcess: toProcessId(environment["JPY_PARENT_PID"]),
    },
    {
      request: (request, arrival) => server.receive(request, arrival),
      controlRequest: (request) => server.receiveControl(request),
      boundary: (arrival) => server.abortUpTo(arrival),
      interrupt: () => {
        channels.cells.taken();
        void session?.then(({ interrupt }) => interrupt());
        server.interrupted();
      },
      shutdown: () => finish(0),
      failed: (error) => {
        log(error.message);
        resolveEnd(1);
      },
      log,
    },
  );
  const kernel: Kernel = {
    channels,
    info,
    history: createHistory(),
    kept: () => {
      kept ??= openSessionHistory({ folder: historyPath(environment, "-kernel"), onTrouble: log });
      return kept;
    },
    session: () => {
      session ??= openSession();
      return session;
    },
    executionCount: (next) => {
      if (next) count += 1;
      return count;
    },
    isEnding: () => isEnding,
  };
  const server = createServer(kernel, log);
  const undoSignal = platform.onInterrupt(() => channels.signal());

  async function openSession(): Promise<Session> {
    const { createSession, endedBy } = await loadSessionModule();
    const interrupt = (): void => opened?.interrupt();
    const globals = createCellGlobals(channels, interrupt);
    const { prompt } = globals;
    opened = await createSession({
      platform: { ...platform, directory },
      globals,
      ask: async ({ description, secret, defaultValue = "" }) =>
        secret ? prompt.password(description) : prompt(description, defaultValue),
      globalTypes: GLOBAL_TYPES,
      scriptEvents: {
        ...endedBy({ run: channels.runScript, mustEnd: channels.cells.mustEnd }),
        compiles: () => channels.flush(),
      },
      onExit: (status) => {
        const said = `The cell called process.exit(${status}): the kernel has ended\n`;
        cells.getStore()?.publisher.stream("stderr", said);
        finish(status);
      },
    });
    return opened;
  }

  /** An answer that nobody waits for may have brought a secret since the last cell. */
  async function endHistory(): Promise<void> {
    const history = await kept;
    if (opened !== undefined) {
      const { secrets } = opened.client;
      const { isKeepable } = await loadSessionModule();
      history?.review((input) => isKeepable(input, secrets), secrets.revision);
    }
    history?.flush();
  }

  function reportLoading(error: unknown): void {
    log(`Opening the session failed: ${String(error)}`);
  }

  function finish(status: number): void {
    if (isEnding) return;
    isEnding = true;
    // The cell that asked for the end must come to its own first.
    setTimeout(() => {
      server.close();
      resolveEnd(status);
    }, 0);
  }

  try {
    await channels.bound;
    if (connection.key === "") log(`The connection file has no key: ${OPEN}`);
    channels.publish("status", { execution_state: "starting" }, undefined);
    // The first cell should not wait for what can be loaded while a person writes it.
    setTimeout(() => {
      void kernel.kept();
      kernel.session().catch(reportLoading);
    }, BEFORE_LOADING);
    return await ended;
  } finally {
    undoSignal();
    await endHistory();
    await channels.close(LINGER);
  }
}

/** Deno's inspector can be asked for its address; the other runtimes need none. */
async function inspectorUrl(runtime: string): Promise<string | undefined> {
  if (runtime !== "deno") return undefined;
  const { url } = await import("node:inspector");
  return url();
}

function toProcessId(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 1 ? number : undefined;
}
