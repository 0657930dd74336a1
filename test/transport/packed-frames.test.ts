import fc from "fast-check";
import { expect, test } from "vitest";
import { packFrames, unpackFrames } from "../../kernel/transport/thread/packed-frames.ts";

test("frames of any sizes come out as they went in, given away or not", () => {
  const frame = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.constantFrom(65_535, 65_536, 100_000).map((size) => new Uint8Array(size).fill(3)),
  );
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.boolean(), (frames, give) => {
      const expected = frames.map((bytes) => Buffer.from(bytes).toString("hex"));
      const { buffers, lengths } = packFrames(frames, give);
      const moved = structuredClone({ buffers, lengths }, { transfer: [...new Set(buffers)] });
      const got = unpackFrames(moved).map((bytes) => Buffer.from(bytes).toString("hex"));
      expect(got).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test("a large frame that fills its buffer is given away without a copy, a view is copied", () => {
  const whole = new Uint8Array(100_000);
  expect(packFrames([whole], true).buffers[0]).toBe(whole.buffer);
  expect(packFrames([whole], false).buffers[0]).not.toBe(whole.buffer);
  expect(packFrames([whole.subarray(1)], true).buffers[0]).not.toBe(whole.buffer);
});
