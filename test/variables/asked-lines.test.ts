import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, type ClientOptions, createClient } from "../../lib/mod.ts";
import { startServers, type TestServers } from "../support/http-server.ts";

let servers: TestServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.close());

function open(answers?: Readonly<Record<string, string>>): { lab: Client; asked: string[] } {
  const asked: string[] = [];
  const options: ClientOptions = {
    ...(answers && {
      ask: async ({ name, description }) => {
        asked.push(description);
        return answers[name];
      },
    }),
  };
  const lab = createClient(options);
  lab.setVar("server", servers.base);
  return { lab, asked };
}

const TEXT = `@who = {{$input Your name $value: Ada}}
GET {{server}}/echo?{{who}}&{{who}}`;

describe("a question in a variable line", () => {
  test("is asked once, when the line is reached", async () => {
    const { lab, asked } = open({ Your_name: "Grace" });
    expect(lab.check(TEXT)).toEqual([]);
    const { request } = await lab.send(TEXT);
    expect(request.url).toBe(`${servers.base}/echo?Grace&Grace`);
    expect(asked).toEqual(["Your name"]);
    expect(lab.getVar("who")).toBe("Grace");
  });

  test("has its default where nobody can be asked", async () => {
    const { lab } = open();
    expect((await lab.send(TEXT)).request.url).toBe(`${servers.base}/echo?Ada&Ada`);
  });

  test("is an error before anything is sent where it has none", async () => {
    const { lab } = open();
    const text = "GET {{server}}/echo\n\n###\n@who = {{$input Your name}}\n";
    expect(lab.needs(text)).toEqual(["Your_name"]);
    await expect(lab.send(text)).rejects.toThrow('it asks for "Your_name"');
    expect(lab.history).toHaveLength(0);
  });

  test("is asked for the request that another one refers to", async () => {
    const { lab, asked } = open({ id: "7" });
    lab.define("@id = {{$input id}}\n# @name first\nGET {{server}}/echo?{{id}}");
    await lab.send("# @ref first\nGET {{server}}/echo?{{first.request.url}}");
    expect(asked).toEqual(["id"]);
    expect(lab.history[0]?.request.url).toBe(`${servers.base}/echo?7`);
  });
});

test.each([
  ["{{$input The code}}", "The_code"],
  ["{{$password 2nd pass-word?}}", "_2nd_pass-word"],
  ["{{$prompt ¿Dónde, cuándo?}}", "Dónde_cuándo"],
  ["{{$input _x}}", "_x"],
  ["{{$input ???}}", "input"],
  ["{{$input}}", "input"],
  ["{{$pick Which? $value: 1, 2}}", "Which"],
])("%s is answered by the variable %s", async (placeholder, name) => {
  const { lab } = open();
  const text = `GET {{server}}/echo?${placeholder}`;
  expect(lab.needs(text)).toEqual([name]);
  lab.setVar(name, 2);
  expect((await lab.send(text)).request.url).toBe(`${servers.base}/echo?2`);
});

describe("{{$pick …}}", () => {
  const text = 'GET {{server}}/echo?{{$pick Which app? $value: foo, "bar"}}';

  test("asks with its choices", async () => {
    const { lab, asked } = open({ Which_app: "bar" });
    expect((await lab.send(text)).request.url).toBe(`${servers.base}/echo?bar`);
    expect(asked).toEqual(["Which app? (foo, bar)"]);
  });

  test("takes no other answer", async () => {
    const { lab } = open({ Which_app: "baz" });
    await expect(lab.send(text)).rejects.toThrow('"baz" is not one of "foo", "bar"');
    expect(lab.history).toHaveLength(0);
  });

  test("is answered by a variable, by one of its choices", async () => {
    const { lab } = open();
    lab.setVar("Which_app", "bar");
    expect((await lab.send(text)).request.url).toBe(`${servers.base}/echo?bar`);
    lab.setVar("Which_app", "baz");
    await expect(lab.send(text)).rejects.toThrow('"baz" is not one of "foo", "bar"');
    expect(lab.history).toHaveLength(1);
  });

  test("has no default", async () => {
    const { lab } = open();
    await expect(lab.send(text)).rejects.toThrow('it asks for "Which_app"');
    expect(lab.check(text)).toEqual([]);
  });
});
