import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "../support/folders.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAMS = {
  deno: join(ROOT, "node_modules/deno/deno"),
  bun: join(ROOT, "node_modules/bun/bin/bun.exe"),
} as const;
const TASKS = { deno: "task", bun: "run" } as const;

/** A folder for PATH that contains one runtime only; its caches are there as well. */
const paths = { deno: "", bun: "" };
beforeAll(() => {
  for (const runtime of ["deno", "bun"] as const) {
    paths[runtime] = makeFolder(runtime);
    symlinkSync(PROGRAMS[runtime], join(paths[runtime], runtime));
  }
});

/** Runs a command with such a PATH. */
async function run(
  runtime: keyof typeof PROGRAMS,
  args: readonly string[],
  cwd: string,
): Promise<{ status: number | null; output: string }> {
  const path = paths[runtime];
  // A person's shell has no variables of npm, which runs the tests.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE$)/.test(name));
  const env = {
    ...Object.fromEntries(own),
    PATH: path,
    NO_COLOR: "1",
    DENO_DIR: join(path, "cache"),
    DENO_TLS_CA_STORE: "mozilla,system",
  };
  const child = spawn(join(path, runtime), args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((done, fail) =>
    child.on("error", fail).on("close", done),
  );
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  return { status, output: stdout + stderr };
}

/** The files of a clone, as they are now. */
function clone(): string {
  const folder = makeFolder("clone");
  const options = { cwd: ROOT, encoding: "utf8" } as const;
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], options);
  for (const file of listed.split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  return folder;
}

/** Each task of deno.json, with arguments that let it end, and what it writes. */
const DENO_TASKS: Readonly<Record<string, readonly [args: readonly string[], output: string]>> = {
  start: [[], "200 OK"],
  repl: [["--demo", "-e", "GET {{base}}/users/1"], "200 OK"],
  kernel: [["--help"], "Usage: restlab kernel"],
  run: [["--demo", "notebooks/01-tour.ipynb"], "200 OK"],
};

describe.each(["deno", "bun"] as const)("a clone, with %s alone", (runtime) => {
  let folder = "";
  beforeAll(async () => {
    folder = clone();
    const { status, output } = await run(runtime, ["install"], folder);
    expect(status, output).toBe(0);
  }, 300_000);

  test("is installed and started by two commands", async () => {
    const { status, output } = await run(runtime, [TASKS[runtime], "start"], folder);
    expect(output).toContain("200 OK");
    expect(status, output).toBe(0);
  });
});

describe("with the node_modules of npm", () => {
  test("the tasks of deno.json are those above", async () => {
    const { default: settings } = await import("../../deno.json", { with: { type: "json" } });
    expect(Object.keys(settings.tasks).sort()).toEqual(Object.keys(DENO_TASKS).sort());
  });

  test.each(Object.entries(DENO_TASKS))("deno task %s works", async (task, [args, expected]) => {
    const { status, output } = await run("deno", ["task", task, ...args], ROOT);
    expect(output).toContain(expected);
    expect(status, output).toBe(0);
  });
});
