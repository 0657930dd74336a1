import fc from "fast-check";
import { expect, test } from "vitest";
import { packFrames, unpackFrames } from "../../kernel/jupyter/zmtp/thread-messages.ts";

test("frames of any sizes are restored, transferred or copied", () => {
  const frames = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 });
  fc.assert(
    fc.property(frames, fc.boolean(), (frames, give) => {
      const expected = frames.map((bytes) => Buffer.from(bytes).toString("hex"));
      const packed = packFrames(frames, give);
      const moved = structuredClone(packed, { transfer: packed });
      const got = unpackFrames(moved).map((bytes) => Buffer.from(bytes).toString("hex"));
      expect(got).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test("a frame that fills its buffer is not copied if it may be given away, a view is", () => {
  const whole = new Uint8Array(100_000);
  expect(packFrames([whole], true)[0]).toBe(whole.buffer);
  expect(packFrames([whole], false)[0]).not.toBe(whole.buffer);
  expect(packFrames([whole.subarray(1)], true)[0]).not.toBe(whole.buffer);
});
