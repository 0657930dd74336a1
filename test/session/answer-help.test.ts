import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, startDemo } from "../../kernel/demo/mod.ts";
import { completeAnswer } from "../../kernel/session/completion/answer-help.ts";
import { createClient } from "../../lib/mod.ts";

const client = createClient();
let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ port: 0 });
});
afterAll(() => demo.close());

function at(code: string): readonly string[] | undefined {
  return completeAnswer(client, code, code.length)?.candidates.map(({ text }) => text);
}

describe("completeAnswer", () => {
  test("before there is an answer, nothing is known", () => {
    expect(at("client.last.json.")).toBeUndefined();
  });

  test("names what the answer has", async () => {
    await client.send(`GET ${demo.url}/users/1`);
    for (const [code, names] of [
      ["client.last.json.na", ["name"]],
      ["const { length } = client.last?.json.ad", ["address"]],
      ["client.last.json.address.", ["city", "geo"]],
      ["client.last.json.address?.geo.l", ["lat", "lng"]],
      ["client.last.json.tags.", undefined],
      ["client.last.json.name.", undefined],
      ["client.last.json.nobody.", undefined],
      ["client.last.json.constructor.", undefined],
      ["client.last.", undefined],
      ["other.last.json.", undefined],
    ] as const) {
      expect([code, at(code)]).toEqual([code, names]);
    }
    const code = "client.last.json.na";
    expect(completeAnswer(client, code, code.length)).toMatchObject({ start: 17, end: 19 });
  });

  test("goes into lists by their index; other answers have no names", async () => {
    await client.send(`GET ${demo.url}/users`);
    expect(at("client.last.json[1].em")).toEqual(["email"]);
    expect(at("client.last.json[99].em")).toBeUndefined();
    await client.send(`GET ${demo.url}/image.png`);
    expect(at("client.last.json.")).toBeUndefined();
  });
});
