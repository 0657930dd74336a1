import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  AssertionError,
  type Client,
  createClient,
  type Exchange,
  type RunScript,
  ScriptError,
  UnresolvedPlaceholderError,
} from "../../lib/mod.ts";
import { explore } from "../support/explore.ts";

let server: Server;
let base: string;
let received: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(request.url ?? "");
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ path: request.url, key: request.headers["x-key"] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

function lab(files: Readonly<Record<string, string>> = {}): Client {
  received = [];
  const client = createClient({
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      return new TextEncoder().encode(text);
    },
  });
  client.setVar("base", base);
  return client;
}

async function failureOf(sent: Promise<unknown>): Promise<AssertionError> {
  const error = await sent.then(
    () => expect.unreachable("nothing failed"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AssertionError);
  return error as AssertionError;
}

const verdicts = ({ assertions }: Exchange) => assertions.map(({ text, passed }) => [text, passed]);

describe("the assertions of a request", () => {
  test("are evaluated after the response, and stand on the exchange", async () => {
    const exchange = await lab().send("GET {{base}}/a\n\n?? status == 200\n?? body path == /a");
    expect(exchange.assertions).toEqual([
      {
        text: "status == 200",
        passed: true,
        expected: "200",
        actual: "200",
        location: { line: 3, column: 1 },
      },
      {
        text: "body path == /a",
        passed: true,
        expected: "/a",
        actual: "/a",
        location: { line: 4, column: 1 },
      },
    ]);
  });

  test("reject when one fails, with all others evaluated and the exchange within reach", async () => {
    const client = lab();
    const text = "GET {{base}}/a\n\n?? status == 404\n?? body path == /a\n?? body path == /b";
    const { exchange, results, faults, message } = await failureOf(client.send(text));
    expect(client.last).toBe(exchange);
    expect(verdicts(exchange)).toEqual([
      ["status == 404", false],
      ["body path == /a", true],
      ["body path == /b", false],
    ]);
    expect(results.map(({ actual }) => actual)).toEqual(["200", "/a"]);
    expect(faults).toMatchObject([
      { line: 3, column: 1 },
      { line: 5, column: 1 },
    ]);
    expect(message).toContain("status == 404 failed: expected 404, found 200 (line 3, column 1)");
  });

  test("are there when the exchange is reported, and end the requests after it", async () => {
    const client = lab();
    const seen: Exchange[] = [];
    const text = "GET {{base}}/a\n?? status == 404\n\n###\nGET {{base}}/b";
    await failureOf(client.sendAll(text, { onExchange: (exchange) => seen.push(exchange) }));
    expect(seen.map(verdicts)).toEqual([[["status == 404", false]]]);
    expect(received).toEqual(["/a"]);
  });

  test("may name the response itself, and what is not known is an error", async () => {
    const own = "# @name one\nGET {{base}}/a\n?? body path == {{one.response.body.path}}";
    expect(verdicts(await lab().send(own))).toEqual([
      ["body path == {{one.response.body.path}}", true],
    ]);
    const { results } = await failureOf(lab().send("GET {{base}}/a\n?? body path == {{nobody}}"));
    expect(results[0]?.message).toContain('Cannot resolve "{{nobody}}"');
  });

  test("are evaluated for each pass of a loop, and for requests of references", async () => {
    const client = lab();
    const loop = "# @loop for 2\nGET {{base}}/{{$index}}\n?? body path == /{{$index}}";
    const exchanges = await client.sendAll(loop);
    expect(exchanges.map(verdicts)).toEqual([
      [["body path == /{{$index}}", true]],
      [["body path == /{{$index}}", true]],
    ]);
    const refers =
      "# @ref login\nGET {{base}}/b\n\n###\n# @name login\n# @disabled\nGET {{base}}/a\n?? status == 1";
    await failureOf(client.sendAll(refers));
  });

  test("of an imported file name the file", async () => {
    const client = lab({ "a/b.http": "# @name one\nGET {{base}}/a\n?? status == 404" });
    const { results } = await failureOf(client.send("import a/b.http\nrun #one"));
    expect(results[0]?.location).toEqual({ file: "a/b.http", line: 3, column: 1 });
    const named = await failureOf(client.send("GET {{base}}\n?? status == 1", { file: "x.http" }));
    expect(named.results[0]?.location).toEqual({ file: "x.http", line: 2, column: 1 });
  });

  test("show no secret, in no form", async () => {
    const client = lab();
    client.setVar("apiKey", "hush-hush-42", { secret: true });
    const text =
      "GET {{base}}/a\nX-Key: {{apiKey}}\n\n?? body key == other\n?? body key == {{apiKey}}";
    const { exchange } = await failureOf(client.send(text));
    expect(verdicts(exchange)).toEqual([
      ["body key == other", false],
      ["body key == {{apiKey}}", true],
    ]);
    const shown = JSON.stringify([
      exchange,
      Object.values(exchange[Symbol.for("Jupyter.display") as never] as never),
    ]);
    expect(shown).not.toContain("hush-hush-42");
    expect(JSON.stringify(exchange)).toContain('"actual":"{{apiKey}}"');
    expect(exchange.toString()).not.toContain("hush-hush-42");
    expect(exchange.toString()).toContain("1 of 2 assertions failed");
  });
});

describe("the scripts of a request", () => {
  const runs: string[] = [];
  const runScript: RunScript = async ({ kind, code, location, exchange, request }) => {
    runs.push(`${kind} ${code.trim()} at ${location.file ?? ""}:${location.line}`);
    if (kind === "before") request?.setVar("x", "set");
    if (code.includes("fail")) {
      return { results: [], thrown: { message: "The script has failed" } };
    }
    if (kind === "expression") return { results: [], value: explore(exchange?.json).path };
    const result = { text: code.trim(), passed: !code.includes("bad"), location };
    return { results: kind === "after" ? [result] : [] };
  };
  const send = (text: string, files = {}): Promise<Exchange> => {
    runs.length = 0;
    return lab(files).send(text, { runScript });
  };

  test("run before the request and after the response, in the order of the text", async () => {
    const text =
      "< {% first %}\nGET {{base}}/{{x}}\n\n> {% one %}\n?? js response.path == /set\n> ./a/b.js\n";
    const exchange = await send(text, { "./a/b.js": "two" });
    expect(runs).toEqual([
      "before first at :1",
      "after one at :4",
      "expression response.path at :5",
      "after two at a/b.js:1",
    ]);
    expect(verdicts(exchange)).toEqual([
      ["one", true],
      ["js response.path == /set", true],
      ["two", true],
    ]);
    expect(received).toEqual(["/set"]);
  });

  test("fail the request by a test, by an error, and by a file that is missing", async () => {
    const text = "GET {{base}}/a\n\n> {% bad %}\n> {% fail %}\n> ./no.js\n?? status == 200";
    const { exchange, results } = await failureOf(send(text));
    expect(results).toMatchObject([
      { text: "bad" },
      { text: "The response handler", message: "The script has failed" },
      { message: 'Cannot read the script "./no.js": there is no such file' },
    ]);
    expect(exchange.assertions).toHaveLength(4);
  });

  test("before a request send nothing when they fail", async () => {
    const error = await send("< {% fail %}\nGET {{base}}/a").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ScriptError);
    expect((error as ScriptError).faults).toMatchObject([
      { line: 1, message: "The script has failed" },
    ]);
    expect(received).toEqual([]);
  });

  test("set variables for their own request only", async () => {
    const text = "< {% first %}\nGET {{base}}/{{x}}\n\n###\nGET {{base}}/{{x}}";
    const error = await send(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnresolvedPlaceholderError);
    expect(received).toEqual([]);
  });
});

