import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../lib/mod.ts";
import { type Recorder, startRecorder } from "../dialects/recorder.ts";

let server: Recorder;
beforeAll(async () => {
  server = await startRecorder({});
});
afterAll(() => server.close());

interface Lab {
  readonly client: Client;
  readonly files: Map<string, string>;
  /** Sends a text and returns the targets that the server received for it. */
  send(text: string): Promise<readonly string[]>;
}

function createLab(given: Readonly<Record<string, string>>): Lab {
  const files = new Map(Object.entries(given));
  const client = createClient({
    readFile: async (path) => {
      const text = files.get(path);
      if (text !== undefined) return new TextEncoder().encode(text);
      throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    },
  });
  client.setVar("base", `http://${server.host}`);
  const send = async (text: string): Promise<readonly string[]> => {
    const before = server.received.length;
    await client.sendAll(text);
    return server.received.slice(before).map(({ target, body }) => target + body);
  };
  return { client, files, send };
}

const IMPORT = "# @import api.http\n";

describe("variable lines of an imported file", () => {
  test("go before the environment, and behind lines of texts and setVar", async () => {
    const env = '{"dev": {"one": "env", "two": "env", "three": "env", "four": "env"}}';
    const lab = createLab({
      "http-client.env.json": env,
      "api.http": "@one = file\n@two = file\n@three = file",
    });
    await lab.client.useEnv("dev");
    lab.client.setVar("two", "set");
    await lab.send("@three = line");
    const text = `${IMPORT}GET {{base}}/{{one}}/{{two}}/{{three}}/{{four}}`;
    expect(await lab.send(text)).toEqual(["/file/set/line/env"]);
    expect(lab.client.origin("one")).toEqual({ kind: "line", file: "api.http", secret: false });
  });

  test("are those of the file as it is now", async () => {
    const lab = createLab({ "api.http": "@one = 1" });
    const text = `${IMPORT}GET {{base}}/{{one}}`;
    expect(await lab.send(text)).toEqual(["/1"]);
    lab.files.set("api.http", "@one = 2");
    expect(await lab.send(text)).toEqual(["/2"]);
  });

  test("are learned as secrets where their names say so", async () => {
    const lab = createLab({ "api.http": "@apiKey = a-key-in-a-file-77" });
    await lab.client.prepare(IMPORT);
    expect(lab.client.secrets.mask("a-key-in-a-file-77")).not.toContain("key-in-a-file");
  });
});

describe("a request of an imported file", () => {
  test("is sent with the lines above it and the files beside it", async () => {
    const lab = createLab({
      "parts/api.http":
        "@id = 1\n# @name one\nPUT {{base}}/{{id}}\n\n< body.txt\n\n###\n@id = 2\n# @name two\nPUT {{base}}/{{id}}\n\n<@ ./body.txt",
      "parts/body.txt": ":{{base}}",
    });
    const sent = await lab.send("# @import parts/api.http\n# @ref one\n# @ref two\nGET {{base}}/3");
    expect(sent).toEqual(["/1:{{base}}", `/2:http://${server.host}`, "/3"]);
  });

  test("does not take the place of one of the text", async () => {
    const lab = createLab({ "api.http": "# @name one\nGET {{base}}/file" });
    const own = `# @name one\n# @disabled\nGET {{base}}/own\n\n###\n${IMPORT}# @ref one\nGET {{base}}/x`;
    expect(await lab.send(own)).toEqual(["/own", "/x"]);
  });

  test("that fails names its file, and the reference sends no more", async () => {
    const lab = createLab({ "api.http": "\n# @name one\nGET {{base}}/{{nobody}}" });
    const sending = lab.send(`${IMPORT}# @ref one\nGET {{base}}/x`);
    await expect(sending).rejects.toThrow(/^api\.http:3:14: Cannot resolve "\{\{nobody\}\}"/);
  });
});

test("a preview needs the files that prepare reads", async () => {
  const lab = createLab({ "api.http": "@one = 1" });
  const text = `${IMPORT}GET {{base}}/{{one}}`;
  expect(() => lab.client.render(text)).toThrow(
    'Cannot import "api.http": it has not been read; call client.prepare first (line 1, column 1)',
  );
  await lab.client.prepare(text);
  expect(lab.client.render(text).url).toBe(`http://${server.host}/1`);
  const blind = createClient();
  await blind.prepare(text);
  expect(blind.check(text).map(({ code, message }) => `${code} ${message}`)).toContain(
    'file Cannot import "api.http": this client has no access to files; give createClient a readFile function',
  );
});

test("a preview shows every pass of a loop and the values of a run", () => {
  const { client } = createLab({});
  const text = `### one
# @loop for x of list.items
GET http://a/{{x}}/{{$index}}

###
# @name two
GET http://b/{{id}}

###
run #two (@id = {{list.items[1]}})`;
  client.setVar("list", { items: ["p", "q"] });
  client.setVar("id", 5);
  const urls = client.renderAll(text).map(({ url }) => url);
  expect(urls).toEqual(["http://a/p/0", "http://a/q/1", "http://b/5", "http://b/q"]);
  expect(client.getVar("id")).toBe(5);
});
