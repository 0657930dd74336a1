import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProxiedFetch } from "../../kernel/platform/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { createProxy } from "../http/servers/proxy-server.ts";

const NODE = { name: "node", version: "20", title: "Node.js" } as const;
const servers = [http.createServer((_request, response) => response.end("hi")), createProxy()];
const urls: string[] = [];

beforeAll(async () => {
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

test("createProxiedFetch uses the proxy of the environment on Node, without any options", async () => {
  const [target, HTTP_PROXY = ""] = urls;
  const fetch = createProxiedFetch(NODE, { HTTP_PROXY });
  const { text, headers } = await createClient({ fetch: fetch as typeof globalThis.fetch }).send(
    `GET ${target}/a`,
  );
  expect([text, headers.get("via")]).toEqual(["hi", "1.1 test"]);
});

test("createProxiedFetch returns nothing without a proxy, and on runtimes that use it themselves", () => {
  expect(createProxiedFetch(NODE, { NO_PROXY: "x" })).toBeUndefined();
  expect(createProxiedFetch({ ...NODE, name: "deno" }, { HTTP_PROXY: "http://p" })).toBeUndefined();
});
