import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, renderBundle, showPart } from "../../lib/display/mod.ts";
import { parsedExchange, sampleExchange } from "./sample.ts";

const MARKED = "<&>\u001b日";
const TEXT = MARKED.repeat(10_000_000);
const ROWS = Array.from({ length: 1_000_000 }, (_, id) => ({ id, name: `n${id}` }));
const WIDE = Object.fromEntries(
  Array.from({ length: 10_000 }, (_, index) => [`column ${index} ${MARKED}`, MARKED.repeat(40)]),
);

function nest(depth: number, wrap: (value: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

/** The bytes of a cell's output in a saved notebook. */
function sizeOf(bundle: Readonly<Record<string, unknown>>): number {
  const data = Object.entries(bundle).map(([type, part]) => [
    type,
    typeof part === "string" ? part.split(/(?<=\n)/) : part,
  ]);
  const notebook = { cells: [{ outputs: [{ data: Object.fromEntries(data) }] }] };
  return new TextEncoder().encode(JSON.stringify(notebook, undefined, 1)).length;
}

describe("renderBundle of what is huge", () => {
  it.each<[string, () => unknown]>([
    ["a million rows", () => parsedExchange(ROWS)],
    ["a million rows as a value", () => ROWS],
    ["a million numbers", () => parsedExchange(ROWS.map(({ id }) => id))],
    ["a map of many entries", () => new Map(ROWS.slice(0, 100_000).map((row) => [row.id, row]))],
    ["a set of many items", () => new Set(ROWS)],
    ["an object of 10,000 keys", () => parsedExchange(WIDE)],
    ["rows of 10,000 columns", () => parsedExchange(Array.from({ length: 60 }, () => WIDE))],
    ["objects 10,000 deep", () => parsedExchange(nest(10_000, (a) => ({ a })))],
    ["lists 10,000 deep", () => parsedExchange(nest(10_000, (a) => [a]))],
    ["a value 10,000 deep", () => nest(10_000, (a) => ({ a, b: [a] }))],
    ["a string of 50 million characters", () => parsedExchange(TEXT)],
    [
      "a text body of 50 million characters",
      () => sampleExchange("x", "text/plain", { text: TEXT }),
    ],
    ["a cell of 50 million characters", () => parsedExchange([{ [TEXT]: TEXT }])],
    ["a plain string of 50 million characters", () => TEXT],
    ["a million lines", () => sampleExchange("a\n".repeat(1_000_000), "text/plain")],
    ["a million headings", () => sampleExchange("# a\n\n".repeat(1_000_000), "text/markdown")],
    ["a million quotes", () => sampleExchange('"'.repeat(1_000_000), "text/plain")],
    ["lists as data", () => showPart(parsedExchange(ROWS.slice(0, 15_000).map(() => [1])), "json")],
    ["numbers as data", () => showPart(parsedExchange(ROWS.slice(0, 40_000).map(() => 1)), "json")],
    ["a million backticks", () => parsedExchange("`".repeat(1_000_000))],
    ["a million combining marks", () => parsedExchange([{ a: `a${"\u0301".repeat(1_000_000)}` }])],
    ["a binary body of 50 MB", () => sampleExchange(new Uint8Array(50_000_000), "application/zip")],
    ["an image of 5 MB", () => sampleExchange(new Uint8Array(5_000_000), "image/png")],
    ["a sound as large as is played", () => sampleExchange(new Uint8Array(119_000), "audio/wav")],
    [
      "long headers, URL and status text",
      () =>
        sampleExchange("", "", {
          statusText: TEXT,
          headers: Array.from({ length: 1000 }, () => [TEXT, TEXT]) as unknown as Headers,
          request: { ...sampleExchange("").request, url: TEXT, method: TEXT },
          warnings: Array.from({ length: 1000 }, () => TEXT),
        }),
    ],
    ["a thousand answers", () => Array.from({ length: 1000 }, () => parsedExchange(ROWS))],
    [
      "an error with a thousand faults",
      () =>
        Object.assign(new Error(TEXT), {
          source: TEXT,
          faults: Array.from({ length: 1000 }, (_, index) => ({
            message: TEXT,
            hint: TEXT,
            line: 1,
            column: index + 1,
            span: { start: index * 1000, end: 40_000_000 },
          })),
        }),
    ],
  ])("stays below the limit for %s", (_, make) => {
    const bundle = renderBundle(make());
    expect(sizeOf(bundle)).toBeLessThanOrEqual(DEFAULT_LIMITS.bundle);
    expect(bundle["text/plain"]).not.toBe("");
  });

  it("spends the room of an output on what is seen first: 50 rows of 30 columns", () => {
    const row = (at: number) =>
      Object.fromEntries(
        Array.from({ length: 35 }, (_, column) => [
          `someColumn${column}`,
          column % 3 === 0 ? at * column * 1_000 : `a value ${at} of ${column} here`,
        ]),
      );
    const text = JSON.stringify(Array.from({ length: 60 }, (_, at) => row(at)));
    const html = renderBundle(sampleExchange(text))["text/html"] ?? "";
    expect(html).toContain("50 of 60 rows shown, 5 more columns not shown");
  });

  it.each<[string, unknown, string]>([
    ["rows", parsedExchange(ROWS), "50 of 1,000,000 rows shown"],
    ["columns", parsedExchange([WIDE, WIDE]), "9,970 more columns not shown"],
    [
      "keys",
      parsedExchange(Object.fromEntries(ROWS.slice(0, 300).map((row) => [`k${row.id}`, 1]))),
      "200 of 300 keys shown",
    ],
    ["items", parsedExchange(ROWS.map(({ id }) => id)), "50 of 1,000,000 items shown"],
    [
      "characters",
      sampleExchange("x".repeat(20_001), "text/plain"),
      "1 of 20,001 characters are not shown",
    ],
    [
      "bytes",
      sampleExchange(new Uint8Array(1000), "application/zip"),
      "1.0 kB; its first 256 bytes are shown",
    ],
    [
      "an image",
      sampleExchange(new Uint8Array(2_000_001), "image/png", { url: "http://a/chart.png" }),
      "An image of more than 2.0 MB is not shown: image/png, 2.0 MB",
    ],
    [
      "a document",
      sampleExchange(new Uint8Array(200_000), "application/pdf"),
      "A document of more than 120 kB is not shown: application/pdf, 200 kB",
    ],
  ])("says in every form how many %s are not shown", (_, value, remark) => {
    const bundle = renderBundle(value);
    // The plain text is narrower than the table may be: it may show still fewer columns.
    const plain = remark.replace(/^9,970/, "9,992");
    expect(bundle["text/plain"]).toContain(plain);
    expect(bundle["text/html"]).toContain(remark);
    expect(bundle["text/markdown"]).toContain(remark);
  });
});
