import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

/** Headers of the response, as they are on the wire. */
const HEADERS: readonly string[] = [
  ...["Set-Cookie", "a=1; Path=/", "Set-Cookie", "b=2; Path=/"],
  ...["X-Multi", "a", "x-multi", "b, c", "X-Multi", ""],
  ...["X-One", "1", "X-Date", "Fri, 27 Nov 2026"],
];

/** What scripts of JetBrains read. */
const READ: readonly (readonly [code: string, value: unknown])[] = [
  ["response.headers.valuesOf('Set-Cookie')", ["a=1; Path=/", "b=2; Path=/"]],
  ["response.headers.valueOf('set-cookie')", "a=1; Path=/"],
  ["response.headers.valuesOf('x-multi')", ["a", "b, c", ""]],
  ["response.headers.valueOf('X-MULTI')", "a"],
  ["response.headers.valuesOf('X-One')", ["1"]],
  ["response.headers.valueOf('x-one')", "1"],
  ["response.headers.valuesOf('X-Date')", ["Fri, 27 Nov 2026"]],
  ["response.headers.valueOf('X-Date')", "Fri, 27 Nov 2026"],
  ["response.headers.valuesOf('X-None')", []],
  ["response.headers.valueOf('X-None')", null],
];

/** What scripts of httpYac change of the headers `X-Multi: 1`, `X-Multi: 2` and `X-One: 1`, and what is received. */
const CHANGED: readonly (readonly [
  code: string,
  multi: readonly string[],
  one: readonly string[],
])[] = [
  ["", ["1", "2"], ["1"]],
  ["request.headers['X-One'] = '2'", ["1", "2"], ["2"]],
  ["request.headers['X-One'] = ['2', '3']", ["1", "2"], ["2", "3"]],
  ["request.headers['X-Multi'].push('3')", ["1", "2", "3"], ["1"]],
  ["request.headers['X-Multi'] = 'x'", ["x"], ["1"]],
  ["request.headers['X-Multi'] = ['1', '2']", ["1", "2"], ["1"]],
  ["request.headers['X-Multi'] = []", [], ["1"]],
  ["delete request.headers['X-Multi']", [], ["1"]],
  ["delete request.headers['X-One']", ["1", "2"], []],
];

describe("headers that occur more than once", () => {
  let folder = "";
  let server: Server;
  let received: string[] = [];
  let base = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "restlab-headers-"));
    server = createServer((request, response) => {
      received = request.rawHeaders;
      response.writeHead(200, [...HEADERS]).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `base=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  async function run(text: string): Promise<string> {
    writeFileSync(join(folder, "a.http"), text);
    const { stdout, stderr } = await restlab(RUNTIME, ["run", "a.http", "--var", base], {
      cwd: folder,
    });
    return stdout + stderr;
  }

  test("JetBrains' scripts read all of them", async () => {
    const lines = READ.map(([code]) => `client.log("READ " + JSON.stringify(${code}));`);
    const output = await run(`GET {{base}}/\n\n> {%\n${lines.join("\n")}\n%}`);
    const found = [...output.matchAll(/^READ (.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
    expect(found, output).toEqual(READ.map(([, value]) => value));
  });

  const valuesOf = (name: string): readonly string[] =>
    received.filter((_, at) => received[at - 1]?.toLowerCase() === name && at % 2 === 1);

  test.each(CHANGED)("httpYac's scripts change them: %s", async (code, multi, one) => {
    const output = await run(`{{\n${code}\n}}\nGET {{base}}/\nX-Multi: 1\nX-Multi: 2\nX-One: 1`);
    expect([valuesOf("x-multi"), valuesOf("x-one")], output).toEqual([multi, one]);
  });

  test("a list with a line break is refused", async () => {
    received = [];
    const code = String.raw`request.headers['X-One'] = ['1', 'a\nX-Other: b']`;
    const output = await run(`{{\n${code}\n}}\nGET {{base}}/\nX-One: 1`);
    expect(output).toContain('The value of the header "X-One" contains a line break or NUL');
    expect(received).toEqual([]);
  });
});
