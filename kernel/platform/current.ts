import process from "node:process";
import type { Platform, Runtime } from "./platform.ts";
import { exit, onInterrupt, outputStream, readFile, silenceWarnings, writeFile } from "./shared.ts";

/**
 * The platform of this process.
 *
 * Deno and Bun both provide `node:process`, so that one implementation serves all three.
 */
export function currentPlatform(): Platform {
  const runtime = currentRuntime();
  if (runtime.name === "node") silenceWarnings();
  return {
    runtime,
    arguments: process.argv.slice(2),
    environment: process.env,
    directory: process.cwd(),
    stdout: outputStream(process.stdout, process.env),
    stderr: outputStream(process.stderr, process.env),
    stdinIsTerminal: process.stdin.isTTY === true,
    readFile,
    writeFile,
    onInterrupt,
    exit,
  };
}

function currentRuntime(): Runtime {
  const { bun, deno, node } = process.versions as Record<string, string | undefined>;
  if (bun !== undefined) return { name: "bun", version: bun, title: "Bun" };
  if (deno !== undefined) return { name: "deno", version: deno, title: "Deno" };
  return { name: "node", version: node ?? "", title: "Node.js" };
}
