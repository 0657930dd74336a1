import { expect, test } from "vitest";
import { keepCompiledCode } from "../../kernel/platform/mod.ts";

test.each([
  [{ XDG_CACHE_HOME: "/c" }, /^\/c\/restlab\/compiled$/],
  [{ XDG_CACHE_HOME: "relative" }, /^\/.*\/\.cache\/restlab\/compiled$/],
  [{}, /^\/.*\/\.cache\/restlab\/compiled$/],
])("with %j compiled code is cached in a folder of the user", (environment, expected) => {
  const folders: string[] = [];
  keepCompiledCode(environment, { enableCompileCache: (folder) => folders.push(folder) });
  expect(folders).toEqual([expect.stringMatching(expected)]);
});

test("a runtime without a compile cache is left alone", () => {
  expect(() => keepCompiledCode({}, {})).not.toThrow();
});
