import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { Document } from "../../../kernel/run/document.ts";
import { findTargets } from "../../../kernel/run/find-documents.ts";
import { parseHttp } from "../../../kernel/run/read-document.ts";
import { checkSelection, createSelection, labelsOf } from "../../../kernel/run/selection.ts";
import { takeShard } from "../../../kernel/run/suite-plan.ts";

const TEXT = `@limit = 2

### all users
# @name list
# @tag smoke, fast
GET http://api.test/users?limit={{limit}}

### one user
# @tag slow
GET http://api.test/users/1
?? status == 200

###
GET http://api.test/health
`;
const ALL = { names: [], patterns: [], tags: [] };
const httpFile = parseHttp(TEXT, "api.http");

function cell(source: string, tags?: readonly string[]) {
  const metadata = tags === undefined ? {} : { tags };
  return { type: "code", id: "a", source, metadata } as const;
}

function selectedOf(
  document: Document,
  options: Partial<typeof ALL | { names: string[]; tags: string[]; patterns: RegExp[] }>,
  lines?: readonly number[],
): readonly number[] {
  const selects = createSelection({ ...ALL, ...options }, document, lines);
  return document.cells.flatMap((one, index) => (selects(one) ? [index + 1] : []));
}

describe("labelsOf", () => {
  test.each([
    ["# @name list\nGET /", "list", []],
    ["### The list\n// @name list\nGET /", "list", []],
    ["### The list\nGET /", "The list", []],
    [
      "###\n# a comment\n@a = 1\nGET http://api.test/ HTTP/1.1",
      "GET http://api.test/ HTTP/1.1",
      [],
    ],
    ["# @tag smoke\n# @tag slow, fast\nGET /", "GET /", ["smoke", "slow", "fast"]],
    ["// @name setup\n// @tag smoke\nconst a = 1;", "setup", ["smoke"]],
    ["@a = 1", "@a = 1", []],
    [`const a = "${"x".repeat(200)}";`, `const a = "${"x".repeat(68)}…`, []],
  ] as const)("%j", (source, name, tags) => {
    expect(labelsOf(cell(source))).toEqual({ name, tags });
  });

  test("the name is masked before it is cut", () => {
    const source = `client.setVar("apiToken", "${"Zq8".repeat(40)}");`;
    const { name } = labelsOf(cell(source), (text) => text.replaceAll("Zq8".repeat(40), "•••"));
    expect(name).toBe('client.setVar("apiToken", "•••");');
  });

  test("tags of a notebook's cell count once", () => {
    expect(labelsOf(cell("# @tag smoke\nGET /", ["smoke", "nightly"])).tags).toEqual([
      "smoke",
      "nightly",
    ]);
  });
});

describe("createSelection", () => {
  test.each([
    ["everything", {}, undefined, [1, 2, 3, 4]],
    ["a name", { names: ["list"] }, undefined, [2]],
    ["a title", { names: ["one user"] }, undefined, [3]],
    ["two names", { names: ["list", "one user"] }, undefined, [2, 3]],
    ["a pattern", { patterns: [/^(one|GET)/] }, undefined, [3, 4]],
    ["a tag", { tags: ["fast"] }, undefined, [2]],
    ["a name and a tag that does not match", { names: ["list"], tags: ["slow"] }, undefined, []],
    ["the line of a request", {}, [6], [2]],
    ["the line of a title", {}, [3], [2]],
    ["the line of an assertion, and the last", {}, [11, 14], [3, 4]],
  ] as const)("%s", (_name, options, lines, expected) => {
    expect(selectedOf(httpFile, options as Partial<typeof ALL>, lines)).toEqual(expected);
  });

  test("a number after a notebook is that of its cell", () => {
    const cells = ["const a = 1;", "GET http://api.test/", "a"].map((source) => cell(source));
    expect(selectedOf({ path: "a.ipynb", metadata: {}, cells }, {}, [2])).toEqual([2]);
  });

  test("a number past the end is an error that says how many there are", () => {
    const select = (document: Document, line: number) => () =>
      createSelection(ALL, document, [1, line]);
    const { length } = TEXT.trimEnd().split("\n");
    expect(select(httpFile, length)).not.toThrow();
    const past = `there is no line ${length + 1}, "api.http" has ${length} lines`;
    expect(select(httpFile, length + 1)).toThrow(past);
    expect(select(parseHttp("GET /", "b.http"), 99)).toThrow('"b.http" has 1 line');
    const notebook = { path: "a.ipynb", metadata: {}, cells: [cell("1"), cell("2")] };
    expect(select(notebook, 2)).not.toThrow();
    expect(select(notebook, 3)).toThrow('there is no code cell 3, "a.ipynb" has 2 code cells');
  });

  test.each([
    [{ names: ["lsit"] }, 'none matches --name "lsit"; did you mean "list"'],
    [{ tags: ["smok"] }, 'none matches --tag "smok"; did you mean "smoke"'],
    [{ patterns: [/zzz/] }, 'none matches --grep "zzz"'],
  ])("a selection without requests is an error: %j", (options, message) => {
    const selection = { ...ALL, ...options };
    const selects = createSelection(selection, httpFile);
    expect(() => checkSelection([{ document: httpFile, selects }], selection)).toThrow(message);
  });
});

test("findTargets separates lines from paths and joins those of one file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "restlab-targets-"));
  try {
    for (const name of ["a.http", "b.http"]) writeFileSync(join(folder, name), TEXT);
    const [a, b] = [join(folder, "a.http"), join(folder, "b.http")];
    expect(await findTargets([`${a}:3`, `${a}:9`, b])).toEqual([
      { path: a, lines: [3, 9] },
      { path: b },
    ]);
    // The whole file contains the line.
    expect(await findTargets([`${a}:3`, a, `${a}:9`])).toEqual([{ path: a }]);
    // However it is written.
    expect(await findTargets([a, relative(process.cwd(), a)])).toHaveLength(1);
    expect(await findTargets([folder])).toEqual([{ path: a }, { path: b }]);
    expect(await findTargets([join(folder, "*.http")])).toEqual([{ path: a }, { path: b }]);
    expect(await findTargets(["missing-*.http"])).toEqual([{ path: "missing-*.http" }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("takeShard", () => {
  const items = Array.from({ length: 23 }, (_, index) => `file-${index}.http`);
  const take = (index: number, from: readonly string[] = items): readonly string[] =>
    takeShard(from, { index, count: 5 }, (item) => item);

  test("the parts are disjoint, complete and of nearly the same size", () => {
    const parts = [1, 2, 3, 4, 5].map((index) => take(index));
    expect(parts.flat().sort()).toEqual([...items].sort());
    expect(parts.map(({ length }) => length)).toEqual([5, 5, 5, 4, 4]);
  });

  test("the part does not depend on the order, which it keeps", () => {
    const reversed = [...items].reverse();
    expect(take(2, reversed)).toEqual([...take(2)].reverse());
  });
});
