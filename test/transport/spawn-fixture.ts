import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

export type RuntimeName = "node" | "deno" | "bun";

/** What the sockets of a fixture are bound to. */
export type Endpoints = Readonly<Record<"shell" | "control" | "iopub" | "heartbeat", string>>;

export interface Fixture {
  /** The endpoints by socket name, or `{ error }`. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** What it wrote to stderr so far. */
  log(): string;
  /** Open file descriptors: sockets that were not closed show here (Linux). */
  descriptors(): number;
  /** Its peak memory in bytes (Linux). */
  peakMemory(): number;
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Sources for Deno and Bun; Node gets them bundled, as it does in the package. */
async function programs(runtime: RuntimeName): Promise<string> {
  if (runtime !== "node") return here("./fixture.ts");
  const directory = mkdtempSync(join(tmpdir(), "restlab-transport-"));
  const bundle = await rolldown({ input: here("./fixture.ts"), platform: "node" });
  await bundle.write({ file: join(directory, "fixture.mjs"), format: "esm" });
  await bundle.close();
  return join(directory, "fixture.mjs");
}

const COMMANDS: Record<RuntimeName, readonly string[]> = {
  node: [process.execPath],
  deno: [here("../../node_modules/.bin/deno"), "run", "--quiet", "--allow-all"],
  bun: [here("../../node_modules/.bin/bun"), "run"],
};

/** Prepares a runtime; the result spawns the fixture with a plan. */
export async function prepareFixture(
  runtime: RuntimeName,
): Promise<(plan: Endpoints) => Promise<Fixture>> {
  const program = await programs(runtime);
  return async (plan) => {
    const [command = "", ...parameters] = COMMANDS[runtime];
    const child = spawn(command, [...parameters, program, JSON.stringify(plan)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const first = await Promise.race([
      new Promise<string>((resolve) =>
        createInterface({ input: child.stdout }).once("line", resolve),
      ),
      exited.then((code) => {
        throw new Error(`The fixture ended with code ${code}: ${log}`);
      }),
    ]);
    // A runtime from npm may be started by a launcher, which is not the process meant here.
    const { pid, endpoints } = JSON.parse(first);
    return {
      endpoints,
      log: () => log,
      descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
      peakMemory: () => {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
      },
      exited,
      stop: async () => {
        kill(pid);
        await exited;
      },
    };
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
