import { cpSync, existsSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import process from "node:process";
import type { Runtime } from "../../platform/mod.ts";
import { findProgram, type Surroundings } from "./folders.ts";
import { limitTree, type Rights } from "./own-files.ts";

type RuntimeName = Runtime["name"];

/** How a kernel is started. */
export interface Launch {
  /** The words of the command, without the connection file. */
  readonly words: readonly string[];
  /** What a person should know about it. */
  readonly notes: readonly string[];
}

/** What a launch command depends on. */
export interface LaunchOptions {
  /** The runtime that shall run the kernel. */
  readonly runtime: RuntimeName;
  /** The runtime that runs us. */
  readonly current: RuntimeName;
  /** The file of our own program. */
  readonly program: string;
  readonly version: string;
  /** The folder of the kernel spec, which may hold a copy of the program. */
  readonly folder: string;
  /** Those of what is copied there. */
  readonly rights: Rights;
  readonly surroundings: Surroundings;
}

/** Folders that `npx` and its like fill and empty as they please. */
const CACHE = /[\\/](?:_npx|dlx-[^\\/]+|bunx-[^\\/]+|xfs-[^\\/]+[\\/]dlx-[^\\/]+)[\\/]/;

/** What comes between a runtime and the program. */
const FLAGS: Readonly<Record<RuntimeName, readonly string[]>> = {
  // An interrupt may cut off a callback in the middle, which these checks would take for a fault.
  node: ["--no-force-async-hooks-checks"],
  deno: ["run", "--quiet", "--allow-all"],
  bun: [],
};

const GET: Readonly<Record<RuntimeName, string>> = {
  node: "https://nodejs.org",
  deno: "https://deno.com",
  bun: "https://bun.sh",
};

/**
 * Finds the command that starts a kernel, all paths absolute: a front end may have another PATH.
 *
 * @throws Error where the runtime or a program for it is missing.
 */
export function createLaunch(options: LaunchOptions): Launch {
  const { runtime } = options;
  const words = [findRuntime(options), ...FLAGS[runtime]];
  const module = denoModule(options);
  if (module !== undefined) return { words: [...words, module], notes: [] };
  const program = realpathSync(options.program);
  if (CACHE.test(program)) {
    const copy = copyPackage(program, options);
    return {
      words: [...words, ...moduleFlags(runtime, copy), copy],
      notes: [
        "The program was copied beside the kernel spec, because npx deletes its own copy now and then",
      ],
    };
  }
  const started = runtime === "node" ? builtProgram(program) : program;
  return { words: [...words, ...moduleFlags(runtime, started), started], notes: [] };
}

/** Deno looks into `node_modules` unasked only below a package.json, and npm's global folder has none. */
function moduleFlags(runtime: RuntimeName, program: string): readonly string[] {
  const isInstalled = /[\\/]node_modules[\\/]/.test(program);
  return runtime === "deno" && isInstalled ? ["--node-modules-dir=manual"] : [];
}

function findRuntime({ runtime, current, surroundings }: LaunchOptions): string {
  if (runtime === current) return process.execPath;
  const found = findProgram(runtime, surroundings);
  if (found !== undefined) return behindWrapper(realpathSync(found));
  throw new Error(
    `Finding the runtime "${runtime}" failed: it is not on the PATH; get it from ${GET[runtime]}`,
  );
}

/** What npm installs as `deno` is a script that hands no signals on to the real one beside it. */
function behindWrapper(file: string): string {
  const real = join(dirname(file), "deno");
  return /[\\/]deno[\\/]bin\.cjs$/.test(file) && existsSync(real) ? real : file;
}

/** A program that Deno fetched by name is started by that name. */
function denoModule({ runtime, program, version }: LaunchOptions): string | undefined {
  if (runtime !== "deno") return undefined;
  if (/^(https?|jsr|npm):/.test(program)) return program;
  return /[\\/]npm[\\/][^\\/]+[\\/]restlab[\\/]/.test(program)
    ? `npm:restlab@${version}`
    : undefined;
}

/** Node runs what was built; the sources have it beside them. */
function builtProgram(program: string): string {
  if (!program.endsWith(".ts")) return program;
  const built = join(program, "..", "..", "dist", "kernel", "main.js");
  if (existsSync(built)) return built;
  throw new Error(`Finding the built program failed: "${built}" is missing; run "npm run build"`);
}

/** Copies the package with all that it needs. */
function copyPackage(program: string, { folder, rights }: LaunchOptions): string {
  const modules = `${sep}node_modules${sep}`;
  const at = program.indexOf(modules, program.search(CACHE));
  if (at < 0) {
    throw new Error(
      `Copying the program failed: "${program}" is in a cache that may be emptied; ` +
        'run "npm install --global restlab" and then "restlab install"',
    );
  }
  const target = join(folder, "package", "node_modules");
  rmSync(target, { recursive: true, force: true });
  cpSync(program.slice(0, at + modules.length - 1), target, { recursive: true });
  limitTree(join(folder, "package"), rights);
  return join(target, program.slice(at + modules.length));
}
