import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../kernel/session/cell/mod.ts";
import { createSession } from "../../kernel/session/mod.ts";
import type { ExecuteOptions } from "../../kernel/session/session.ts";
import { createClient, type Faulty } from "../../lib/mod.ts";

const FILE: ExecuteOptions = { isRequestFile: true, file: "suite.http" };
const SINK = { stream: () => undefined, display: () => undefined };

const server = createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  // The compiler occupies the thread of both for seconds, after which a kept connection is stale.
  response.setHeader("connection", "close");
  response.end('{"id": 7}');
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const client = createClient();
client.setVar("base", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
client.setVar("lines", "a\nb");
const session = await createSession({ client, platform: { directory: process.cwd() } });
afterAll(async () => {
  await session.close();
  server.close();
});

/** Texts with a fault in their second line. */
const FAULTY: Readonly<Record<string, string>> = {
  "a broken placeholder": "GET {{base}}/\nX-A: {{a..b}}\n",
  "a header without a name": "GET {{base}}/\n: x\n",
  "an unknown variable": "GET {{base}}/\nX-A: {{nobody}}\n",
  "a line break in a header": "GET {{base}}/\nX-A: {{lines}}\n",
  "an unknown scheme": "###\nGET http:{{base}}/\n",
  "an unknown reference": "###\n# @ref nobody\nGET {{base}}/\n",
  "a variable line": "###\n@a b = 1\nGET {{base}}/\n",
  "an assertion that failed": "GET {{base}}/\n?? status == 404\n",
  "an unknown assertion": "GET {{base}}/\n?? stats == 200\n",
  "a handler that throws": 'GET {{base}}/\n> {% throw new Error("late"); %}\n',
  "a loop over no list": "GET {{base}}/\n# @loop for a of base\n",
};

function causeOf(outcome: Outcome): Faulty {
  return (outcome.status === "error" ? outcome.error.cause : undefined) as Faulty;
}

describe("a request that begins in line 4000 of its file", () => {
  test.each(Object.entries(FAULTY))("names the line of %s", async (_name, text) => {
    const outcome = await session.execute(text, SINK, { ...FILE, firstLine: 4000 });
    const { source, faults } = causeOf(outcome);
    expect(faults.map(({ line }) => line)).toEqual([4001]);
    // What is above it is not read again for each cell.
    expect(source).toBe(text);
  });

  test("names the lines of its assertions and scripts", async () => {
    const text = "GET {{base}}/\n?? body id == 7\n\n> {% client.test('one', () => {}); %}";
    const outcome = await session.execute(text, SINK, { ...FILE, firstLine: 4000 });
    const places = outcome.assertions?.map(({ location }) => [location.file, location.line]);
    expect(places).toEqual([
      ["suite.http", 4001],
      ["suite.http", 4003],
    ]);
  });

  test("names the line of a variable without a value, which another cell uses", async () => {
    const line = "@late = {{login.response.body.id}}";
    await session.execute(line, SINK, { ...FILE, firstLine: 4000 });
    const outcome = await session.execute("GET {{base}}/{{late}}", SINK, FILE);
    expect(causeOf(outcome).faults[0]?.message).toContain("line 4000");
  });

  test("names the line of a request that another cell refers to", async () => {
    const text = "# @name broken\nGET {{base}}/{{nobody}}";
    session.client.define(text, { firstLine: 4000 });
    const outcome = await session.execute("# @ref broken\nGET {{base}}/", SINK, FILE);
    expect(causeOf(outcome).faults.map(({ line }) => line)).toEqual([4001]);
  });
});

/** TypeScript with a fault in its second line. */
const FAULTY_CODE: Readonly<Record<string, string>> = {
  syntax: "1\nconst = 2",
  "a name": "1\nnobody",
  depth: `1\n${"[".repeat(600)}`,
  "an error": "1\nthrow new Error('late')",
  "an assertion": "1\nexpect(1).toBe(2)",
  "a test": "1\ntest('one', () => expect(1).toBe(2))",
};

describe("a TypeScript cell that begins in line 4000 of its text", () => {
  test.each(Object.entries(FAULTY_CODE))("names the line of %s", async (_name, code) => {
    for (const firstLine of [4000, 20_000]) {
      const outcome = await session.execute(code, SINK, { firstLine });
      if (outcome.status !== "error") expect.unreachable();
      const { traceback, cause } = outcome.error;
      expect(traceback.join("\n")).toMatch(new RegExp(`(?:^|\\D)${firstLine + 1}(?: │|:)`, "m"));
      const { source = code } = cause as Partial<Faulty>;
      expect(source).toBe(code);
      for (const { location } of outcome.assertions ?? []) {
        expect(location.line).toBe(firstLine + 1);
      }
    }
  });

  test("names the line of a type that does not fit, and of a handler that cannot be parsed", async () => {
    let printed = "";
    const sink = { ...SINK, stream: (_name: string, text: string) => (printed += text) };
    await session.execute("1\nconst wrong: string = 2", sink, { firstLine: 4000 });
    expect(printed).toContain("4001 │");
    const text = "GET {{base}}/\n> {% const = 2; %}\n";
    const outcome = await session.execute(text, SINK, { ...FILE, firstLine: 4000 });
    const messages = causeOf(outcome).faults.map(({ message }) => message);
    expect(messages.join()).toContain("4001:");
  });
});