describe("a text that is a value runs no script", () => {
  const text = "# @name one\nGET {{base}}/a\n\n> {% one %}\n?? js 1 == 1\n?? status == 200";

  test("when it is sent: a note says so, and an expression fails", async () => {
    const { exchange } = await failureOf(lab().send(text));
    expect(exchange.notes).toEqual([
      expect.stringMatching(
        /^Not run: "> \{% one %\}"\. Scripts are run only in a cell, a file or a prompt entry/,
      ),
    ]);
    expect(verdicts(exchange)).toEqual([
      ["js 1 == 1", false],
      ["status == 200", true],
    ]);
  });

  test("when a text that a person runs refers to it", async () => {
    const client = lab();
    await client.send(text).catch(() => undefined);
    const ran: string[] = [];
    const runScript: RunScript = async ({ code }) => {
      ran.push(code);
      return { results: [], value: 1 };
    };
    client.define("# @name two\nGET {{base}}/b\n\n> {% two %}");
    const refers = "# @forceRef one\n# @forceRef two\nGET {{base}}/c\n\n> {% own %}";
    await failureOf(client.send(refers, { runScript }));
    await client.send("# @forceRef two\nGET {{base}}/c\n\n> {% own %}", { runScript });
    expect(ran).toEqual([" own "]);
  });
});
