import { execFileSync } from "node:child_process";
import {
  createReadStream,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFileForWriting } from "../../kernel/platform/open-file-for-writing.ts";

const bytes = new TextEncoder().encode("new");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "restlab-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes as a download does. */
async function write(path: string, replace: boolean): Promise<string> {
  const file = await openFileForWriting(path, { replace });
  await file.write(bytes);
  await file.commit();
  return file.path;
}

describe("openFileForWriting", () => {
  test("a file is replaced when the new one is whole, and not before", async () => {
    const path = join(folder, "answer.json");
    writeFileSync(path, "old");
    const file = await openFileForWriting(path, { replace: true });
    await file.write(bytes);
    expect(readFileSync(path, "utf8")).toBe("old");
    await file.commit();
    expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["new", ["answer.json"]]);
  });

  test("a file that is not to be replaced gets a neighbour", async () => {
    const path = join(folder, "answer.json");
    writeFileSync(path, "old");
    expect(await write(path, false)).toBe(join(folder, "answer-1.json"));
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  test("what is broken off leaves nothing behind", async () => {
    const file = await openFileForWriting(join(folder, "answer.json"), { replace: true });
    await file.write(bytes);
    await file.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  // Through a link: what replaced a device would replace the link alone.
  test.each([
    ["a device", "/dev/null", ""],
    ["a file elsewhere", "elsewhere", "new"],
  ])("a link to %s stays one and is written through", async (_name, target, content) => {
    const path = join(folder, "link");
    if (target === "elsewhere") writeFileSync(join(folder, target), "longer than the new text");
    symlinkSync(target, path);
    expect(await write(path, true)).toBe(path);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  test("a pipe stays one, and whoever reads it gets what is written", async () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const read = text(createReadStream(path));
    await write(path, true);
    expect([await read, lstatSync(path).isFIFO()]).toEqual(["new", true]);
  });
});
