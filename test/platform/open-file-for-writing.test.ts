import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  createReadStream,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFileForWriting, writeFile } from "../../kernel/platform/mod.ts";

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
  test("a file is replaced only when the new one is complete", async () => {
    const path = join(folder, "answer.json");
    writeFileSync(path, "old");
    const file = await openFileForWriting(path, { replace: true });
    await file.write(bytes);
    expect(readFileSync(path, "utf8")).toBe("old");
    await file.commit();
    expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["new", ["answer.json"]]);
  });

  test("without replacing, the new file gets a number", async () => {
    const path = join(folder, "answer.json");
    writeFileSync(path, "old");
    expect(await write(path, false)).toBe(join(folder, "answer-1.json"));
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  test("a folder that does not exist is an error that does not name the draft", async () => {
    const path = join(folder, "none", "a.txt");
    const opening = openFileForWriting(path, { replace: true });
    await expect(opening).rejects.toThrow("its folder does not exist");
  });

  test("a discarded file leaves nothing behind", async () => {
    const file = await openFileForWriting(join(folder, "answer.json"), { replace: true });
    await file.write(bytes);
    await file.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("what is not complete goes with the process", () => {
    const library = join(import.meta.dirname, "../../dist/kernel/platform/library.js");
    const program = `
      import { platform } from ${JSON.stringify(library)};
      const at = (name) => ${JSON.stringify(folder)} + "/" + name;
      const files = ["a", "b", "c"].map((name) => platform.openFileForWriting(at(name), { replace: true }));
      const [done] = await Promise.all(files);
      await done.commit();
      process.exit(0);
    `;
    execFileSync(process.execPath, ["--input-type=module", "-e", program]);
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  test.each([0o600, 0o640, 0o444, 0o755])("mode %o is kept", async (mode) => {
    const path = join(folder, "answer.json");
    writeFileSync(path, "old");
    chmodSync(path, mode);
    await write(path, true);
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o7777]).toEqual(["new", mode]);
    await writeFile(path, "newer");
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o7777]).toEqual(["newer", mode]);
    expect(readdirSync(folder)).toEqual(["answer.json"]);
  });

  test("until it is complete, a replacement is private and has a random name", async () => {
    const path = join(folder, "answer.json");
    writeFileSync(path, "old", { mode: 0o644 });
    const drafts = await Promise.all([1, 2].map(() => openFileForWriting(path, { replace: true })));
    const names = readdirSync(folder).filter((name) => name !== "answer.json");
    expect(names).toEqual([
      expect.stringMatching(/^answer\.json\.[\w-]{12}\.part$/),
      expect.stringMatching(/\.part$/),
    ]);
    expect(names.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    for (const draft of drafts) await draft.discard();
    expect(readdirSync(folder)).toEqual(["answer.json"]);
  });

  test.runIf(process.getuid?.() === 0)("its owner is kept where that can be", async () => {
    const path = join(folder, "answer.json");
    writeFileSync(path, "old");
    chownSync(path, 12_345, 23_456);
    await write(path, true);
    expect([statSync(path).uid, statSync(path).gid]).toEqual([12_345, 23_456]);
  });

  test("a new file has the default mode", async () => {
    const mode = 0o666 & ~process.umask();
    expect(statSync(await write(join(folder, "new"), true)).mode & 0o777).toBe(mode);
    expect(statSync(await write(join(folder, "new"), false)).mode & 0o777).toBe(mode);
  });

  // Through a link: what replaced a device would replace the link alone.
  test.each([
    ["a device", "/dev/null", ""],
    ["a file elsewhere", "elsewhere", "new"],
  ])("a link to %s stays a link and its target is written", async (_name, target, content) => {
    const path = join(folder, "link");
    if (target === "elsewhere") writeFileSync(join(folder, target), "longer than the new text");
    symlinkSync(target, path);
    expect(await write(path, true)).toBe(path);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  test.each(["file", "link"])(
    "a %s that is resumed keeps what it had, and what came",
    async (kind) => {
      const path = join(folder, "part.bin");
      if (kind === "link") symlinkSync(join(folder, "elsewhere"), path);
      writeFileSync(path, "old ");
      const file = await openFileForWriting(path, { replace: true, resume: true });
      expect([file.path, file.size]).toEqual([path, 4]);
      await file.write(bytes);
      await file.discard();
      expect(readFileSync(path, "utf8")).toBe("old new");
    },
  );

  test("a file that is resumed before it exists begins with its first bytes", async () => {
    const path = join(folder, "none.bin");
    const file = await openFileForWriting(path, { replace: true, resume: true });
    expect([file.size, readdirSync(folder)]).toEqual([0, []]);
    await file.write(bytes);
    await file.commit();
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  test("a pipe stays a pipe, and its reader gets the data", async () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const read = text(createReadStream(path));
    await write(path, true);
    expect([await read, lstatSync(path).isFIFO()]).toEqual(["new", true]);
  });
});
