import { describe, expect, it } from "vitest";
import { renderBundle, showTable } from "../../lib/display/mod.ts";
import type { TableOptions } from "../../lib/display/table.ts";
import { createClient } from "../../lib/mod.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

const PEOPLE = [
  { id: 10, name: "ada", home: { city: "London", zip: null }, tags: ["b"], since: "2024-03-01" },
  { id: 9, name: "Zoe", home: { city: "Łódź" }, tags: [], since: "2024-03-01T00:30:00+02:00" },
  { id: 2n, name: "Ben", since: new Date("2023-01-01T00:00:00Z") },
  { id: null, name: "ben", home: { city: "Bern" }, tags: ["a"] },
];

/** The cells of the first column. */
function column(value: unknown, options: TableOptions): string[] {
  const lines = String(showTable(value, options)).split("\n");
  return lines.slice(2, -1).map((line) => line.trim().split(/ {2}/)[0] ?? "");
}

const names = (options: TableOptions): string =>
  column(PEOPLE, { columns: ["name"], ...options }).join(" ");

describe("client.table sorts", () => {
  it.each<[string, TableOptions, string]>([
    [
      "numbers, big ones among them, as numbers, what is missing last",
      { sort: "id" },
      "Ben Zoe ada ben",
    ],
    ["backwards, what is missing still last", { sort: "-id" }, "ada Zoe Ben ben"],
    ["the same by an option", { sort: "id", descending: true }, "ada Zoe Ben ben"],
    ["twice backwards", { sort: "-id", descending: true }, "Ben Zoe ada ben"],
    ["texts as a person does, equal ones as they stood", { sort: "name" }, "ada ben Ben Zoe"],
    ["by a path", { sort: "home.city" }, "ben Zoe ada Ben"],
    ["by a path into a list", { sort: "tags[0]" }, "ben ada Zoe Ben"],
    ["dates by their time, whatever holds them", { sort: "since" }, "Ben Zoe ada ben"],
    ["by several columns", { sort: ["since", "name"], filter: { id: [10, 2n] } }, "Ben ada"],
  ])("%s", (_, options, expected) => {
    expect(names(options)).toBe(expected);
  });

  it("numbers in texts as numbers, and texts with numbers by them", () => {
    const rows = ["10", "9", "-1", "1.5e3"].map((v) => ({ v }));
    expect(column(rows, { sort: "v" })).toEqual(['"-1"', '"9"', '"10"', '"1.5e3"']);
    const items = ["item 10", "item 9"].map((v) => ({ v }));
    expect(column(items, { sort: "v" })).toEqual(["item 9", "item 10"]);
  });

  it("mixed values by kind, and always in the same way", () => {
    const rows = [true, "x", { a: 1 }, Number.NaN, 3, "", undefined, false].map((v, i) => ({
      i,
      v,
    }));
    const sorted = column(rows, { sort: "v", columns: ["i"] });
    expect(sorted).toEqual(["4", "1", "7", "0", "2", "3", "5", "6"]);
    expect(column(rows.toReversed(), { sort: "v", columns: ["i"] }).slice(0, 5)).toEqual(
      sorted.slice(0, 5),
    );
  });

  it("equal rows keep their order, backwards as well", () => {
    const rows = Array.from({ length: 40 }, (_, id) => ({ id, group: id % 2 }));
    const ids = column(rows, { sort: "-group", columns: ["id"] }).map(Number);
    expect(ids).toEqual([...ids.filter((id) => id % 2), ...ids.filter((id) => id % 2 === 0)]);
    expect(ids.slice(0, 3)).toEqual([1, 3, 5]);
  });

  it("a column whose name begins with a minus sign is that column", () => {
    expect(column([{ "-a": 2 }, { "-a": 1 }], { sort: "-a" })).toEqual(["1", "2"]);
  });
});

