import process from "node:process";
import { readFile, writeFile } from "../files/mod.ts";
import { createOutputStream } from "./output-stream.ts";
import type { Platform, Runtime } from "./platform.ts";
import { exit, onSignal, silenceWarnings } from "./process.ts";

/**
 * The platform of this process. Deno and Bun have `node:process` as well.
 */
export function currentPlatform(): Platform {
  const runtime = currentRuntime();
  if (runtime.name === "node") silenceWarnings();
  const stdout = createOutputStream(process.stdout, process.env);
  const stderr = createOutputStream(process.stderr, process.env, stdout);
  process.on("exit", stdout.flush);
  return {
    runtime,
    arguments: process.argv.slice(2),
    environment: process.env,
    directory: process.cwd(),
    stdout,
    stderr,
    stdinIsTerminal: process.stdin.isTTY === true,
    readFile,
    writeFile,
    onInterrupt: (handler) => onSignal("SIGINT", handler),
    onTermination: (handler) => onSignal("SIGTERM", handler),
    exit: (status) => {
      stdout.flush();
      return exit(status);
    },
  };
}

export function currentRuntime(): Runtime {
  const { bun, deno, node } = process.versions as Record<string, string | undefined>;
  if (bun !== undefined) return { name: "bun", version: bun, title: "Bun" };
  if (deno !== undefined) return { name: "deno", version: deno, title: "Deno" };
  return { name: "node", version: node ?? "", title: "Node.js" };
}
