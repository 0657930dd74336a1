import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LoadedModule, loadLargeModule } from "../../kernel/platform/mod.ts";

const SOURCE = "exports.answer = function answer() { return 41 + 1; };";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "restlab-code-"));
  writeFileSync(join(folder, "large.cjs"), SOURCE);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Loads it as the next process would. */
async function load(cache = folder): Promise<LoadedModule & { readonly answer: number }> {
  const path = join(folder, "large.cjs");
  delete nodeModule.createRequire(import.meta.url).cache[path];
  const loaded = await loadLargeModule(path, { XDG_CACHE_HOME: cache }, async () => undefined);
  const { answer } = loaded.exports as { answer: () => number };
  return { ...loaded, answer: answer() };
}

function cachedFile(): string {
  const cache = join(folder, "restlab/compiled");
  const [name = "", ...others] = readdirSync(cache);
  expect(others).toEqual([]);
  return join(cache, name);
}

// Others cache what they load by themselves.
describe.skipIf("enableCompileCache" in nodeModule)("compiled code on Node 20", () => {
  test("comes from the cache once it is kept, in a file of the user alone", async () => {
    const first = await load();
    expect(first).toMatchObject({ isFromCache: false, answer: 42 });
    first.keepCode();
    expect(statSync(cachedFile()).mode & 0o777).toBe(0o600);
    expect(await load()).toMatchObject({ isFromCache: true, answer: 42 });
  });

  test("is compiled and kept again if the file is of another source of the same length", async () => {
    (await load()).keepCode();
    writeFileSync(join(folder, "large.cjs"), SOURCE.replace("41 + 1", "40 + 2"));
    const again = await load();
    expect(again).toMatchObject({ isFromCache: false, answer: 42 });
    again.keepCode();
    expect(await load()).toMatchObject({ isFromCache: true, answer: 42 });
  });

  test("is not kept where nothing can be written, which is no fault", async () => {
    const place = join(folder, "large.cjs");
    const loaded = await load(place);
    expect(() => loaded.keepCode()).not.toThrow();
    expect(await load(place)).toMatchObject({ isFromCache: false, answer: 42 });
  });

  test("is not cached if the user has turned that off", async () => {
    const path = join(folder, "large.cjs");
    const environment = { XDG_CACHE_HOME: folder, NODE_DISABLE_COMPILE_CACHE: "1" };
    const loaded = await loadLargeModule(path, environment, async () => undefined);
    loaded.keepCode();
    expect(readdirSync(folder)).toEqual(["large.cjs"]);
  });
});

test("without an environment nothing is cached", async () => {
  const path = join(folder, "large.cjs");
  const loaded = await loadLargeModule(path, undefined, async () => undefined);
  loaded.keepCode();
  expect(readdirSync(folder)).toEqual(["large.cjs"]);
});
