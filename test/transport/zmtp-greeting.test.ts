import fc from "fast-check";
import { expect, test } from "vitest";
import { ProtocolError } from "../../kernel/jupyter/zmtp/endpoint.ts";
import {
  encodeGreeting,
  GREETING_SIZE,
  parseGreeting,
} from "../../kernel/jupyter/zmtp/greeting.ts";
import { greeting } from "./raw-peer.ts";

test("encodeGreeting says ZMTP 3.1, NULL, not a server, as RFC 37 draws it", () => {
  const expected = `ff${"00".repeat(8)}7f0301${Buffer.from("NULL").toString("hex")}${"00".repeat(48)}`;
  expect(Buffer.from(encodeGreeting()).toString("hex")).toBe(expected);
});

test("parseGreeting takes 3.0, 3.1 and later, with any padding", () => {
  expect(parseGreeting(greeting(3, 0))).toEqual({ major: 3, minor: 0 });
  expect(parseGreeting(greeting(3, 1))).toEqual({ major: 3, minor: 1 });
  const later = greeting(4, 7);
  later.fill(0xaa, 1, 9);
  expect(parseGreeting(later)).toEqual({ major: 4, minor: 7 });
});

test("parseGreeting waits for every byte of a good greeting", () => {
  for (let size = 0; size < GREETING_SIZE; size += 1) {
    expect(parseGreeting(greeting(3, 1).subarray(0, size))).toBeUndefined();
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
test.each(refused)("parseGreeting refuses %s", (_name, bytes, message) => {
  expect(() => parseGreeting(bytes)).toThrow(ProtocolError);
  expect(() => parseGreeting(bytes)).toThrow(message);
});

test("parseGreeting answers any bytes with a greeting, nothing yet, or a ProtocolError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      try {
        const parsed = parseGreeting(bytes);
        expect(parsed === undefined || bytes.length >= GREETING_SIZE).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
      }
    }),
  );
});
