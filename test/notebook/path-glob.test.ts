import { describe, expect, test } from "vitest";
import { compilePathGlob, folderOfGlob, isGlob } from "../../kernel/run/find-documents.ts";

describe("path globs", () => {
  test.each([
    ["*.http", ["a.http"], ["api/a.http", "a.rest"]],
    ["./*.http", ["a.http"], ["api/a.http"]],
    ["api/*.http", ["api/a.http"], ["a.http", "api/v1/a.http"]],
    ["**/*.http", ["a.http", "api/a.http", "api/v1/a.http"], ["a.rest"]],
    ["api/**", ["api/a.http", "api/v1/a.http"], ["a.http"]],
    ["a?.http", ["ab.http"], ["a.http", "a/.http"]],
    ["[a-c].http", ["b.http"], ["d.http"]],
    ["[!a-c].http", ["d.http"], ["b.http"]],
    ["{users,orders}.http", ["users.http", "orders.http"], ["user.http"]],
    ["a+b.(x).http", ["a+b.(x).http"], ["aab.x.http"]],
    ["[^a].http", ["^.http", "a.http"], ["b.http"]],
    ["[z-a].http", [], ["b.http"]],
  ] as const)("%s", (glob, matching, others) => {
    const matches = compilePathGlob(glob);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter((path) => matches(path))).toEqual([]);
  });

  test("the folder above all matches, and what is no glob", () => {
    expect(["*.http", "api/*.http", "/a/b/{c,d}/*.http"].map(folderOfGlob)).toEqual([
      ".",
      "api/",
      "/a/b/",
    ]);
    expect(["a.http", "api/"].filter(isGlob)).toEqual([]);
  });
});
