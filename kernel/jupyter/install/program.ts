import { cpSync, existsSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import process from "node:process";
import type { Runtime } from "../../platform/mod.ts";
import { KERNEL_VERSION } from "../mod.ts";
import { findProgram, limitTree, type Permissions } from "./folders.ts";
import type { InstallContext } from "./kernel-spec.ts";

type RuntimeName = Runtime["name"];

/** How a kernel is started. */
interface Launch {
  /** The command without the connection file. */
  readonly command: readonly string[];
  /** Remarks for the user. */
  readonly notes: readonly string[];
}

interface LaunchOptions {
  /** The runtime of the kernel. */
  readonly runtime: RuntimeName;
  /** The folder of the kernel spec, which may contain a copy of the program. */
  readonly folder: string;
  /** The permissions of a copy. */
  readonly permissions: Permissions;
  readonly context: InstallContext;
}

/** Cache folders of `npx` and similar commands, which delete them at any time. */
const CACHE = /[\\/](?:_npx|dlx-[^\\/]+|bunx-[^\\/]+|xfs-[^\\/]+[\\/]dlx-[^\\/]+)[\\/]/;

/** Options of the runtime, before the program. */
const FLAGS: Readonly<Record<RuntimeName, readonly string[]>> = {
  // An interrupt may terminate a callback, which these checks would report as an error.
  node: ["--no-force-async-hooks-checks"],
  deno: ["run", "--quiet", "--allow-all"],
  bun: [],
};

const DOWNLOADS: Readonly<Record<RuntimeName, string>> = {
  node: "https://nodejs.org",
  deno: "https://deno.com",
  bun: "https://bun.sh",
};

/**
 * Finds the command that starts a kernel. All paths are absolute: a front end may have another PATH.
 *
 * @throws Error if the runtime or a program for it is missing.
 */
export function createLaunch(options: LaunchOptions): Launch {
  const { runtime } = options;
  const command = [findRuntime(options), ...FLAGS[runtime]];
  const module = denoModule(options);
  if (module !== undefined) return { command: [...command, module], notes: [] };
  const program = realpathSync(options.context.program);
  if (CACHE.test(program)) {
    const copy = copyPackage(program, options);
    return {
      command: [...command, ...moduleFlags(runtime, copy), copy],
      notes: ["The program was copied to the kernel spec, because npx may delete its copy"],
    };
  }
  const started = runtime === "node" ? builtProgram(program) : program;
  return { command: [...command, ...moduleFlags(runtime, started), started], notes: [] };
}

/** Deno uses `node_modules` by default only below a package.json, and npm's global folder has none. */
function moduleFlags(runtime: RuntimeName, program: string): readonly string[] {
  const isInstalled = /[\\/]node_modules[\\/]/.test(program);
  return runtime === "deno" && isInstalled ? ["--node-modules-dir=manual"] : [];
}

function findRuntime({ runtime, context }: LaunchOptions): string {
  if (runtime === context.current) return process.execPath;
  const found = findProgram(runtime, context);
  if (found !== undefined) return withoutWrapper(realpathSync(found));
  throw new Error(
    `Finding the runtime "${runtime}" failed: it is not on the PATH; install it from ${DOWNLOADS[runtime]}`,
  );
}

/** npm installs `deno` as a script that does not forward signals to the program beside it. */
function withoutWrapper(file: string): string {
  const real = join(dirname(file), "deno");
  return /[\\/]deno[\\/]bin\.cjs$/.test(file) && existsSync(real) ? real : file;
}

/** A program that Deno has downloaded by name is started by that name. */
function denoModule({ runtime, context }: LaunchOptions): string | undefined {
  const { program } = context;
  if (runtime !== "deno") return undefined;
  if (/^(https?|jsr|npm):/.test(program)) return program;
  return /[\\/]npm[\\/][^\\/]+[\\/]restlab[\\/]/.test(program)
    ? `npm:restlab@${KERNEL_VERSION}`
    : undefined;
}

/** Node runs the built program, which is beside the sources. */
function builtProgram(program: string): string {
  if (!program.endsWith(".ts")) return program;
  const built = join(program, "..", "..", "dist", "kernel", "main.js");
  if (existsSync(built)) return built;
  throw new Error(`Finding the built program failed: "${built}" is missing; run "npm run build"`);
}

/** Copies the package with its dependencies. */
function copyPackage(program: string, { folder, permissions }: LaunchOptions): string {
  const modules = `${sep}node_modules${sep}`;
  const at = program.indexOf(modules, program.search(CACHE));
  if (at < 0) {
    throw new Error(
      `Copying the program failed: "${program}" is in a cache that may be deleted; ` +
        'run "npm install --global restlab" and then "restlab install"',
    );
  }
  const target = join(folder, "package", "node_modules");
  rmSync(target, { recursive: true, force: true });
  cpSync(program.slice(0, at + modules.length - 1), target, { recursive: true });
  limitTree(join(folder, "package"), permissions);
  return join(target, program.slice(at + modules.length));
}
