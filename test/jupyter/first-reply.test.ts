import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const IMPORT = /^(?:import|export)\s(?!type\s)[^;]*?from\s+"([^"]+)";|^import\s+"([^"]+)";/gm;

/** The files that a file imports statically, directly or not. */
function loadedWith(start: string): string[] {
  const seen = new Set([resolve(ROOT, start)]);
  for (const file of seen) {
    if (!existsSync(file)) continue;
    for (const [, from, bare] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const name = from ?? bare ?? "";
      if (name.startsWith("node:")) continue;
      seen.add(name.startsWith(".") ? resolve(dirname(file), name) : name);
    }
  }
  return [...seen].map((file) => (file.startsWith(ROOT) ? relative(ROOT, file) : file));
}

test.each(["kernel/jupyter/mod.ts", "kernel/jupyter/run-kernel.ts", "kernel/jupyter/worker.ts"])(
  "%s loads neither the library nor the session nor a package: the first reply waits for nothing",
  (start) => {
    const loaded = loadedWith(start);
    expect(loaded.length).toBeGreaterThan(5);
    expect(
      loaded.filter(
        (file) => !/^(?:kernel\/(?:jupyter|platform|session\/cell)|lib\/fetch)\//.test(file),
      ),
    ).toEqual([]);
  },
);

test("the socket thread starts before anything else is loaded", () => {
  const loaded = loadedWith("kernel/jupyter/kernel-command.ts");
  expect(loaded).not.toContain("kernel/jupyter/run-kernel.ts");
  expect(loaded.length).toBeLessThan(5);
});

test("in the package, the socket thread loads nothing of the program, not even later", () => {
  const dist = resolve(ROOT, "dist");
  const start = resolve(dist, "kernel/jupyter/worker.js");
  const seen = new Set([start]);
  for (const file of seen) {
    const imports = readFileSync(file, "utf8").matchAll(/(?:from |import |import\()"(\.[^"]+)"/g);
    for (const [, path = ""] of imports) seen.add(resolve(dirname(file), path));
  }
  // Chunks of threads are built by themselves.
  const others = [...seen].map((file) => relative(dist, file)).filter((it) => !isThread(it));
  expect(others).toEqual(["kernel/jupyter/worker.js"]);
});

const isThread = (file: string): boolean => file.startsWith("chunks/thread-");
