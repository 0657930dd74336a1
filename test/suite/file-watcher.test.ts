import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileWatcher } from "../../kernel/run/file-watcher.ts";

describe("FileWatcher", () => {
  let folder = "";
  const at = (name: string): string => join(folder, name);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "restlab-watch-"));
    mkdirSync(at("sub"));
    for (const name of ["a.http", "other.txt", "sub/b.http"]) writeFileSync(at(name), "1");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ["a file", () => writeFileSync(at("a.http"), "2")],
    ["one in another folder", () => writeFileSync(at("sub/b.http"), "2")],
    ["one that is created", () => writeFileSync(at("new.env.json"), "{}")],
    [
      "one that an editor replaces",
      () => {
        writeFileSync(at("draft"), "3");
        renameSync(at("draft"), at("a.http"));
      },
    ],
    ["a module beside them", () => writeFileSync(at("helper.ts"), "export {}")],
  ])("a change of %s is seen, also before it is waited for", async (_name, change) => {
    const watcher = new FileWatcher();
    for (const name of ["a.http", "sub/b.http", "new.env.json", "missing/x.json"]) {
      watcher.add(at(name));
    }
    try {
      const seen = watcher.changed(new AbortController().signal);
      change();
      await seen;
    } finally {
      watcher.close();
      rmSync(at("new.env.json"), { force: true });
      rmSync(at("helper.ts"), { force: true });
    }
  });

  test("other files do not count, and an abort ends the wait", async () => {
    const watcher = new FileWatcher();
    watcher.add(at("a.http"));
    const controller = new AbortController();
    let isOver = false;
    const waited = watcher.changed(controller.signal).then(() => {
      isOver = true;
    });
    writeFileSync(at("other.txt"), "2");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isOver).toBe(false);
    controller.abort();
    await waited;
    watcher.close();
  });
});
