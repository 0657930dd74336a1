import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
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

test("deno.json has the version of package.json, and what the sources import of its packages", async () => {
  const { default: forNpm } = await import("../../package.json", { with: { type: "json" } });
  const { default: forDeno } = await import("../../deno.json", { with: { type: "json" } });
  expect(forDeno.version).toBe(forNpm.version);
  // The build brings some along, which npm then needs for it alone. Who wants realistic data installs faker.
  const { "@faker-js/faker": _faker, ...others } = forNpm.devDependencies;
  const ranges = Object.entries({ ...others, ...forNpm.dependencies });
  const imported = namesOfPackages();
  const wanted = ranges.filter(([name]) => imported.has(name) || name in forNpm.dependencies);
  // A trailing slash maps the files below a package.
  const given = Object.entries(forDeno.imports).map(([name, target]) => [
    name.replace(/\/$/, ""),
    target.replace("npm:/", "npm:").replace(/\/$/, ""),
  ]);
  expect(Object.fromEntries(given)).toEqual(
    Object.fromEntries(wanted.map(([name, range]) => [name, `npm:${name}@${range}`])),
  );
});

/** The packages that the sources import. */
function namesOfPackages(): ReadonlySet<string> {
  const texts = ["lib", "kernel"].flatMap((top) =>
    readdirSync(resolve(ROOT, top), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(resolve(ROOT, top, name), "utf8")),
  );
  const found = texts
    .join("\n")
    .matchAll(/(?:^(?:import|export|\}).*from |import\()"((?:@[^/"]+\/)?[^/"]+)/gm);
  return new Set([...found].map(([, name = ""]) => name));
}
