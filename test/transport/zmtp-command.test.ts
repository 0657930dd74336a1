import fc from "fast-check";
import { expect, test } from "vitest";
import {
  encodeCommand,
  encodeError,
  encodeReady,
  ProtocolError,
  parseCommand,
  parseProperties,
} from "../../kernel/jupyter/zmtp/frames.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("encodeReady encodes the example of RFC 23", () => {
  expect(hex(encodeReady("ROUTER"))).toBe(
    `041c05${hex(Buffer.from("READY"))}0b${hex(Buffer.from("Socket-Type"))}00000006${hex(Buffer.from("ROUTER"))}`,
  );
});

test("parseCommand and parseProperties parse what encodeReady encodes, with names in lower case", () => {
  const { name, data } = parseCommand(encodeReady("DEALER").subarray(2));
  expect(name).toBe("READY");
  expect(
    [...parseProperties(data)].map(([key, value]) => [key, String(Buffer.from(value))]),
  ).toEqual([["socket-type", "DEALER"]]);
});

test("encodeCommand uses the long form beyond 255 bytes", () => {
  expect(hex(encodeCommand("PONG").subarray(0, 3))).toBe("040504");
  expect(hex(encodeCommand("PONG", new Uint8Array(300)).subarray(0, 10))).toBe(
    "06000000000000013104",
  );
});

test("encodeError encodes its reason with its length", () => {
  expect(hex(encodeError("no"))).toBe(
    `040905${hex(Buffer.from("ERROR"))}02${hex(Buffer.from("no"))}`,
  );
});

test.each([
  ["an empty command", []],
  ["a name without characters", [0, 1]],
  ["a name longer than the frame", [5, 0x41]],
  ["a name that is not printable", [1, 7]],
])("parseCommand refuses %s", (_name, bytes) => {
  expect(() => parseCommand(Uint8Array.from(bytes))).toThrow(ProtocolError);
});

test.each([
  ["a name longer than the data", [9, 0x41]],
  ["a name without characters", [0, 0, 0, 0, 0]],
  ["a value without its size", [1, 0x41, 0, 0]],
  ["a value of 4 GB", [1, 0x41, 0xff, 0xff, 0xff, 0xff, 1]],
])("parseProperties refuses %s", (_name, bytes) => {
  expect(() => parseProperties(Uint8Array.from(bytes))).toThrow(ProtocolError);
});

test("any bytes give a command and properties or a ProtocolError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      for (const parse of [parseCommand, parseProperties]) {
        try {
          parse(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }
    }),
    { numRuns: 1000 },
  );
});
