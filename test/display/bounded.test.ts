import { describe, expect, it } from "vitest";
import { renderBundle, textWidth, toText, viewRich } from "../../lib/display/mod.ts";
import { createSecretStore, type Secrets } from "../../lib/secrets/mod.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

/** Counts how often something of a value is looked at: time is bounded where that is. */
interface Counter {
  looks: number;
}

/** A list that makes its items when they are asked for, and counts that. */
function counted(length: number, item: (index: number) => unknown, counter: Counter): unknown[] {
  return new Proxy(new Array<unknown>(length), {
    getOwnPropertyDescriptor: (target, key) => {
      const index = typeof key === "string" ? Number(key) : Number.NaN;
      if (!Number.isInteger(index)) return Reflect.getOwnPropertyDescriptor(target, key);
      counter.looks++;
      return toProperty(item(index));
    },
  });
}

/** An object that has itself below each of its keys, so that it has no bottom. */
function bottomless(counter: Counter, keys: readonly string[]): object {
  const self: object = new Proxy(
    {},
    {
      ownKeys: () => keys,
      getOwnPropertyDescriptor: (_, key) => {
        counter.looks++;
        return keys.includes(String(key)) ? toProperty(self) : undefined;
      },
    },
  );
  return self;
}

function toProperty(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true };
}

/** Secrets that count the characters that are searched for them. */
function watchedSecrets(counter: Counter): Secrets {
  const store = createSecretStore();
  store.setVariable("token", "hush-hush-42", true);
  return {
    ...store,
    revision: store.revision,
    locate: (text) => {
      counter.looks += text.length;
      return store.locate(text);
    },
    mask: (text, write) => {
      counter.looks += text.length;
      return store.mask(text, write);
    },
  };
}

describe("the work of showing what is huge does not grow with it", () => {
  it.each<[string, number, (counter: Counter) => unknown]>([
    ["a million rows", 300_000, (c) => counted(1_000_000, (id) => ({ id, name: "Ada" }), c)],
    ["a million lists", 1_000, (c) => counted(1_000_000, (id) => [id], c)],
    ["a million numbers", 1_000, (c) => counted(1_000_000, (id) => id, c)],
    ["rows of a million rows", 300_000, (c) => [{ rows: counted(1_000_000, (id) => ({ id }), c) }]],
    ["an object without a bottom", 100_000, (c) => bottomless(c, ["a"])],
    ["one with many branches", 100_000, (c) => bottomless(c, [..."abcdefghijklmnopqrstuvwxyz"])],
    ["rows without a bottom", 100_000, (c) => [bottomless(c, [..."abc"])]],
  ])("%s", (_, most, make) => {
    const counter = { looks: 0 };
    const bundle = renderBundle(parsedExchange(make(counter)));
    expect(bundle["text/html"]).toMatch(/<table|<pre/);
    expect(counter.looks).toBeGreaterThan(0);
    expect(counter.looks).toBeLessThan(most);
  });

  it("only the beginning of a program's list of a million numbers is read", () => {
    const counter = { looks: 0 };
    const list = counted(1_000_000, () => 7, counter);
    const secrets = [createSecretStore()];
    expect(renderBundle(list, { secrets, json: false })["text/html"]).toMatch(/1,000,000 items/);
    expect(counter.looks).toBeGreaterThan(0);
    expect(counter.looks).toBeLessThan(100_000);
  });

  const TEXT = "token <&> 日 ".repeat(5_000_000);

  it.each<[string, () => unknown]>([
    ["a scalar of 50 million characters", () => parsedExchange(TEXT)],
    ["a text that is full of them", () => parsedExchange("hush-hush-42 ".repeat(4_000_000))],
    ["a text body", () => sampleExchange("x", "text/plain", { text: TEXT })],
    ["a page", () => sampleExchange("x", "text/html", { text: TEXT })],
    ["a cell", () => parsedExchange([{ a: TEXT, b: 1 }])],
    ["a value beside its key", () => parsedExchange({ a: TEXT, b: { c: TEXT } })],
    [
      "10,000 columns",
      () =>
        parsedExchange([
          Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`c${i}`, "x".repeat(400)])),
        ]),
    ],
  ])("only so much of it is searched for secrets: %s", (_, make) => {
    const counter = { looks: 0 };
    renderBundle(make(), { secrets: [watchedSecrets(counter)] });
    expect(counter.looks).toBeGreaterThan(0);
    // As often as a bundle is made again to fit, and never the whole.
    expect(counter.looks).toBeLessThan(20_000_000);
  });
});

const MIXED = [
  { name: "日本語のテキスト".repeat(4), mark: "e\u0301".repeat(30), emoji: "👩‍👩‍👧🇩🇪1️⃣", n: 1 },
  { name: "한국어", mark: "כתב עברי", emoji: "\u200b\u200bx", n: -12.5 },
  { name: "plain", mark: "a\tb\r\nc", emoji: "z̶a̸l̷g̴o̵".repeat(10), n: 1e21 },
];

