import { execFileSync, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const DENO = resolve(ROOT, "node_modules/.bin/deno");
const OPTIONS = {
  cwd: ROOT,
  encoding: "utf8" as const,
  env: { ...process.env, NO_COLOR: "1" },
};
const deno = (...args: readonly string[]): string =>
  execFileSync(DENO, args, { ...OPTIONS, stdio: ["ignore", "pipe", "pipe"] });

test("every exported symbol of the library is documented and has a type that is fast to read", () => {
  const { stderr } = spawnSync(
    DENO,
    ["doc", "--lint", "lib/mod.ts", "kernel/platform/library.ts", "kernel/run/library.ts"],
    OPTIONS,
  );
  // The options of ky are documented by ky, which is no file of ours to the lint.
  const faults = stderr
    .split("\n")
    .filter((line) => /^error\[/.test(line) && !line.includes("'KyOptions' references"));
  expect(faults).toEqual([]);
  expect(stderr).toContain("Found 1 documentation lint error");
});

// `npm run check` has checked the types; to check them once more takes Deno ten seconds.
test("the package can be published to JSR without slow types", { timeout: 900_000 }, () => {
  const checks = process.env["RESTLAB_CONTRACTS"] === "all" ? [] : ["--no-check"];
  const args = ["publish", "--dry-run", "--allow-dirty", "--quiet", ...checks];
  expect(() => deno(...args)).not.toThrow();
});

test("versions and dependencies are the same in package.json and deno.json", async () => {
  const { default: forNpm } = await import("../../package.json", { with: { type: "json" } });
  const { default: forDeno } = await import("../../deno.json", { with: { type: "json" } });
  expect(forDeno.version).toBe(forNpm.version);
  const { "@types/node": _types, ...dependencies } = forNpm.dependencies;
  const wanted = Object.entries(dependencies).map(([name, range]) => [
    name,
    `npm:${name}@${range}`,
  ]);
  // A trailing slash maps the files below a package.
  const given = Object.entries(forDeno.imports).map(([name, target]) => [
    name.replace(/\/$/, ""),
    target.replace("npm:/", "npm:").replace(/\/$/, ""),
  ]);
  expect(Object.fromEntries(given)).toEqual(Object.fromEntries(wanted));
});
