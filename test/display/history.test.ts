import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, isExchange, jupyterDisplay, renderBundle } from "../../lib/mod.ts";
import { startServers, type TestServers } from "../support/http-server.ts";

let servers: TestServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.close());

describe("the history of a client", () => {
  it("is a table of method, URL, status, time and size, newest first", async () => {
    const client = createClient();
    await client.send(`GET ${servers.base}/echo`);
    await client.send(`POST ${servers.base}/status/404`);
    const bundle = renderBundle(client.history);
    const [head, , newest, oldest, count] = inspect(client.history).split("\n");
    expect(head?.trim().split(/ {2,}/)).toEqual(["method", "URL", "status", "time", "size"]);
    expect(newest).toMatch(/^POST +http:\S+\/status\/404 +404 Not Found +[\d.]+ ms +\d+ bytes$/);
    expect(oldest).toMatch(/^GET +http:\S+\/echo +200 OK +[\d.]+ ms +\d/);
    expect(count).toBe("2 rows");
    expect(bundle["text/html"]).toMatch(/<th scope="col"[^>]*>time<[\s\S]*>[\d.]+ ms</);
  });

  it("has its times in the HTML alone, and nowhere in its stable form", async () => {
    const client = createClient();
    await client.send(`GET ${servers.base}/echo`);
    const { "text/html": _, ...others } = renderBundle(client.history);
    const bundle = renderBundle(client.history, { stable: true });
    expect(others).toEqual({ ...bundle, "text/html": undefined });
    expect(bundle["text/plain"].split("\n")[0]?.trim().split(/ {2,}/)).toEqual([
      "method",
      "URL",
      "status",
      "size",
    ]);
    expect(bundle["text/markdown"]).toContain("| method | URL | status | size |");
    expect(JSON.stringify(bundle)).not.toMatch(/[\d.]+ ms/);
  });

  it("stays a list of exchanges, oldest first", async () => {
    const client = createClient();
    const first = await client.send(`GET ${servers.base}/echo`);
    expect(client.history).toEqual([first]);
    expect(client.history.every(isExchange)).toBe(true);
    expect(Object.keys(client.history)).toEqual(["0"]);
    expect(JSON.parse(JSON.stringify(client.history))).toHaveLength(1);
    // What is chosen from it is shown in full.
    const chosen = client.history.filter(({ ok }) => ok);
    expect(renderBundle(chosen)["text/plain"]).toContain("Response headers");
  });

  it("says so if it is empty", () => {
    expect(String(createClient().history)).toBe("No request has been answered yet");
  });

  it("is shown without secrets, unless they are revealed", async () => {
    const client = createClient();
    client.setVar("key", "Hist-s3cret", { secret: true });
    await client.send(`GET ${servers.base}/echo?key={{key}}`);
    const { history } = client;
    const forms = Object.values(renderBundle(history));
    const own = Reflect.get(history, jupyterDisplay) as () => object;
    for (const form of [...forms, ...Object.values(own()), String(history), inspect(history)]) {
      expect(form).not.toContain("Hist-s3cret");
    }
    expect(renderBundle(client.reveal(history))["text/plain"]).toContain("Hist-s3cret");
  });

  it("shows the newest of many, and how many there are", async () => {
    const client = createClient({
      fetch: async () => new Response("x"),
      historyCount: 200,
    });
    for (let n = 0; n < 60; n++) await client.send(`GET http://h.test/${n}`);
    const text = String(client.history);
    expect(text).toContain("http://h.test/59");
    expect(text).not.toContain("http://h.test/9 ");
    expect(text).toContain("50 of 60 rows shown");
  });
});
