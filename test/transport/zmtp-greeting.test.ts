import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkGreeting,
  encodeGreeting,
  GREETING_SIZE,
  ProtocolError,
} from "../../kernel/jupyter/zmtp/frames.ts";
import { greeting } from "./raw-peer.ts";

test("encodeGreeting says ZMTP 3.0, NULL, not a server, as RFC 23 draws it", () => {
  const expected = `ff${"00".repeat(8)}7f0300${Buffer.from("NULL").toString("hex")}${"00".repeat(48)}`;
  expect(Buffer.from(encodeGreeting()).toString("hex")).toBe(expected);
});

test("checkGreeting takes 3.0, 3.1 and later, with any padding", () => {
  expect(checkGreeting(greeting(3, 0))).toBe(true);
  expect(checkGreeting(greeting(3, 1))).toBe(true);
  const later = greeting(4, 7);
  later.fill(0xaa, 1, 9);
  expect(checkGreeting(later)).toBe(true);
});

test("checkGreeting waits for every byte of a good greeting", () => {
  for (let size = 0; size < GREETING_SIZE; size += 1) {
    expect(checkGreeting(greeting(3, 1).subarray(0, size))).toBe(false);
  }
});

const refused: [string, Uint8Array, RegExp][] = [
  ["another protocol at its first byte", Buffer.from("G"), /begins with 0x47, not 0xff/],
  ["ZMTP 1.0 with a short identity", Buffer.from([1, 0]), /begins with 0x01/],
  ["ZMTP 1.0 with a long identity", Buffer.from([0xff, 0, 0, 0, 0, 0, 0, 1, 0, 0]), /ZMTP 1.0/],
  ["ZMTP 2.0", greeting(1, 5).subarray(0, 12), /ZMTP 2.0/],
  ["another mechanism", greeting(3, 0, "CURVE"), /mechanism is "CURVE", not "NULL"/],
  ["a mechanism that only begins with ours", greeting(3, 0, "NULLX"), /mechanism is "NULLX"/],
  ["a cut mechanism", greeting(3, 0, "NUL"), /mechanism is "NUL"/],
];
test.each(refused)("checkGreeting refuses %s", (_name, bytes, message) => {
  expect(() => checkGreeting(bytes)).toThrow(ProtocolError);
  expect(() => checkGreeting(bytes)).toThrow(message);
});

test("checkGreeting answers any bytes with a greeting, nothing yet, or a ProtocolError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      try {
        expect(checkGreeting(bytes)).toBe(bytes.length >= GREETING_SIZE);
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
      }
    }),
  );
});
