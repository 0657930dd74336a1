import { describe, expect, test } from "vitest";
import type { Entry } from "../../lib/request/mod.ts";
import { expandText, parseText, readText, resolvePath } from "../../lib/request/mod.ts";

const FILES: Readonly<Record<string, string>> = {
  "auth/login.http":
    "@user = ada\n\n# @name login\nPOST /login/{{user}}\n\n###\n@user = bob\nGET /bob",
  "chain/a.http": "# @import ./b.http\n# @name a\nGET /a",
  "chain/b.http": "# @import ./a.http\n@two = 2\n# @name b\nGET /b",
  "chain/c.http": "# @import ../broken.http\n# @name c\nGET /c",
  "broken.http":
    "@good = 1\n@bad = {{a..b}}\n{{\n}}\n###\n# @name fine\nGET /fine\n\n###\n# @name wrong\nGTE /x\nno header\n\n### script\n< {%\n%}",
  "all.http": "GET /1\n\n###\n@path = two\nGET /{{path}}",
  "self.http": "GET /self\n\n###\nrun self.http",
};

function expand(text: string, own: readonly string[] = []): ReturnType<typeof expandText> {
  return expandText(parseText(text), {
    find: (path) => {
      const found = FILES[path];
      return found === undefined ? new Error("there is no such file") : readText(found);
    },
    isOwn: (name) => own.includes(name),
  });
}

function said(entry: Entry): string {
  if (entry.kind === "assignment") return `@${entry.name}=${entry.value.parts.join("")}`;
  if (entry.kind === "script") return `script ${entry.when}`;
  const given = (entry.given ?? []).map(said);
  const url = entry.source.slice(
    entry.url.parts.length === 0 ? 0 : entry.urlSpan.start,
    entry.urlSpan.end,
  );
  return [`${entry.method} ${url}`, ...given].join(" ");
}

describe("a text with imports", () => {
  test.each<[text: string, entries: readonly string[], names: readonly string[]]>([
    ["# @import auth/login.http\nGET /x", ["@user=ada", "GET /x"], ["login"]],
    ["GET /x\n// @import ./auth/../auth/login.http", ["@user=ada", "GET /x"], ["login"]],
    ["import auth/login.http\n\nGET /x", ["@user=ada", "GET /x"], ["login"]],
    ['# @import "auth/login.http"', ["@user=ada"], ["login"]],
    ["# @import auth/login.http\n@user = eve", ["@user=eve"], ["login"]],
    ["# @import chain/a.http", ["@two=2"], ["a", "b"]],
    ["# @import chain/b.http\n# @import chain/a.http", ["@two=2"], ["b", "a"]],
    ["run all.http", ["@path=two", "GET /1", "@path=two", "GET /{{path}}"], []],
    ["run all.http (@path=3)", ["@path=two", "GET /1 @path=3", "GET /{{path}} @path=3"], []],
    [
      "import auth/login.http\nrun #login",
      ["@user=ada", "@user=ada", "POST /login/{{user}}"],
      ["login"],
    ],
    [
      "import auth/login.http\nrun #login (@user = eve, @n=1)",
      ["@user=ada", "POST /login/{{user}} @user=eve @n=1"],
      ["login"],
    ],
    ["### The list\nGET /list\n\n###\nrun #The list", ["GET /list", "GET /list"], []],
    ["# @name a\nGET /a\n\n###\n# @forceRef a", ["GET /a", "GET /a"], []],
  ])("%j", (text, entries, names) => {
    const found = expand(text);
    expect(found.faults).toEqual([]);
    expect(found.entries.map(said)).toEqual(entries);
    expect(found.imported.map(({ draft }) => draft.name)).toEqual(names);
  });

  test("a variable that is set otherwise stays", () => {
    expect(expand("# @import auth/login.http", ["user"]).entries).toEqual([]);
  });

  test("a fault spoils the request of its part of the file, or its line", () => {
    const { entries, imported, faults } = expand("# @import chain/c.http");
    expect(entries.map(said)).toEqual(["@good=1", "script before"]);
    const broken = imported.map(({ draft }) => [
      draft.name,
      (draft.faults ?? []).map((one) => one.line),
    ]);
    expect(broken).toEqual([
      ["c", []],
      ["fine", []],
      ["wrong", [11, 12]],
    ]);
    expect(faults.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'warning Cannot import all of "../broken.http": broken.http:15:1: A script before a request has no request below it',
    ]);
  });

  test.each<[text: string, place: string, message: string]>([
    ["GET /x\n# @import no.http", "2:1", 'file Cannot import "no.http": there is no such file'],
    ["run #nobody", "1:1", 'reference Cannot run "nobody": no request has this name'],
    [
      "\nrun self.http",
      "2:1",
      'file Cannot run "self.http": the files run each other, self.http → self.http',
    ],
  ])("a fault in %j", (text, place, message) => {
    const faults = expand(text).faults.map((one) => [
      `${one.line}:${one.column}`,
      `${one.code} ${one.message}`,
    ]);
    expect(faults).toEqual([[place, message]]);
  });

  test("files that run others twice do not multiply without a limit", () => {
    const deep = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `${n}.http`,
        `run ${n + 1}.http\n###\nrun ${n + 1}.http`,
      ]),
    );
    const { faults } = expandText(parseText("GET /x\n###\nrun 0.http"), {
      find: (path) => readText(deep[path] ?? "GET /last"),
    });
    expect(faults.map(({ line, message }) => [line, message])).toEqual([
      [3, "Cannot run more than 10000 requests and files"],
    ]);
  });

  test.each([
    ["./a.http", undefined, "a.http"],
    ["../a.http", "b/c.http", "a.http"],
    ["../../a.http", "b/c.http", "../a.http"],
    ["..\\x\\a.http", "b\\c.http", "x/a.http"],
    ["/a/./b.http", "c/d.http", "/a/b.http"],
    ["C:\\a\\b.http", "c/d.http", "C:/a/b.http"],
  ])("%s in %s is %s", (path, file, resolved) => {
    expect(resolvePath(path, file)).toBe(resolved);
  });
});
