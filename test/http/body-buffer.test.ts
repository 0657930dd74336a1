import { describe, expect, it } from "vitest";
import { type Content, createContent } from "../../lib/exchange/mod.ts";
import { BodyBuffer } from "../../lib/http/read-body.ts";

const MEGABYTE = 1_000_000;
const ANY = Number.POSITIVE_INFINITY;

function pieces(length: number, size: number): Uint8Array[] {
  const whole = Uint8Array.from({ length }, (_, index) => index % 251);
  const list: Uint8Array[] = [];
  for (let at = 0; at < length; at += size) list.push(whole.subarray(at, at + size));
  return list;
}

function gathered(length: number, expected: number | undefined, size = 65_536): Content {
  const body = new BodyBuffer(() => expected, ANY);
  for (const piece of pieces(length, size)) body.push(piece);
  expect(body.length).toBe(length);
  return body.take();
}

describe("BodyBuffer", () => {
  it.each<[string, number, number | undefined, number?]>([
    ["of a length that is not known", 3 * MEGABYTE, undefined],
    ["of a length that is not known, of many megabytes", 5 * MEGABYTE, undefined],
    ["of the length that was said", 3 * MEGABYTE, 3 * MEGABYTE],
    ["longer than was said", 7 * MEGABYTE, 2 * MEGABYTE],
    ["shorter than was said", 2 * MEGABYTE, 3 * MEGABYTE],
    ["far longer than any buffer was said to be", 2 * MEGABYTE, Number.MAX_SAFE_INTEGER],
    ["in pieces longer than what it grows by", 11 * MEGABYTE, undefined, 5 * MEGABYTE],
    ["in many small pieces", 2 * MEGABYTE, undefined, 100],
    ["in one piece", 10, 10],
    ["of nothing", 0, 5 * MEGABYTE],
  ])("gives a body %s whole, in a buffer of its own", (_, length, expected, size) => {
    const content = gathered(length, expected, size);
    expect(content.length).toBe(length);
    const bytes = content.whole();
    expect(bytes.byteLength).toBe(length);
    expect(bytes.buffer.byteLength).toBe(length);
    expect(bytes.every((byte, index) => byte === index % 251)).toBe(true);
  });

  it.each([
    ["where it was said", 5 * MEGABYTE, 1],
    ["where it was not", undefined, 2],
  ])(
    "lays each piece of a body in its place, so that none has to be kept: %s",
    (_, said, count) => {
      const body = new BodyBuffer(() => said, ANY);
      for (const piece of pieces(5 * MEGABYTE, 65_536)) {
        const passing = piece.slice();
        body.push(passing);
        // Whoever keeps the piece sees what is done to it; the first ones may stand as they are.
        if (body.length > MEGABYTE) passing.fill(0);
      }
      const content = body.take();
      expect(content.pieces).toHaveLength(count);
      const bytes = content.whole();
      expect(bytes.subarray(MEGABYTE).every((byte, i) => byte === (i + MEGABYTE) % 251)).toBe(true);
      expect(content.pieces).toHaveLength(1);
      expect(content.whole()).toBe(bytes);
    },
  );

  it("ignores a declared length beyond the limit, and reads it only when a chunk has arrived", () => {
    let asked = 0;
    const body = new BodyBuffer(() => {
      asked++;
      return 100 * MEGABYTE;
    }, 3 * MEGABYTE);
    const [one = new Uint8Array(), two = new Uint8Array()] = pieces(2 * MEGABYTE, MEGABYTE);
    body.push(one);
    expect(asked).toBe(0);
    body.push(two);
    expect(asked).toBe(1);
    expect(body.take().whole().buffer.byteLength).toBe(2 * MEGABYTE);
  });
});

describe("a content", () => {
  it.each([0, 1, 9, 10, 11, 25, 30, 99])(
    "returns its first %i bytes, however it is chunked",
    (count) => {
      const parts = pieces(30, 10);
      const [one = new Uint8Array()] = pieces(30, 30);
      const expected = [...one.subarray(0, count)];
      const parted = new BodyBuffer(() => undefined, ANY);
      for (const part of parts) parted.push(part);
      expect([...parted.take().head(count)]).toEqual(expected);
      expect([...createContent(parts).head(count)]).toEqual(expected);
    },
  );
});
