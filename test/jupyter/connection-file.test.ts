import { describe, expect, test } from "vitest";
import {
  ConnectionFileError,
  parseConnectionFile,
  toEndpoint,
} from "../../kernel/jupyter/connection-file.ts";

const FILE = {
  shell_port: 1,
  iopub_port: 2,
  stdin_port: 3,
  control_port: 4,
  hb_port: 5,
  ip: "127.0.0.1",
  key: "secret",
  transport: "tcp",
  signature_scheme: "hmac-sha256",
  kernel_name: "restlab",
};
const parse = (fields: unknown) => parseConnectionFile(JSON.stringify(fields), "k.json");

describe("parseConnectionFile", () => {
  test("parses a file of jupyter_client", () => {
    expect(parse(FILE)).toEqual({
      transport: "tcp",
      ip: "127.0.0.1",
      shell: 1,
      iopub: 2,
      stdin: 3,
      control: 4,
      heartbeat: 5,
      key: "secret",
      hash: "sha256",
    });
  });

  test("applies defaults for optional fields, and accepts a byte order mark", () => {
    const { transport: _, signature_scheme: __, key: ___, ...rest } = FILE;
    const info = parseConnectionFile(`\ufeff${JSON.stringify(rest)}`, "k.json");
    expect(info).toMatchObject({ transport: "tcp", hash: "sha256", key: "" });
  });

  test("reports all problems at once, with the path", () => {
    const { ip: _, shell_port: __, ...rest } = FILE;
    expect(() => parse({ ...rest, iopub_port: 70000, stdin_port: "3", transport: "udp" })).toThrow(
      new ConnectionFileError("k.json", [
        'transport is "udp", not "tcp" or "ipc"',
        "ip is missing",
        "shell_port is missing",
        "iopub_port is 70000, not a port from 1 to 65535",
        'stdin_port is "3", not a port from 1 to 65535',
      ]),
    );
  });

  test.each([
    ["text that is no JSON", "{", /"k.json" failed: it is not JSON/],
    ["a list", "[]", /its JSON is not an object/],
    ["an unknown hash", JSON.stringify({ ...FILE, signature_scheme: "hmac-rot13" }), /rot13/],
    ["a scheme without HMAC", JSON.stringify({ ...FILE, signature_scheme: "sha256" }), /"sha256"/],
    ["a port twice", JSON.stringify({ ...FILE, hb_port: 1 }), /two channels have the same port/],
    ["an encrypted transport", JSON.stringify({ ...FILE, curve_secretkey: "x" }), /encrypted/],
  ])("refuses %s", (_name, text, message) => {
    expect(() => parseConnectionFile(text, "k.json")).toThrow(message);
  });
  test.each([
    '{"key": "5ecret-key", }',
    '{"key": 5ecret-key}',
    '"5ecret-key',
    '{"key":["5ecret-key"]}',
  ])("does not quote the key in its error for %j", (text) => {
    const failure = (): unknown => parseConnectionFile(text, "k.json");
    expect(failure).toThrow(ConnectionFileError);
    expect(failure).not.toThrow(/5ecret|-key/);
  });
});

test.each([
  ["tcp", "127.0.0.1", "tcp://127.0.0.1:5"],
  ["tcp", "*", "tcp://*:5"],
  ["tcp", "::1", "tcp://[::1]:5"],
  ["tcp", "[::1]", "tcp://[::1]:5"],
  ["ipc", "/run/user/1/kernel", "ipc:///run/user/1/kernel-5"],
])("toEndpoint renders %s on %s as %s", (transport, ip, endpoint) => {
  expect(toEndpoint(parse({ ...FILE, transport, ip }), 5)).toBe(endpoint);
});
