import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../support/folders.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const MODULES = join(ROOT, "node_modules");

/** The programs that each row of README's table needs in PATH. */
const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Node: {},
  Deno: { deno: join(MODULES, "deno/deno") },
  Bun: { bun: join(MODULES, "bun/bin/bun.exe"), bunx: join(MODULES, "bun/bin/bunx.exe") },
};

test.each(Object.keys(PROGRAMS))("README's row for %s adds the command", (runtime) => {
  const row = new RegExp(`^\\| ${runtime} \\| (.*) \\|$`, "m").exec(README)?.[1] ?? "";
  const [install = "", start = "restlab"] = Array.from(
    row.matchAll(/`([^`]+)`/g),
    ([, code]) => code,
  );
  const [folder, path, elsewhere] = [makeFolder("install"), makeFolder("path"), makeFolder("any")];
  for (const [name, file] of Object.entries(PROGRAMS[runtime] ?? {}))
    symlinkSync(file, join(path, name));
  const env = {
    ...process.env,
    PATH: [path, join(folder, "bin"), process.env["PATH"]].join(delimiter),
    // Nothing is installed for the user who runs the tests; `npm test` has built dist already.
    npm_config_prefix: folder,
    npm_config_ignore_scripts: "true",
    DENO_INSTALL_ROOT: folder,
    BUN_INSTALL: folder,
  };
  const sh = (line: string, cwd: string): string =>
    execFileSync("/bin/sh", ["-c", line], { cwd, env, encoding: "utf8", stdio: "pipe" });
  sh(install, ROOT);
  expect(sh(`${start} --version`, elsewhere)).toMatch(/^\d+\.\d+\.\d+$/m);
  expect(sh(`${start} --demo -e "GET {{base}}/users/1"`, elsewhere)).toContain("200 OK");
});
