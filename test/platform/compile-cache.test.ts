import { expect, test } from "vitest";
import { keepCompiledCode } from "../../kernel/platform/compile-cache.ts";

test.each([
  [{ XDG_CACHE_HOME: "/c" }, /^\/c\/restlab\/compiled$/],
  [{ XDG_CACHE_HOME: "relative" }, /^\/.*\/\.cache\/restlab\/compiled$/],
  [{}, /^\/.*\/\.cache\/restlab\/compiled$/],
])("with %j compiled code is kept in a folder of the user's own", (environment, expected) => {
  const folders: string[] = [];
  keepCompiledCode(environment, { enableCompileCache: (folder) => folders.push(folder) });
  expect(folders).toEqual([expect.stringMatching(expected)]);
});

test("a runtime that keeps no compiled code, or does so by itself, is left alone", () => {
  expect(() => keepCompiledCode({}, {})).not.toThrow();
});
