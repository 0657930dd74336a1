import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectWritable } from "../../kernel/platform/mod.ts";
import { asNobody } from "../support/as-nobody.ts";
import { makeFolder } from "../support/folders.ts";

describe("expectWritable", () => {
  const folder = makeFolder("expect-writable");
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("kept.txt"), "kept");
  symlinkSync(at("kept.txt"), at("link.txt"));

  test.each(["kept.txt", "link.txt", "new.txt"])("changes nothing: %s", async (name) => {
    const before = readdirSync(folder);
    await expectWritable(at(name));
    expect(readFileSync(at("kept.txt"), "utf8")).toBe("kept");
    expect(readdirSync(folder)).toEqual(before);
  });

  test.each([
    [".", "EISDIR"],
    ["none/new.txt", "ENOENT"],
    ["kept.txt/new.txt", "ENOTDIR"],
  ])("refuses %s", async (name, code) => {
    await expect(expectWritable(at(name))).rejects.toMatchObject({ code });
  });

  test("refuses a folder that is read-only", async () => {
    const closed = makeFolder("expect-writable-closed");
    chmodSync(closed, 0o555);
    await asNobody([closed], async () => {
      const refused = expectWritable(join(closed, "new.txt"));
      await expect(refused).rejects.toMatchObject({ code: "EACCES" });
    });
    chmodSync(closed, 0o755);
  });
});
