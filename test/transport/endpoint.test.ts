import { expect, test } from "vitest";
import {
  EndpointError,
  parseEndpoint,
  renderEndpoint,
} from "../../kernel/jupyter/zmtp/endpoint.ts";

test.each([
  ["tcp://127.0.0.1:5555", { kind: "tcp", host: "127.0.0.1", port: 5555 }],
  ["tcp://*:0", { kind: "tcp", host: "*", port: 0 }],
  ["tcp://0.0.0.0:*", { kind: "tcp", host: "0.0.0.0", port: 0 }],
  ["tcp://[::1]:80", { kind: "tcp", host: "::1", port: 80 }],
  ["tcp://:::80", { kind: "tcp", host: "::", port: 80 }],
  ["tcp://localhost:1", { kind: "tcp", host: "localhost", port: 1 }],
  ["ipc:///tmp/kernel-1", { kind: "ipc", path: "/tmp/kernel-1" }],
  ["ipc://kernel-ipc-1", { kind: "ipc", path: "kernel-ipc-1" }],
])("parseEndpoint parses %s", (text, expected) => {
  expect(parseEndpoint(text)).toEqual(expected);
});

test("renderEndpoint is the inverse of parseEndpoint, with IPv6 in brackets", () => {
  expect(renderEndpoint({ kind: "tcp", host: "::1", port: 80 })).toBe("tcp://[::1]:80");
  expect(renderEndpoint(parseEndpoint("tcp://127.0.0.1:5555"))).toBe("tcp://127.0.0.1:5555");
  expect(renderEndpoint(parseEndpoint("ipc:///tmp/a b"))).toBe("ipc:///tmp/a b");
});

test.each([
  ["", /neither tcp:\/\/host:port nor ipc:\/\/path/],
  ["http://localhost:80", /neither/],
  ["tcp://127.0.0.1", /not host:port/],
  ["tcp://127.0.0.1:65536", /not host:port/],
  ["tcp://:80", /not host:port/],
  ["ipc://", /neither/],
  ["ipc://a\0b", /NUL character/],
  [
    `ipc:///${"x".repeat(200)}`,
    /the path has 201 bytes, more than the 10[37] that the system allows; shorten it/,
  ],
])("parseEndpoint refuses %j", (text, message) => {
  expect(() => parseEndpoint(text)).toThrow(EndpointError);
  expect(() => parseEndpoint(text)).toThrow(message);
});
