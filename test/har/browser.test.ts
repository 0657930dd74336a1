import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { platform } from "../../kernel/platform/library.ts";
import { createClient, createReplay, readHar } from "../../lib/mod.ts";
import { hasTools, TOOLS } from "../support/require.ts";
import { harFaults } from "./har-schema.ts";

const BYTES = Buffer.from([137, 80, 78, 71, 0, 255]);

/** What the page asks for, as it is run in the page. */
async function askAll(): Promise<readonly unknown[]> {
  const json = { "Content-Type": "application/json" };
  const asked = await Promise.all([
    fetch("/users?page=1"),
    fetch("/users", { method: "POST", headers: json, body: '{"name":"Ada Ü"}' }),
    fetch("/to"),
    fetch("/bytes"),
    fetch("/users/9"),
  ]);
  return await Promise.all(
    asked.map(async (response) => {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return [response.status, [...bytes]];
    }),
  );
}

const REQUESTS = [
  "GET {{base}}/",
  "GET {{base}}/users?page=1",
  'POST {{base}}/users\nContent-Type: application/json\n\n{"name":"Ada Ü"}',
  "GET {{base}}/to",
  "GET {{base}}/bytes",
  "GET {{base}}/users/9",
].join("\n\n###\n");

describe.skipIf(!hasTools("browser"))("HAR files and a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "restlab-har-browser-"));
  let browser: Browser;
  let base = "";
  let count = 0;
  const server = http.createServer((request, response) => {
    count += 1;
    const { url = "" } = request;
    if (url === "/") return response.setHeader("Content-Type", "text/html").end("<title>x</title>");
    if (url === "/to") return response.writeHead(302, { Location: "/users?page=1" }).end();
    if (url === "/bytes") return response.setHeader("Content-Type", "image/png").end(BYTES);
    if (url === "/users/9") return response.writeHead(404).end("none ä");
    response.setHeader("Content-Type", "application/json");
    return response.end(JSON.stringify({ method: request.method, url, name: "ü" }));
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"];
    browser = await chromium.launch({ executablePath: TOOLS.browser, args });
  });
  afterAll(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a page gets the same answers from a recording of restlab as from the server", async () => {
    const path = join(folder, "lab.har");
    const client = createClient(platform);
    client.setVar("base", base);
    const recorder = await client.record(path);
    await client.sendAll(REQUESTS);
    recorder.stop();
    expect(harFaults(JSON.parse(readFileSync(path, "utf8")))).toEqual([]);

    const ask = async (isReplayed: boolean): Promise<unknown> => {
      const context = await browser.newContext();
      if (isReplayed) await context.routeFromHAR(path, { notFound: "abort" });
      const page = await context.newPage();
      await page.goto(`${base}/`);
      const answers = await page.evaluate(askAll);
      await context.close();
      return answers;
    };
    const live = await ask(false);
    count = 0;
    expect(await ask(true)).toEqual(live);
    expect(count).toBe(0);
  });

  test("a client gets the same answers from what a browser has saved as from the server", async () => {
    const path = join(folder, "browser.har");
    const context = await browser.newContext({ recordHar: { path, content: "embed" } });
    const page = await context.newPage();
    await page.goto(`${base}/`);
    await page.evaluate(askAll);
    await context.close();

    const ask = async (options: object): Promise<unknown> => {
      const client = createClient({ ...platform, ...options });
      client.setVar("base", base);
      const exchanges = await client.sendAll(REQUESTS);
      return exchanges.map(({ status, bytes, redirects, url }) => [
        status,
        [...bytes],
        redirects.length,
        url,
      ]);
    };
    const live = await ask({});
    count = 0;
    expect(await ask(createReplay(readHar(readFileSync(path), path)))).toEqual(live);
    expect(count).toBe(0);
  });

  test("the developer tools of Chromium import a recording", async () => {
    const path = join(folder, "import.har");
    const client = createClient(platform);
    const recorder = await client.record(path);
    client.setVar("base", base);
    await client.sendAll(REQUESTS);
    recorder.stop();
    const page = await browser.newPage();
    await page.goto("devtools://devtools/bundled/devtools_app.html");
    const imported = await page.evaluate(`(${importHar})(${readFileSync(path, "utf8")})`);
    const json = (method: string, url: string) => JSON.stringify({ method, url, name: "ü" });
    expect(imported).toEqual([
      ["GET", "/", 200, "fetch", "<title>x</title>"],
      ["GET", "/users?page=1", 200, "fetch", json("GET", "/users?page=1")],
      ["POST", "/users", 200, "fetch", json("POST", "/users")],
      ["GET", "/to", 302, "fetch", ""],
      ["GET", "/users?page=1", 200, "fetch", json("GET", "/users?page=1")],
      ["GET", "/bytes", 200, "fetch", BYTES.toString("base64")],
      ["GET", "/users/9", 404, "fetch", "none ä"],
    ]);
  });
});

/** Imports a HAR document as the network panel does, in the page of the developer tools. */
const importHar = `async (document) => {
  const { HARFormat, Importer } = await import("devtools://devtools/bundled/models/har/har.js");
  const requests = Importer.Importer.requestsFromHARLog(new HARFormat.HARRoot(document).log);
  return await Promise.all(requests.map(async (request) => {
    const { pathname, search } = new URL(request.url());
    const content = await request.requestContentData();
    const text = content.isTextContent ? content.text : content.base64;
    const type = request.resourceType().name();
    return [request.requestMethod, pathname + search, request.statusCode, type, text];
  }));
}`;
