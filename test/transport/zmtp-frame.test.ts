import fc from "fast-check";
import { expect, test } from "vitest";
import {
  encodeFrameHeader,
  encodeMessage,
  type Frame,
  FrameDecoder,
  ProtocolError,
} from "../../kernel/jupyter/zmtp/frames.ts";

const MEGABYTE = 1024 * 1024;

function decode(chunks: readonly Uint8Array[], maximumSize = 100 * MEGABYTE): Frame[] {
  const frames: Frame[] = [];
  const decoder = new FrameDecoder(maximumSize, (frame) => frames.push(frame));
  for (const chunk of chunks) decoder.push(chunk);
  return frames;
}

const bodies = (frames: readonly Frame[]): string[] =>
  frames.map(({ body }) => Buffer.from(body).toString("hex"));

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let position = 0;
  for (let index = 0; position < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(bytes.subarray(position, position + size));
    position += size;
  }
  return chunks;
}

test("encodeFrameHeader writes the flags and sizes of RFC 23", () => {
  const hex = (...given: Parameters<typeof encodeFrameHeader>): string =>
    Buffer.from(encodeFrameHeader(...given)).toString("hex");
  expect(hex("message", false, 0)).toBe("0000");
  expect(hex("message", true, 255)).toBe("01ff");
  expect(hex("message", false, 256)).toBe("020000000000000100");
  expect(hex("message", true, 2 ** 40)).toBe("030000010000000000");
  expect(hex("command", false, 5)).toBe("0405");
  expect(hex("command", false, 256)).toBe("060000000000000100");
});

test("a stream cut at any byte decodes to the same frames", () => {
  const message = [
    new Uint8Array(0),
    Buffer.from("a"),
    Buffer.alloc(255, 1),
    Buffer.alloc(256, 2),
    Buffer.alloc(3),
  ];
  const bytes = Buffer.concat([...encodeMessage(message)]);
  const whole = decode([bytes]);
  expect(whole.map(({ more }) => more)).toEqual([true, true, true, true, false]);
  expect(bodies(whole)).toEqual(message.map((body) => Buffer.from(body).toString("hex")));
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(decode([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    expect(whole.every(({ body }) => body.constructor === Uint8Array)).toBe(true);
  }
  expect(decode(cut(bytes, [1]))).toEqual(whole);
});

test("messages of any frames, cut anywhere, are decoded unchanged", () => {
  const frames = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 0, max: 70_000 }).map((size) => new Uint8Array(size).fill(7)),
    ),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(
      frames,
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1 }),
      (given, sizes) => {
        const bytes = Buffer.concat([...encodeMessage(given)]);
        expect(bodies(decode(cut(bytes, sizes)))).toEqual(
          bodies(given.map((body) => ({ kind: "message", more: false, body }))),
        );
      },
    ),
  );
});

test("any bytes decode to frames or a ProtocolError, and nothing beyond the maximum", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 600 }),
      fc.integer({ min: 1, max: 40 }),
      (bytes, size) => {
        try {
          for (const frame of decode(cut(bytes, [size]), 100))
            expect(frame.body.length).toBeLessThanOrEqual(100);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test("a frame beyond the maximum is refused when its header arrives", () => {
  expect(() => decode([encodeFrameHeader("message", false, 101)], 100)).toThrow(
    "Reading a frame failed: it claims 101 bytes, more than the 100 allowed",
  );
  expect(() => decode([Uint8Array.from([2, ...Array(8).fill(255)])])).toThrow(ProtocolError);
  expect(
    decode([Buffer.concat([encodeFrameHeader("message", false, 100), Buffer.alloc(100)])], 100),
  ).toHaveLength(1);
});

test.each([0x08, 0x80, 0xff, 0x05, 0x07])(
  "flags %i are refused as soon as they arrive",
  (flags) => {
    expect(() => decode([Uint8Array.from([flags])])).toThrow(ProtocolError);
  },
);

test("a frame that claims to be large takes memory only as its bytes arrive", () => {
  const before = process.memoryUsage().arrayBuffers;
  const decoders = Array.from({ length: 50 }, () => {
    const decoder = new FrameDecoder(1024 * MEGABYTE, () => undefined);
    decoder.push(encodeFrameHeader("message", false, 1000 * MEGABYTE));
    decoder.push(new Uint8Array(10));
    return decoder;
  });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(120 * MEGABYTE);
  expect(decoders).toHaveLength(50);
});

test("a large frame in many chunks is joined", () => {
  const body = Buffer.alloc(5 * MEGABYTE + 3);
  for (let index = 0; index < body.length; index += 997) body[index] = index;
  const bytes = Buffer.concat([encodeFrameHeader("message", false, body.length), body]);
  const [frame] = decode(cut(bytes, [65_536]));
  expect(body.equals(frame?.body ?? Buffer.alloc(0))).toBe(true);
});
