import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readHar } from "../../lib/mod.ts";
import { harFaults } from "../har/har-schema.ts";
import { makeFolder } from "../support/folders.ts";
import { RUNS_ALL } from "../support/runtime.ts";
import { type KernelClient, only, typeOf } from "./kernel-client.ts";
import type { KernelProcess } from "./kernel-process.ts";

const PIECES = 8;
const PIECE = "x".repeat(50_000);

/** Request cells of the kernel of the surrounding contract, as a front end sees them. */
export function describeRequests(kernelOf: () => KernelProcess): void {
  describe("request cells", () => {
    let server: Server;
    let base: string;
    let client: KernelClient;
    beforeAll(async () => {
      client = kernelOf().client;
      server = createServer(async (request, response) => {
        if (request.url === "/slow") {
          response.setHeader("Content-Type", "text/plain");
          response.setHeader("Content-Length", PIECES * PIECE.length);
          for (let piece = 0; piece < PIECES; piece++) {
            response.write(PIECE);
            await wait(150);
          }
          response.end();
          return;
        }
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ id: 7, name: "Ada", path: request.url }));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
      await client.execute(`client.setVar("base", ${JSON.stringify(base)})`);
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    const dataOf = (message: { content: Readonly<Record<string, unknown>> } | undefined) =>
      (message?.content["data"] ?? {}) as Readonly<Record<string, string>>;

    test("are recorded between client.record and stop", async () => {
      const path = join(makeFolder("kernel-har"), "cell.har");
      await client.execute(`const recorder = await client.record(${JSON.stringify(path)});`);
      await client.execute("# @name first\nGET {{base}}/one\nAuthorization: Bearer hush-hush-4711");
      await client.execute("await client.send('GET {{base}}/two')");
      const stopped = await client.execute("recorder.stop(); recorder.count");
      expect(dataOf(only("execute_result", stopped)[0])["text/plain"]).toBe("2");
      await client.execute("GET {{base}}/three");
      const text = readFileSync(path, "utf8");
      expect(harFaults(JSON.parse(text))).toEqual([]);
      const { entries } = readHar(text, path);
      expect(entries.map(({ url }) => new URL(url).pathname)).toEqual(["/one", "/two"]);
      expect(entries[0]?.response.content.text).toContain("Ada");
      expect(text).not.toContain("hush-hush");
    });

    test("show the progress of a long transfer, in the place of its response", async () => {
      const exchange = await client.execute("GET {{base}}/slow");
      const [first] = only("display_data", exchange);
      const updates = only("update_display_data", exchange);
      expect(dataOf(first)["text/plain"]).toMatch(/of 40\d/);
      expect(updates.length).toBeGreaterThan(1);
      for (const update of updates) {
        expect(update.content["transient"]).toEqual(first?.content["transient"]);
      }
      expect(dataOf(updates.at(-1))["text/plain"]).toContain("200 OK · Successful");
      expect(exchange.published.map(typeOf)).not.toContain("execute_result");
      const last = await client.execute("client.last.bytes.byteLength");
      expect(dataOf(only("execute_result", last)[0])["text/plain"]).toBe("400000");
    });

    // No runtime decides what follows.
    if (!RUNS_ALL) return;

    test("show the response as a table and as text", async () => {
      const exchange = await client.execute("GET {{base}}/one");
      const data = dataOf(only("execute_result", exchange)[0]);
      expect(data["text/html"]).toContain("Successful");
      expect(data["text/html"]).toContain("Ada");
      expect(data["text/plain"]).toContain("200 OK · Successful");
    });

    test("show each response, and the last one as the result", async () => {
      const exchange = await client.execute("GET {{base}}/one\n\n###\nGET {{base}}/two");
      expect(dataOf(only("display_data", exchange)[0])["text/plain"]).toContain("/one");
      expect(dataOf(only("execute_result", exchange)[0])["text/plain"]).toContain("/two");
    });

    test("with an assertion that fails show the response, then end with an error that reports it once", async () => {
      const text = "GET {{base}}/one\n?? status == 404\n?? body name == Ada";
      const exchange = await client.execute(text);
      const data = dataOf(only("display_data", exchange)[0]);
      expect(data["text/plain"]).toContain("1 of 2 assertions failed");
      expect(data["text/html"]).not.toContain("status == 404");
      const { content } = only("error", exchange)[0] ?? {};
      expect(content).toMatchObject({
        ename: "AssertionError",
        evalue: expect.stringContaining("status == 404 failed: expected 404, found 200"),
      });
      expect(exchange.reply.content).toMatchObject({ status: "error", ename: "AssertionError" });
      const passed = await client.execute("GET {{base}}/one\n?? status == 200");
      expect(passed.reply.content).toMatchObject({ status: "ok" });
      const shown = dataOf(only("execute_result", passed)[0])["text/plain"];
      expect(shown).toContain("1 assertion passed");
    });

    test("are tested by TypeScript cells, whose failures are an error", async () => {
      await client.execute("GET {{base}}/one");
      const code = 'test("a", () => expect(client.last).toHaveStatus(404));\ntest("b", () => {});';
      const exchange = await client.execute(code);
      const data = dataOf(only("display_data", exchange)[0]);
      expect(data["text/plain"]).toContain("1 of 2 tests failed");
      expect(data["text/html"]).not.toContain("status 404");
      const { content } = only("error", exchange)[0] ?? {};
      expect(content).toMatchObject({ ename: "AssertionError" });
      expect(exchange.reply.content).toMatchObject({ status: "error", ename: "AssertionError" });
      const passed = await client.execute("expect(client.last).toBeSuccessful();");
      expect(passed.reply.content).toMatchObject({ status: "ok" });
    });

    test("are inspected as the request that would be sent, without secrets", async () => {
      await client.execute('client.setVar("token", "a-very-secret-token", { secret: true })');
      const code = "POST {{base}}/users\nAuthorization: Bearer {{token}}\n\n{}";
      const { reply } = await client.request("shell", "inspect_request", {
        code,
        cursor_pos: code.indexOf("/users") + 2,
        detail_level: 0,
      });
      const text = dataOf(reply)["text/plain"] ?? "";
      expect(text).toContain(`POST ${base}/users`);
      expect(text).toContain("Content-Type: application/json");
      expect(text).not.toContain("a-very-secret-token");
    });

    test("are inspected without markup of the server in the Markdown", async () => {
      await client.execute('client.setVar("shown", "<img src=x onerror=pwned()>")');
      const { reply } = await client.request("shell", "inspect_request", {
        code: "GET {{base}}/?a={{shown}}",
        cursor_pos: 20,
        detail_level: 0,
      });
      const markdown = dataOf(reply)["text/markdown"] ?? "";
      expect(markdown).toContain("<img");
      expect(markdown.replace(/^```\w*\n(?:.*\n)*?```$/gm, "")).not.toContain("<img");
    });

    test("complete variables and the responses to named requests", async () => {
      await client.execute("# @name person\nGET {{base}}/person");
      const complete = async (code: string): Promise<unknown> =>
        (
          await client.request("shell", "complete_request", {
            code,
            cursor_pos: [...code].length,
          })
        ).reply.content["matches"];
      expect(await complete("GET {{ba")).toEqual(["base}}"]);
      expect(await complete("GET {{per")).toEqual(["person"]);
      expect(await complete("GET {{person.response.body.na")).toEqual(["name}}"]);
      expect(await complete("GET {{base}}/\nConten")).toEqual(["Content-Type: "]);
      expect(await complete("DEL")).toEqual(["DELETE "]);
    });

    test.each([
      ["client.last.", ["status", "json", "headers", "timing"]],
      ["client.last.sta", ["status", "statusText", "statusClass"]],
      ["client.last.headers.ge", ["get"]],
      ["client.responses.", ["person"]],
      ["client.responses.person.", ["status", "json", "request"]],
      ["client.responses.person.json.", ["name"]],
      ["const at = 1; client.responses.person.json.na", ["name"]],
    ])("members of the responses complete in TypeScript: %s", async (code, members) => {
      await client.execute("# @name person\nGET {{base}}/person");
      // Before and after a cell that imports: the program is made anew for it.
      for (const cell of ["1", "import { sep } from 'node:path'; sep"]) {
        await client.execute(cell);
        const { reply } = await client.request("shell", "complete_request", {
          code,
          cursor_pos: code.length,
        });
        expect(reply.content).toMatchObject({
          status: "ok",
          matches: expect.arrayContaining(members),
        });
      }
      expect((await client.execute("client.last.status")).reply.content["status"]).toBe("ok");
    });
  });
}
