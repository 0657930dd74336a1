import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createChannel,
  createEnds,
  createSplitter,
  type StreamItem,
  type StreamKind,
  streamKind,
} from "../../../lib/exchange/mod.ts";

const encoder = new TextEncoder();

/** What comes out when the bytes are cut at these places. */
function split(kind: StreamKind, bytes: Uint8Array, cuts: readonly number[] = []): unknown[] {
  const splitter = createSplitter(kind);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const items: StreamItem[] = [];
  let from = 0;
  for (const place of [...places, bytes.length]) {
    items.push(...splitter.push(bytes.subarray(from, place)));
    from = place;
  }
  items.push(...splitter.end());
  return items.map(plain);
}

function plain(item: StreamItem): unknown {
  if (item.kind === "event") return [item.event, item.data, item.id];
  return item.kind === "bytes" ? [...item.bytes] : item.text;
}

describe("createSplitter", () => {
  test.each<[StreamKind, string, unknown[]]>([
    ["events", "data: a\n\n", [["message", "a", undefined]]],
    [
      "events",
      "\ufeffdata:a\r\rdata: b\r\n\r\n",
      [
        ["message", "a", undefined],
        ["message", "b", undefined],
      ],
    ],
    [
      "events",
      "id: 1\nevent: x\ndata: a\ndata\ndata: b\n\ndata: c\n\n",
      [
        ["x", "a\n\nb", "1"],
        ["message", "c", "1"],
      ],
    ],
    ["events", ": ping\n\nretry: 10\n\nfoo: bar\n\nevent: x\n\n", []],
    ["events", "data: never ends", []],
    ["events", "data: a\r\r", [["message", "a", undefined]]],
    ["events", "data: a\n\r", [["message", "a", undefined]]],
    ["events", "data: a\n\ndata: b\r", [["message", "a", undefined]]],
    ["lines", '{"a":1}\n\n  \r\n[2]\r\n3', ['{"a":1}', "[2]", "3"]],
    ["lines", "\u001e1\n\u001e2\n", ["1", "2"]],
    ["lines", "", []],
    ["text", "ü€😀", ["ü€😀"]],
  ])("%s of %j", (kind, text, wanted) => {
    expect(split(kind, encoder.encode(text))).toEqual(wanted);
  });

  test("the boundaries of chunks do not matter", () => {
    const line = fc.oneof(
      fc.constantFrom("", "data: x", "data:  ü€😀", "id: 7", "event: e", ": c", '{"a":"ü"}', "1"),
      fc.string({ maxLength: 8 }),
    );
    const end = fc.constantFrom("\n", "\r\n");
    const stream = fc.array(fc.tuple(line, end), { maxLength: 20 });
    fc.assert(
      fc.property(
        stream,
        fc.array(fc.nat(200), { maxLength: 12 }),
        fc.constantFrom<StreamKind>("events", "lines"),
        (lines, cuts, kind) => {
          const bytes = encoder.encode(lines.flat().join(""));
          expect(split(kind, bytes, cuts)).toEqual(split(kind, bytes));
        },
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(50)), (text, cuts) => {
        expect(split("text", encoder.encode(text), cuts).join("")).toBe(text);
      }),
    );
  });

  test("an endless line or event is refused", () => {
    const megabyte = encoder.encode("x".repeat(1024 * 1024));
    for (const kind of ["events", "lines"] as const) {
      const splitter = createSplitter(kind);
      expect(() => {
        for (let count = 0; count < 80; count++) splitter.push(megabyte);
      }).toThrow(RangeError);
    }
  });

  test("json is parsed on access, with the given parser", () => {
    const asked: string[] = [];
    const splitter = createSplitter("lines", { parseJson: (text) => asked.push(text) });
    const [item] = splitter.push(encoder.encode("{broken\n"));
    expect(asked).toEqual([]);
    expect(item?.kind === "line" && item.json).toBe(1);
    expect(asked).toEqual(["{broken"]);
  });

  test.each([
    ["text/event-stream", "events"],
    ["application/x-ndjson", "lines"],
    ["application/jsonl", "lines"],
    ["text/html", "text"],
    ["application/problem+json", "text"],
    ["image/png", "bytes"],
    ["", "bytes"],
  ])("%s is %s", (type, kind) => expect(streamKind(type)).toBe(kind));
});

describe("createEnds", () => {
  test("keeps the first and the last items in order, and counts all", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(8), fc.nat(8), (count, first, last) => {
        const ends = createEnds<number>({ first, last });
        const all = Array.from({ length: count }, (_, index) => index);
        for (const item of all) ends.push(item);
        const rest = all.slice(first);
        expect([ends.count, ends.first, ends.last]).toEqual([
          count,
          all.slice(0, first),
          last === 0 ? [] : rest.slice(-last),
        ]);
      }),
    );
  });
});

describe("createChannel", () => {
  test("the writer waits for the reader, and learns when it has left", async () => {
    let left = 0;
    const channel = createChannel<number>(() => {
      left += 1;
    });
    let isTaken = false;
    const writing = channel.write([1, 2]).then((more) => {
      isTaken = true;
      return more;
    });
    expect((await channel.reader.next()).value).toBe(1);
    expect(isTaken).toBe(false);
    expect((await channel.reader.next()).value).toBe(2);
    const third = channel.reader.next();
    expect(await writing).toBe(true);
    const more = channel.write([3, 4]);
    expect((await third).value).toBe(3);
    await channel.reader.return?.();
    expect(await more).toBe(false);
    expect(await channel.write([5])).toBe(false);
    expect([left, (await channel.reader.next()).done]).toEqual([1, true]);
  });

  test("an error is thrown once, after the items before it", async () => {
    const channel = createChannel<number>(() => undefined);
    const writing = channel.write([1]);
    expect((await channel.reader.next()).value).toBe(1);
    channel.close({ error: new Error("broken") });
    await expect(channel.reader.next()).rejects.toThrow("broken");
    expect(await channel.reader.next()).toEqual({ value: undefined, done: true });
    expect(await writing).toBe(true);
  });
});
