import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { RUNTIMES, type RuntimeName } from "../support/command.ts";
import { type Connection, connectClient, type KernelClient } from "./kernel-client.ts";

export { RUNTIMES, type RuntimeName };

/** A kernel in its own process. */
export interface KernelProcess {
  readonly connection: Connection;
  readonly child: ChildProcess;
  readonly client: KernelClient;
  /** When it was started, by `performance.now()`. */
  readonly startedAt: number;
  /** What it wrote to its standard error so far. */
  log(): string;
  connect(): Promise<KernelClient>;
  /** How it ended: exit code and signal. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  dispose(): Promise<void>;
}

const root = resolve(import.meta.dirname, "../..");
const bin = (name: string): string => join(root, "node_modules/.bin", name);

/** How many milliseconds to wait for messages of a kernel that has ended. */
const LAST_WORDS = 2_000;

/** What a kernel writes where another process has one of its ports. */
const TAKEN = /address is in use|EADDRINUSE/;

/** Stands for the path of the connection file in a command. */
export const CONNECTION_FILE = "{connection_file}";

/** The commands of other kernels whose packages are dependencies. */
export const FOREIGN_COMMANDS: Readonly<Record<"deno" | "tslab", readonly string[]>> = {
  deno: [join(root, "node_modules/deno/deno"), "jupyter", "--kernel", "--conn", CONNECTION_FILE],
  tslab: [bin("tslab"), "kernel", "--config-path", CONNECTION_FILE],
};

interface KernelOptions {
  readonly connection?: Partial<Connection>;
  /** Another command; without an argument for the connection file it is one of restlab. */
  readonly command?: readonly string[];
  /** Another kernel, of which less is expected. */
  readonly isForeign?: boolean;
  /** Prepares its folder. */
  readonly prepare?: (folder: string) => void;
  /** The process that the kernel must not outlive; this one by default. */
  readonly parent?: number;
  /** The folder of its history; a new one by default. */
  readonly history?: string;
  /** The folder of its caches; that of the user by default. */
  readonly cache?: string;
}

/** Starts a kernel in an empty folder and connects to it. */
export async function startKernel(
  runtime: RuntimeName,
  options: KernelOptions = {},
): Promise<KernelProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(runtime, options);
    } catch (error) {
      // Its ports were free when they were chosen; a connection of another test may have taken one since.
      const isTaken = TAKEN.test(String(error)) && options.connection === undefined;
      if (!isTaken || attempt === 3) throw error;
    }
  }
}

async function startOnce(runtime: RuntimeName, options: KernelOptions): Promise<KernelProcess> {
  const folder = mkdtempSync(join(tmpdir(), "restlab-kernel-"));
  const [shell = 0, iopub = 0, stdin = 0, control = 0, heartbeat = 0] = await freePorts(5);
  const connection: Connection = {
    transport: "tcp",
    ip: "127.0.0.1",
    shell_port: shell,
    iopub_port: iopub,
    stdin_port: stdin,
    control_port: control,
    hb_port: heartbeat,
    key: "0f1e2d3c-4b5a",
    signature_scheme: "hmac-sha256",
    kernel_name: "restlab",
    ...options.connection,
    ...(options.connection?.transport === "ipc" ? { ip: join(folder, "kernel") } : {}),
  };
  const file = join(folder, "connection.json");
  writeFileSync(file, JSON.stringify(connection));
  options.prepare?.(folder);
  const { isForeign = false } = options;
  const given = options.command ?? RUNTIMES[runtime];
  const ours = [...given, "kernel", "--connection-file", CONNECTION_FILE];
  const [program = "", ...words] = given.includes(CONNECTION_FILE) ? given : ours;
  const args = words.map((word) => (word === CONNECTION_FILE ? file : word));
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      ...process.env,
      JPY_PARENT_PID: String(options.parent ?? process.pid),
      // What a person has typed is no business of a test, and the other way round.
      RESTLAB_HISTORY: join(options.history ?? folder, "history"),
      ...(options.cache !== undefined && { XDG_CACHE_HOME: options.cache }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      // tslab stays where it cannot listen, and never answers.
      if (isForeign && TAKEN.test(log)) child.kill("SIGKILL");
    });
  }
  const exited = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  const clients: KernelClient[] = [];
  // What it sent last may still be on its way.
  void exited.then(async ({ code, signal }) => {
    await setTimeout(LAST_WORDS, undefined, { ref: false });
    for (const open of clients) open.giveUp(`the kernel ended with ${code ?? signal}: ${log}`);
  });
  const connect = async (): Promise<KernelClient> => {
    const failed = exited.then(({ code }) => {
      throw new Error(`The kernel ended with ${code}: ${log}`);
    });
    const client = await Promise.race([connectClient(connection, { isForeign }), failed]);
    failed.catch(() => undefined);
    clients.push(client);
    return client;
  };
  const client = await connect().catch(async (error: unknown) => {
    child.kill("SIGKILL");
    await exited;
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    connection,
    child,
    client,
    startedAt,
    connect,
    exited,
    log: () => log,
    dispose: async () => {
      for (const open of clients) open.close();
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