describe("client.table filters", () => {
  it.each<[string, TableOptions["filter"], string]>([
    ["by a function", ({ name }) => name === "Zoe", "Zoe"],
    ["by a text in any cell, nested ones too, in whatever case", "london", "ada"],
    ["by a value", { id: 9 }, "Zoe"],
    ["by a big number in whatever form", { id: 2 }, "Ben"],
    ["by values, one of which it is", { name: ["ada", "Zoe"] }, "ada Zoe"],
    ["by a pattern, one with a memory too", { name: /ben/gi }, "Ben ben"],
    ["by a path", { "home.city": /^[LŁ]/ }, "ada Zoe"],
    ["by what is missing", { home: undefined }, "Ben"],
    ["by null as by what is missing", { "home.zip": null, id: 10 }, "ada"],
    ["by a function of a value", { id: (id: unknown) => Number(id) > 8 }, "ada Zoe"],
    ["by several columns at once", { name: /e/, id: 9 }, "Zoe"],
    ["by what reads the same, as numbers in CSV do", { id: "9" }, "Zoe"],
    ["and what is missing is no empty text", { id: "" }, ""],
  ])("%s", (_, filter, expected) => {
    expect(names({ ...(filter === undefined ? {} : { filter }) })).toBe(expected);
  });

  it("says how many are left", () => {
    const rows = Array.from({ length: 200 }, (_, id) => ({ id }));
    expect(String(showTable(rows, { filter: ({ id }) => Number(id) > 99 }))).toContain(
      "50 of 100 rows shown; client.table(…, { rows: 100 }) shows more",
    );
  });
});

describe("client.table", () => {
  it("shows nested values as columns of their own", () => {
    expect(String(showTable(PEOPLE, { columns: ["home.city", "tags[0]"] })).split("\n")[0]).toBe(
      "home.city  tags[0]",
    );
  });

  it.each<[string, TableOptions, string]>([
    [
      "a column",
      { columns: ["nmae"] },
      'show the column "nmae": no row has this column; did you mean "name"?',
    ],
    [
      "a path",
      { sort: "-home.ctiy" },
      'sort a table by "home.ctiy": no row has this column; did you mean "home.city"',
    ],
    [
      "a filter",
      { filter: { Name: 1 } },
      'filter a table by "Name": no row has this column; did you mean "name"?',
    ],
    [
      "what is far from all",
      { sort: "zzzzzzzz" },
      'sort a table by "zzzzzzzz": no row has this column; the columns are "id", "name", "home", "tags", "since"',
    ],
    [
      "what is no path",
      { sort: "a[" },
      'sort a table by "a[": no row has this column; the columns are ',
    ],
    [
      "what is inherited",
      { sort: "constructor.name" },
      'sort a table by "constructor.name": no row',
    ],
    ["no name", { sort: [1] as never }, "sort a table by 1: give the name of a column"],
    [
      "no list of names",
      { sort: 1 as never },
      "sort a table by 1: give the name of a column, or a list of names",
    ],
    [
      "no filter",
      { filter: 1 as never },
      "show a table with this filter: give a function, a text or an object of columns",
    ],
  ])("refuses %s that is not there, and names what is", (_, options, message) => {
    expect(() => showTable(PEOPLE, options)).toThrow(TypeError);
    expect(() => showTable(PEOPLE, options)).toThrow(`Cannot ${message}`);
  });

  it("knows no wrong column where there are no rows", () => {
    expect(String(showTable([], { sort: "a", filter: { b: 1 }, columns: ["c"] }))).toContain(
      "0 rows",
    );
  });

  it("sorts and filters the bodies that are tables of themselves", () => {
    const csv = sampleExchange("n;n;k\n10;x;1\n9;y;2;z\n", "text/csv");
    expect(
      String(showTable(csv, { sort: "n" }))
        .split("\n")
        .slice(0, 4),
    ).toEqual([" n  n#2  k  #4", "──  ───  ─  ──", " 9  y    2  z", "10  x    1"]);
    const tsv = sampleExchange("a\tb\n1\t2\n", "text/tab-separated-values");
    expect(column(tsv, { columns: ["b"] })).toEqual(["2"]);
    const lines = sampleExchange('{"a":2}\n\n{"a":1}\nno\n', "application/x-ndjson");
    expect(column(lines, { sort: "a" })).toEqual(
      ["1", "2", "no"].map((v) => expect.stringContaining(v)),
    );
    const text = sampleExchange("x", "text/plain");
    expect(() => showTable(text, { sort: "a" })).toThrow(
      "Cannot show a table with sort: the body is text/plain and has no rows",
    );
    expect(() => showTable(sampleExchange(""), { filter: "a" })).toThrow(
      "Cannot show a table with filter: the body is empty and has no rows",
    );
    expect(String(showTable(text))).toBe("x");
  });
});

