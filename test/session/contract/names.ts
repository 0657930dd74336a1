import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "./lab.ts";

/** Answers by name, environments, and the check before sending. */
export const names: Contract = {
  "TypeScript cells know the fields of a named response, and of a newer one": async (lab) => {
    const { base, session, ok, fail } = lab;
    await ok(`# @name first\nGET ${base}/one`);
    assert.equal((await ok("client.responses.first.json.path")).value, "/one");
    assert.match((await fail("client.responses.first.json.nobody")).message, /nobody/);
    const code = "client.responses.first.json.";
    const { candidates } = await session.complete(code, code.length);
    assert.deepEqual(candidates.map(({ text }) => text).sort(), ["headers", "method", "path"]);
    assert.equal(
      (await ok("const typed: string = client.responses.first.json.method")).value,
      undefined,
    );
    await ok(`# @name second\nPOST ${base}/two\n\n{}`);
    assert.equal((await ok("client.responses.second.json.method")).value, "POST");
    assert.equal((await ok("client.send(`GET {{first.request.url}}`)")).outcome.status, "ok");
  },
  "a cell with errors reports all of them, and nothing is sent": async ({
    base,
    session,
    fail,
  }) => {
    const text = `POST ${base}/{{nobody}}\nHost: a\nHost: b\n\n< ./none.json`;
    const { name, message, trace } = await fail(text);
    assert.equal(name, "RequestCheckError");
    for (const part of ['"nobody"', "written twice", "none.json"])
      assert.ok(message.includes(part));
    assert.match(trace, /\{\{nobody\}\}/);
    assert.equal(session.client.history.length, 0);
    const file = await fail(`POST ${base}/\n\n< ./nothing.json`);
    assert.match(file.message, /nothing\.json" does not exist/);
  },
  "%env selects an environment, in its own cell and above others": async (lab) => {
    const { base, directory, session, ok, fail } = lab;
    const environments = { dev: { where: "dev", base }, live: { where: "live", base } };
    writeFileSync(join(directory, "http-client.env.json"), JSON.stringify(environments));
    writeFileSync(join(directory, ".env"), "FROM_FILE=yes");
    assert.match((await fail("GET {{base}}/{{where}}")).message, /no variable "base"/);
    const [shown] = (await ok("%env dev")).displayed as { name: string; names: string[] }[];
    assert.deepEqual([shown?.name, shown?.names], ["dev", ["dev", "live"]]);
    const path = async (code: string): Promise<unknown> =>
      ((await ok(code)).value as { json: { path: string } }).json.path;
    assert.equal(await path("GET {{base}}/{{where}}/{{FROM_FILE}}"), "/dev/yes");
    assert.equal(
      await path("%env live\n\nGET {{base}}/{{where}}/{{$dotenv FROM_FILE}}"),
      "/live/yes",
    );
    assert.equal((await ok('%env dev\nclient.getVar("where")')).value, "dev");
    assert.match((await fail("%env prod")).message, /"prod": the files define dev, live/);
    assert.equal(session.client.environment?.name, "dev");
  },
  "a header name that is probably misspelt is warned of once, before the answer": async (lab) => {
    const { base, session, run } = lab;
    const { outcome, stderr, value } = await run(`GET ${base}/\nAuthorizaton: Bearer abcdefgh1`);
    assert.equal(outcome.status, "ok");
    assert.match(stderr(), /^Warning: The header name "Authorizaton" .*"Authorization"\?\n$/);
    assert.deepEqual((value as { warnings: readonly string[] }).warnings, []);
    const { client } = session;
    const sentBefore = client.history.length;
    const warnings: string[] = [];
    const sink = {
      display: () => undefined,
      stream: (_name: string, text: string): void => {
        warnings.push(text);
        assert.deepEqual([client.history.length, client.pending.length], [sentBefore, 0]);
      },
    };
    const sent = await session.execute(`GET ${base}/\nContent-Typ: text/plain`, sink);
    assert.equal(sent.status, "ok");
    assert.equal(client.history.length, sentBefore + 1);
    assert.match(
      warnings.join(""),
      /^Warning: The header name "Content-Typ" .*"Content-Type"\?\n$/,
    );
  },
  "placeholders find the variables of TypeScript cells, also one that changes": async (lab) => {
    const { base, session, ok, fail } = lab;
    const path = async (code: string): Promise<unknown> =>
      ((await ok(code)).value as { json: { path: string } }).json.path;
    await ok("let y = 3\nconst { a: [first] } = { a: ['x'] }\nfunction run() {}\nclass Point {}");
    assert.equal(await path(`GET ${base}/{{y}}/{{first}}`), "/3/x");
    await ok("y += 1");
    assert.equal(await path(`GET ${base}/{{y}}`), "/4");
    assert.equal(await path(`const z = 5\nclient.send(\`GET ${base}/{{z}}\`)`), "/5");
    assert.match((await fail(`GET ${base}/{{run}}`)).message, /"run" is a function/);
    assert.match((await fail(`GET ${base}/{{Point}}`)).message, /"Point" is a class/);
    const typed = "GET http://localhost/{{fir";
    const { candidates } = await session.complete(typed, typed.length);
    assert.equal(candidates.length, 1);
    await session.reset();
    assert.match((await fail(`GET ${base}/{{y}}`)).message, /no variable "y"/);
  },
  "shared variables are available, also after a first cell of comments": async (lab) => {
    const { base, directory, ok } = lab;
    writeFileSync(join(directory, "http-client.env.json"), JSON.stringify({ $shared: { base } }));
    await ok("# A heading, and nothing else");
    const { json } = (await ok("GET {{base}}/shared")).value as { json: { path: string } };
    assert.equal(json.path, "/shared");
  },
};
