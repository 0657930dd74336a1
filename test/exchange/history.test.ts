import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";
import { startServers, type TestServers } from "../support/http-server.ts";

describe("history", () => {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers.close());

  test("is empty at first, and reading last throws", () => {
    const client = createClient();
    expect(client.history).toEqual([]);
    expect(() => client.last).toThrow(
      "Cannot read the last exchange: no request has been answered",
    );
  });

  test("keeps the latest exchanges, up to its count", async () => {
    const client = createClient({ historyCount: 3 });
    for (const status of [200, 201, 202, 203, 206]) {
      await client.send(`GET ${servers.base}/status/${status}`);
    }
    expect(client.history.map(({ status }) => status)).toEqual([202, 203, 206]);
    expect(client.last.status).toBe(206);
  });

  test("keeps sent and received bodies, up to its bytes", async () => {
    const client = createClient({ historyBytes: 100 });
    const get = (bytes: number) =>
      client.send(`GET ${servers.base}/body?hex=${"61".repeat(bytes)}`);
    for (let index = 0; index < 5; index++) await get(40);
    expect(client.history.length).toBe(2);
    await client.send(`POST ${servers.base}/status/200\n\n${"x".repeat(90)}`);
    expect(client.history.map(({ request }) => request.method)).toEqual(["POST"]);
    await get(200);
    expect(client.history.map(({ bytes }) => bytes.byteLength)).toEqual([200]);
    await get(1);
    expect(client.history.map(({ bytes }) => bytes.byteLength)).toEqual([1]);
  });

  test("with a count of 0 keeps nothing but the last", async () => {
    const client = createClient({ historyCount: 0 });
    await client.send(`GET ${servers.base}/status/200`);
    expect(client.history).toEqual([]);
    expect(client.last.status).toBe(200);
  });

  test("is a copy: changing it changes nothing, and clearHistory forgets all", async () => {
    const client = createClient();
    await client.send(`GET ${servers.base}/status/200`);
    (client.history as unknown[]).length = 0;
    expect(client.history.length).toBe(1);
    client.clearHistory();
    expect(client.history).toEqual([]);
    expect(() => client.last).toThrow();
  });

  test("is separate for each client", async () => {
    const [one, other] = [createClient(), createClient()];
    await one.send(`GET ${servers.base}/status/200`);
    expect(other.history).toEqual([]);
  });
});
