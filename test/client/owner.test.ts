import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOwners } from "../../kernel/session/cell/mod.ts";
import { type Client, createClient } from "../../lib/mod.ts";
import { type CountingServer, startCountingServer } from "../support/endless-cells.ts";

const REASON = new RangeError("the program was ended");

const running = new AsyncLocalStorage<AbortSignal>();
const client = createClient({
  owner: () => running.getStore(),
  openFileForWriting: () => Promise.reject(new Error("nothing is written")),
});
let server: CountingServer;
beforeAll(async () => {
  server = await startCountingServer();
});
afterAll(() => server.close());

const auth = {
  type: "oauth2",
  grant: "client_credentials",
  clientId: "a",
  clientSecret: "b",
  tokenEndpoint: "http://127.0.0.1:1/",
} as const;

const SENDING: Readonly<Record<string, (lab: Client, url: string) => Promise<unknown>>> = {
  send: (lab, url) => lab.send(`GET ${url}`),
  "send of data": (lab, url) => lab.send({ url }),
  "send with a login": (lab, url) => lab.send({ url, auth }),
  sendAll: (lab, url) => lab.sendAll(`GET ${url}\n\n###\nGET ${url}`),
  "send by an extended client": (lab, url) => lab.extend({ timeout: 5 }).send(`GET ${url}`),
  all: (lab, url) => lab.all([`GET ${url}`, `GET ${url}`]),
  paginate: (lab, url) => lab.paginate(`GET ${url}?page=1`).all(),
  "a stream": (lab, url) => lab.stream(`GET ${url}?stream`).exchange,
  download: (lab, url) =>
    lab
      .extend({})
      .download(`GET ${url}`, "nowhere")
      .catch((error) => {
        // A client that writes no files says so first.
        throw error.message.includes("cannot write files") ? REASON : error;
      }),
  websocket: (lab, url) => lab.websocket(url),
};

describe("a client whose calling code was ended", () => {
  test.each(Object.keys(SENDING))("rejects %s at once, and sends nothing", async (name) => {
    const path = `/${name.replaceAll(" ", "-")}`;
    const ended = createOwners().create();
    ended.end(REASON);
    const sent = running.run(ended.signal, () => SENDING[name]?.(client, server.base + path));
    await expect(sent).rejects.toBe(REASON);
    expect(server.count(path)).toBe(0);
    expect(client.pending).toEqual([]);
  });

  test("aborts the requests of that code, and no others", async () => {
    const mine = createOwners().create();
    const stream = running.run(mine.signal, () => client.stream(`GET ${server.base}/mine?stream`));
    const other = client.stream(`GET ${server.base}/other?stream`);
    const items = other[Symbol.asyncIterator]();
    await Promise.all([stream.head, other.head]);
    mine.end(REASON);
    await stream.exchange.catch(() => undefined);
    expect(client.pending.map(({ url }) => url)).toEqual([`${server.base}/other?stream`]);
    expect((await items.next()).done).toBe(false);
    other.stop();
    await other.exchange;
  });
});
