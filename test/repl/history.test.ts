import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { History } from "../../kernel/repl/history.ts";
import { asNobody } from "../support/as-nobody.ts";
import { makeFolder, removeFolders } from "./terminal.ts";

afterAll(removeFolders);

async function opened(path: string | undefined) {
  const troubles: string[] = [];
  const history = new History({ path, onWarning: (message) => troubles.push(message) });
  await history.load();
  return { history, troubles };
}

describe("History", () => {
  test("keeps entries of several lines without duplicates, the latest last", async () => {
    const path = join(makeFolder(), "deep", "history");
    const first = await opened(path);
    for (const entry of ["a", "GET /x\nA: b", "a", "", "  "]) first.history.add(entry);
    await first.history.flush();
    expect(first.history.entries).toEqual(["GET /x\nA: b", "a"]);
    const second = await opened(path);
    expect(second.history.entries).toEqual(["GET /x\nA: b", "a"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect([...first.troubles, ...second.troubles]).toEqual([]);
  });

  test("private entries stay in the session", async () => {
    const path = join(makeFolder(), "history");
    const { history } = await opened(path);
    history.add(" hidden", true);
    history.add("@token = abc", true);
    history.add("kept");
    await history.flush();
    expect(history.entries).toEqual([" hidden", "@token = abc", "kept"]);
    expect(readFileSync(path, "utf8")).toBe('"kept"\n');
  });

  test("entries that became private are removed, and other lines stay", async () => {
    const path = join(makeFolder(), "history");
    writeFileSync(path, '"of old"\n"again s3cret"\n"old s3cret"\n', { mode: 0o600 });
    const [one, other] = [await opened(path), await opened(path)];
    for (const entry of ["again s3cret", "one", "with s3cret", "two"]) one.history.add(entry);
    await one.history.flush();
    const { ino } = statSync(path);
    const isKeepable = (entry: string): boolean => !entry.includes("s3cret");
    one.history.review(isKeepable, 1);
    other.history.add("beside it");
    await Promise.all([one.history.flush(), other.history.flush()]);
    const lines = (): string[] =>
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "");
    expect(lines().toSorted()).toEqual(
      ['"of old"', '"old s3cret"', '"one"', '"two"', '"beside it"'].toSorted(),
    );
    expect([statSync(path).ino, statSync(path).mode & 0o777]).toEqual([ino, 0o600]);
    expect(one.history.entries).toContain("with s3cret");
    // Nothing is known that was not known before.
    one.history.review(() => false, 1);
    await one.history.flush();
    expect(lines()).toHaveLength(5);
    const third = await opened(path);
    expect(third.history.entries).toHaveLength(5);
    expect([...one.troubles, ...third.troubles]).toEqual([]);
  });

  test("two sessions do not overwrite each other", async () => {
    const path = join(makeFolder(), "history");
    const [one, other] = [await opened(path), await opened(path)];
    one.history.add("one");
    other.history.add("other");
    await Promise.all([one.history.flush(), other.history.flush()]);
    expect((await opened(path)).history.entries).toHaveLength(2);
  });

  test("a long file is shortened; a shared one is made private", async () => {
    const path = join(makeFolder(), "history");
    const lines = Array.from({ length: 9000 }, (_, index) => JSON.stringify(`entry ${index}`));
    writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o644 });
    const { history } = await opened(path);
    expect(history.entries).toHaveLength(2000);
    expect(history.entries.at(-1)).toBe("entry 8999");
    expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(2000);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("a link stays a link when its target is shortened", async () => {
    const folder = makeFolder();
    const [path, target] = [join(folder, "history"), join(folder, "kept elsewhere")];
    const lines = Array.from({ length: 5000 }, (_, index) => JSON.stringify(`entry ${index}`));
    writeFileSync(target, `${lines.join("\n")}\n`);
    symlinkSync(target, path);
    await opened(path);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, "utf8").trimEnd().split("\n")).toHaveLength(2000);
  });

  test("broken lines are skipped with one warning, and removed", async () => {
    const path = join(makeFolder(), "history");
    writeFileSync(path, Buffer.from('"good"\n\xff\xfe\x00 no json\n{"a":1}\n"also"\n', "latin1"));
    const { history, troubles } = await opened(path);
    expect(history.entries).toEqual(["good", "also"]);
    expect(troubles).toEqual([expect.stringContaining("2 broken lines")]);
    expect((await opened(path)).troubles).toEqual([]);
  });

  test.each([
    ["a folder", (path: string) => mkdirSync(path)],
    ["below a file", (path: string) => writeFileSync(join(path, ".."), "")],
    ["a full disk", undefined],
  ])("%s in its place causes one warning, and the session continues", async (_name, prepare) => {
    const folder = makeFolder();
    const path = prepare === undefined ? "/dev/full" : join(folder, "state", "history");
    if (prepare !== undefined) {
      if (_name === "a folder") mkdirSync(join(folder, "state"));
      prepare(path);
    }
    const { history, troubles } = await opened(path);
    history.add("one");
    history.add("two");
    await history.flush();
    expect(history.entries).toEqual(["one", "two"]);
    expect(troubles).toEqual([expect.stringContaining("not kept beyond this session")]);
  });

  test("a read-only file causes one warning", async () => {
    const folder = makeFolder();
    const path = join(folder, "history");
    writeFileSync(path, '"old"\n', { mode: 0o600 });
    chmodSync(path, 0o400);
    await asNobody([folder, path], async () => {
      const { history, troubles } = await opened(path);
      history.add("new");
      await history.flush();
      expect(history.entries).toEqual(["old", "new"]);
      expect(troubles).toHaveLength(1);
    });
  });

  test("without a path it lasts as long as the session", async () => {
    const { history, troubles } = await opened(undefined);
    history.add("x");
    await history.flush();
    expect([history.entries, troubles]).toEqual([["x"], []]);
  });
});
