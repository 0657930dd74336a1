import { describe, expect, it } from "vitest";
import { gather } from "../../lib/client/arrival/gather.ts";

const MEGABYTE = 1_000_000;
const ANY = Number.POSITIVE_INFINITY;

function pieces(length: number, size: number): Uint8Array[] {
  const whole = Uint8Array.from({ length }, (_, index) => index % 251);
  const list: Uint8Array[] = [];
  for (let at = 0; at < length; at += size) list.push(whole.subarray(at, at + size));
  return list;
}

function gathered(length: number, expected: number | undefined, most = ANY): Uint8Array {
  const body = gather(() => expected, most);
  for (const piece of pieces(length, 65_536)) body.push(piece);
  expect(body.length).toBe(length);
  return body.take();
}

describe("gather", () => {
  it.each<[string, number, number | undefined]>([
    ["of a length that is not known", 3 * MEGABYTE, undefined],
    ["of the length that was said", 3 * MEGABYTE, 3 * MEGABYTE],
    ["longer than was said", 3 * MEGABYTE, 2 * MEGABYTE],
    ["shorter than was said", 2 * MEGABYTE, 3 * MEGABYTE],
    ["far longer than any buffer was said to be", 2 * MEGABYTE, Number.MAX_SAFE_INTEGER],
    ["in one piece", 10, 10],
    ["of nothing", 0, 5 * MEGABYTE],
  ])("gives a body %s whole, in a buffer of its own", (_, length, expected) => {
    const bytes = gathered(length, expected);
    expect(bytes.byteLength).toBe(length);
    expect(bytes.buffer.byteLength).toBe(length);
    expect(bytes.every((byte, index) => byte === index % 251)).toBe(true);
  });

  it("lays each piece in its place where the length is known, so that none has to be kept", () => {
    const body = gather(() => 2 * MEGABYTE, ANY);
    for (const piece of pieces(2 * MEGABYTE, 65_536)) {
      const passing = piece.slice();
      body.push(passing);
      // Whoever keeps the piece sees what is done to it; the first may stand as it is until the second.
      if (body.length > 65_536) passing.fill(0);
    }
    const bytes = body.take();
    expect(bytes.subarray(65_536).every((byte, i) => byte === (i + 65_536) % 251)).toBe(true);
  });

  it("believes no length beyond what may be kept, and asks for none before the second piece", () => {
    let asked = 0;
    const body = gather(() => {
      asked++;
      return 100 * MEGABYTE;
    }, 3 * MEGABYTE);
    const [one = new Uint8Array(), two = new Uint8Array()] = pieces(20, 10);
    body.push(one);
    expect(asked).toBe(0);
    body.push(two);
    expect(asked).toBe(1);
    expect(body.take().buffer.byteLength).toBe(20);
  });
});
