import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemo } from "../../kernel/demo/mod.ts";
import type { Demo } from "../../kernel/demo/serve.ts";
import { completeAnswer, completeVariable } from "../../kernel/session/value-help.ts";
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
      ["client.last.json.tags.len", ["length"]],
      ["client.last.json.name.at", ["at"]],
      ["client.last.json.id.toFix", ["toFixed"]],
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

describe("completeVariable", () => {
  let calls = 0;
  class User {
    name = "Ada";
    get age(): number {
      return ++calls;
    }
    greet(): string {
      return this.name;
    }
  }
  const countCall = (): undefined => {
    calls += 1;
    return undefined;
  };
  const proxy = new Proxy({ a: 1 }, { getOwnPropertyDescriptor: countCall });
  const values: Record<string, unknown> = {
    one: { name: "Ada", "not-a-name": 1, address: { city: "London" }, proxy },
    user: new User(),
    list: [{ id: 1 }],
    bytes: new Uint8Array(2_000_000),
    pages: new Map(),
    proxy,
    nothing: null,
    _: { last: 1 },
  };
  const at = (code: string): readonly string[] | undefined =>
    completeVariable({ client, values }, code, code.length)?.candidates.map(({ text }) => text);

  test.each<[code: string, names: readonly string[] | undefined]>([
    ["one.", ["name", "address", "proxy"]],
    ["f(one?.address.", ["city"]],
    ["one.name.toUpp", ["toUpperCase"]],
    ["user.", ["name", "age", "greet"]],
    ["user.age.", undefined],
    ["list[0].", ["id"]],
    ["list.ma", ["map"]],
    ["list[0]?.id.toF", ["toFixed"]],
    ["bytes.subar", ["subarray"]],
    ["pages.ha", ["has"]],
    ["_.", ["last"]],
    ["proxy.", undefined],
    ["one.proxy.a.", undefined],
    ["nothing.", undefined],
    ["nobody.", undefined],
    ["toString.", undefined],
    ["other.one.", undefined],
    ["one", undefined],
  ])("%j", (code, names) => {
    expect(at(code)).toEqual(names);
    expect(calls).toBe(0);
  });

  test("an answer in a variable has the members of its JSON", async () => {
    values["answer"] = await client.send(`GET ${demo.url}/users/1`);
    expect(at("answer.json.na")).toEqual(["name"]);
    expect(at("answer.json.address.")).toEqual(["city", "geo"]);
    values["json"] = { json: { mine: 1 } };
    expect(at("json.json.")).toEqual(["mine"]);
  });
});
