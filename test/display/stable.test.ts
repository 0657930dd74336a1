import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemo } from "../../kernel/demo/mod.ts";
import { openWebSocket } from "../../kernel/platform/mod.ts";
import { type Client, createClient, renderBundle } from "../../lib/mod.ts";

let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  demo = await startDemo({ port: 0 });
});
afterAll(() => demo.close());

const VALUES: Readonly<Record<string, (lab: Client, base: string) => Promise<unknown>>> = {
  "the results of many requests": (lab, base) =>
    lab.all([1, 2, 999].map((id) => `GET ${base}/users/${id}`)),
  "the history": async (lab, base) => {
    await lab.send(`GET ${base}/users/1`);
    return lab.history;
  },
  "the messages of a WebSocket": async (lab, base) => {
    const socket = await lab.websocket(`${base}/socket`);
    socket.send("hello");
    await socket.next();
    await socket.close();
    return socket;
  },
  "the record of a WebSocket request": (lab, base) =>
    lab.send(`# @name chat\nWEBSOCKET ${base}/socket\n\n{"id": 12345678901234567890}\n===\nbye`),
  "the timing of a request": (lab, base) => lab.send(`GET ${base}/users/1`),
  "the boundary of a curl form": (lab, base) => lab.send(`curl -F a=1 ${base}/users/1`),
  "the boundary of a form as data": (lab, base) =>
    lab.send({ url: `${base}/users/1`, multipart: { a: "1" } }),
  "the headers of a request": async (lab, base) =>
    lab.show(await lab.send(`GET ${base}/users/1`), "headers"),
};

describe("the stable form", () => {
  test.each(Object.entries(VALUES))("of %s is the same again", async (_name, send) => {
    const show = async (stable: boolean): Promise<string> => {
      const client = createClient({ openWebSocket });
      return JSON.stringify(renderBundle(await send(client, demo.url), { stable }));
    };
    const first = await show(true);
    expect(await show(true)).toBe(first);
    expect(first).not.toMatch(/\d ms|at ms|"ms|>ms|\bms\b|GMT/);
    expect(await show(false)).toMatch(/\d ms|at ms|\bms\b|"at|GMT/);
  });

  test("of the record of a WebSocket request keeps the digits of numbers", async () => {
    const client = createClient({ openWebSocket });
    const exchange = await VALUES["the record of a WebSocket request"]?.(client, demo.url);
    const text = renderBundle(exchange, { stable: true })["text/plain"];
    expect(text).toContain("12345678901234567890");
    expect(text).not.toMatch(/\bat\b/);
    expect(text).toContain("{{chat.response.body");
  });
});
