import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSplitter, type StreamItem } from "../../../lib/exchange/mod.ts";

const encoder = new TextEncoder();
const LONGEST = 20;

/** What comes out, cut to so many characters each, and how many were; the text comes in these pieces. */
function split(kind: "events" | "lines", pieces: readonly string[]): unknown[] {
  const splitter = createSplitter(kind, { longest: LONGEST });
  const items: StreamItem[] = pieces.flatMap((piece) => [...splitter.push(encoder.encode(piece))]);
  items.push(...splitter.end());
  const texts = items.map((item) =>
    item.kind === "event" ? item.data : "text" in item && item.text,
  );
  return [texts, splitter.cut];
}

describe("a splitter with a maximum item length", () => {
  test.each<["events" | "lines", string, string[], number]>([
    ["events", `data: ${"x".repeat(40)}\n\ndata: y\n\n`, ["x".repeat(14), "y"], 1],
    ["events", `data: ${"x".repeat(14)}\n\n`, ["x".repeat(14)], 0],
    ["events", `${"data: abc\n".repeat(9)}id: 1\n\ndata: y\r\n\r\n`, ["abc\nabc", "y"], 1],
    ["events", `data: ${"x".repeat(40)}\r\rdata: y\n\n`, ["x".repeat(14), "y"], 1],
    ["events", `data: ${"x".repeat(40)}`, [], 1],
    ["events", `${": ping\n".repeat(50)}data: y\n\n`, ["y"], 0],
    ["lines", `${"x".repeat(40)}\n[1]\n`, ["x".repeat(20), "[1]"], 1],
    ["lines", `${"x".repeat(20)}\n${"y".repeat(21)}`, ["x".repeat(20), "y".repeat(20)], 1],
  ])("%s of %j are cut", (kind, text, texts, cut) => {
    expect(split(kind, [text])).toEqual([texts, cut]);
    expect(split(kind, [...text])).toEqual([texts, cut]);
  });

  test("returns the same items for any chunks", () => {
    const part = fc.constantFrom("data: a", "data: bcdefghijkl", ": note", "id: 7", "x", "");
    const end = fc.constantFrom("\n", "\r\n", "\r", "\n\n");
    const text = fc.array(fc.tuple(part, end)).map((lines) => lines.flat().join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (whole, sizes) => {
        const pieces: string[] = [];
        let from = 0;
        for (const size of sizes) {
          pieces.push(whole.slice(from, from + size));
          from += size;
        }
        pieces.push(whole.slice(from));
        // A return at the very end may be half of a line end: it ends none yet.
        const closed = `${whole}\n\n`;
        expect(split("events", [...pieces, "\n\n"])).toEqual(split("events", [closed]));
      }),
    );
  });

  test("keeps only the maximum of an endless event", () => {
    const splitter = createSplitter("events", { longest: LONGEST });
    const piece = encoder.encode("x".repeat(65_536));
    splitter.push(encoder.encode("data: "));
    // More characters than a text can have.
    for (let sent = 0; sent < 9_000; sent++) expect(splitter.push(piece)).toEqual([]);
    expect(splitter.cut).toBe(1);
    const [event] = splitter.push(encoder.encode("\n\n"));
    expect(event?.kind === "event" && event.data.length).toBe(LONGEST - "data: ".length);
  });
});
