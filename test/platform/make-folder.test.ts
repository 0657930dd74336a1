import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "../../kernel/platform/mod.ts";

const folder = mkdtempSync(join(tmpdir(), "restlab-make-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("creates parents with the same mode, and keeps an existing folder", () => {
  const path = join(folder, "one", "two", "three");
  makeFolder(path, 0o700);
  makeFolder(path, 0o755);
  const modes = [path, join(folder, "one")].map((it) => statSync(it).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700]);
});

test("a folder below a file is an error", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, "file", "below"))).toThrow(/ENOTDIR/);
});

test.skipIf(process.platform !== "linux").each(["/proc/restlab", "/proc/restlab/below"])(
  "%s is an error and does not hang",
  (path) => {
    expect(() => makeFolder(path)).toThrow(/ENOENT/);
  },
);