describe("paths that are copied from what is shown", () => {
  const BODY = {
    items: [
      { id: 2, "odd key": 'q"\\', home: { zip: [7, 8] } },
      { id: 1, late: true },
    ],
    total: 2,
    lists: [[1, 2], [3]],
    "3d": { ключ: "ü" },
  };

  async function answered(body: unknown = BODY): Promise<ReturnType<typeof createClient>> {
    const client = createClient({
      fetch: async () =>
        new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } }),
    });
    await client.send("# @name users\nGET http://h.test/");
    return client;
  }

  const titles = (html: string): string[] =>
    [...html.matchAll(/title="(\{\{[^"]*\}\})"/g)].map(([, title = ""]) =>
      title.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&#39;", "'"),
    );

  it("render to the values that they stand at", async () => {
    const client = await answered();
    const bundle = renderBundle(client.last);
    const found = titles(bundle["text/html"] ?? "");
    const rendered = (path: string): unknown =>
      client.render(`POST http://h.test/\n\n${path}`).body;
    const expected: Record<string, unknown> = {
      "{{users.response.body.items}}": BODY.items,
      "{{users.response.body.items[0]}}": BODY.items[0],
      "{{users.response.body.items[1]}}": BODY.items[1],
      "{{users.response.body.items[0].id}}": 2,
      '{{users.response.body.items[0]["odd key"]}}': 'q"\\',
      "{{users.response.body.items[0].home}}": BODY.items[0]?.home,
      "{{users.response.body.items[1].late}}": true,
      "{{users.response.body.total}}": 2,
      "{{users.response.body.lists}}": BODY.lists,
      "{{users.response.body.lists[0]}}": [1, 2],
      "{{users.response.body.lists[1]}}": [3],
      "{{users.response.body.3d}}": BODY["3d"],
      "{{users.response.body.3d.ключ}}": "ü",
    };
    expect(found.toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const [path, value] of Object.entries(expected)) {
      const text = String(rendered(path));
      expect(typeof value === "string" ? text : JSON.parse(text), path).toEqual(value);
    }
    for (const form of ["text/plain", "text/html", "text/markdown"]) {
      expect(bundle[form]).toContain("{{users.response.body}}");
      expect(bundle[form]).toContain("{{users.response.body.items[0].id}}");
    }
  });

  it("are those of the very rows that a sorted or filtered table shows", async () => {
    const client = await answered({ items: BODY.items });
    const options = { sort: "id", columns: ["id", "home.zip[1]", "odd key"] };
    const view = client.table(client.last, options);
    const html = renderBundle(view)["text/html"] ?? "";
    expect(titles(html)).toEqual([
      "{{users.response.body.items[1].id}}",
      "{{users.response.body.items[0].home.zip[1]}}",
      '{{users.response.body.items[0]["odd key"]}}',
      "{{users.response.body.items[1]}}",
      "{{users.response.body.items[0]}}",
    ]);
    const values = titles(html).map((path) => client.render(`GET http://h.test/${path}`).url);
    expect(values.slice(0, 2)).toEqual(["http://h.test/1", "http://h.test/8"]);
  });

  it("lead to the rows of lists, and to no column that is none", () => {
    const { request } = sampleExchange("");
    const named = { request: { ...request, name: "it" } };
    const lists = renderBundle(showTable(parsedExchange([[1], [2]], named)))["text/html"] ?? "";
    expect(titles(lists)).toEqual([
      "{{it.response.body[0].0}}",
      "{{it.response.body[0]}}",
      "{{it.response.body[1]}}",
    ]);
    const scalars = renderBundle(showTable(parsedExchange([1, [2]], named)))["text/html"] ?? "";
    expect(titles(scalars)).toEqual(["{{it.response.body[0]}}", "{{it.response.body[1]}}"]);
  });
});