describe("plain text in columns", () => {
  it.each([20, 40, 80, 200])(
    "a table fits a console of %i columns, cell below heading",
    (width) => {
      const lines = toText(viewRich(parsedExchange(MIXED)) ?? [], {
        width,
        headers: "folded",
      }).split("\n");
      const rule = lines.findIndex((line) => line.startsWith("─"));
      const table = lines.slice(rule - 1, rule + 1 + MIXED.length);
      expect(table).toHaveLength(5);
      for (const line of table) expect(textWidth(line)).toBeLessThanOrEqual(width);
      // Where each column begins, in columns of the console, no line has but a gap before it.
      const starts = [...(lines[rule] ?? "").matchAll(/ {2}(?=─)/g)].map(({ index }) => index);
      for (const line of table) {
        for (const start of starts) expect(columnsOf(line, start, start + 2)).toMatch(/^ *$/);
      }
    },
  );

  it("shows fewer columns rather than all of them cut to a few characters", () => {
    const user = { name: "Ada Lovelace", email: "ada@example.com", role: "admin", active: true };
    const rows = [{ id: 1, ...user, createdAt: "2024-01-02T03:04:05.678Z", address: user }];
    const columns = [60, 80, 120].map((width) => {
      const lines = toText(viewRich(parsedExchange([...rows, ...rows])) ?? [], { width }).split(
        "\n",
      );
      const [head = "", , row = "", , remark = ""] = lines.slice(
        lines.findIndex((it) => it.startsWith("id")),
      );
      return [head.split(/ +/).length, row.includes("Ada Lovelace"), remark];
    });
    expect(columns).toEqual([
      [6, true, "2 rows, 1 more column not shown"],
      [7, true, "2 rows"],
      [7, true, "2 rows"],
    ]);
  });

  it.each([40, 80, 200])("keys and values, and a fold, say all in %i columns", (width) => {
    const blocks = viewRich(parsedExchange({ one: MIXED, two: { three: ["日本", "x"] } })) ?? [];
    const text = toText(blocks, { width });
    expect(text).toContain("one (3 rows)");
    const rule = text.split("\n").find((line) => line.includes("──")) ?? "";
    expect(textWidth(rule)).toBeLessThanOrEqual(width);
  });

  it.each([40, 80, 200])(
    "a caret stands below what it means, beside wide characters, at %i",
    (width) => {
      const source = `# ${"日本".repeat(20)} {{usre}} ${"é".repeat(80)}`;
      const start = source.indexOf("{{");
      const span = { start, end: start + 8 };
      const error = Object.assign(new Error("x"), {
        source,
        faults: [{ message: "Bad", hint: "", line: 1, column: start + 1, span }],
      });
      const [line = "", carets = ""] = toText(viewRich(error, { width }) ?? [], { width })
        .split("\n")
        .filter((it) => it.includes("│"));
      expect(textWidth(line)).toBeLessThanOrEqual(width);
      const at = textWidth(carets.slice(0, carets.indexOf("^")));
      expect(columnsOf(line, at, at + 8)).toBe("{{usre}}");
    },
  );
});

/** What stands between two columns of a console. */
function columnsOf(line: string, from: number, to: number): string {
  let at = 0;
  let found = "";
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (at >= from && at < to) found += segment;
    at += textWidth(segment);
  }
  return found;
}

describe("Markdown reads well as text", () => {
  const markdown = (rows: readonly object[]): string[] =>
    (renderBundle(parsedExchange(rows))["text/markdown"] ?? "").split("\n");

  it("a row that changes is one line of a difference, as is one that comes", () => {
    const rows = Array.from({ length: 20 }, (_, id) => ({ id, name: `User ${id}` }));
    const before = markdown(rows);
    const renamed = markdown(
      rows.map((row) => (row.id === 7 ? { ...row, name: "Ada Lovelace" } : row)),
    );
    expect(renamed.filter((line, index) => line !== before[index])).toEqual([
      "| 7 | Ada Lovelace |",
    ]);
    const longer = markdown([...rows, { id: 20, name: "User 20" }]);
    expect(longer.filter((line) => !before.includes(line))).toEqual([
      "| 20 | User 20 |",
      "21 rows",
    ]);
  });

  it("a value that changes is one line, however deep it lies", () => {
    const of = (city: string): string[] =>
      (
        renderBundle(parsedExchange({ a: 1, b: { c: [{ city }], d: { e: city } } }))[
          "text/markdown"
        ] ?? ""
      ).split("\n");
    const [before, after] = [of("London"), of("Bern")];
    expect(after.filter((line, index) => line !== before[index])).toEqual([
      "    | Bern |",
      "    - **e:** Bern".replace("**e:**", "**e**:"),
    ]);
  });

  it("no line but source text ends in blanks, and none is longer than what it says", () => {
    const lines = markdown([{ a: "x ", b: null, c: [1, 2] }, { b: "" }]);
    for (const line of lines) expect(line).not.toMatch(/[ \t]$/);
  });
});
