import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemo } from "../../kernel/demo/mod.ts";
import type { Demo } from "../../kernel/demo/serve.ts";
import { completeEntry } from "../../kernel/repl/complete.ts";
import { createSession, type Session } from "../../kernel/session/mod.ts";

const directory = mkdtempSync(join(tmpdir(), "restlab-complete-"));
let demo: Demo;
let session: Session;

beforeAll(async () => {
  for (const name of ["one.http", "other.ipynb", "other.json", ".hidden.http", "a blank.http"]) {
    writeFileSync(join(directory, name), "");
  }
  mkdirSync(join(directory, "old"));
  writeFileSync(join(directory, "old", "first.rest"), "");
  demo = await startDemo({ port: 0 });
  session = await createSession({
    platform: { directory, readFile: async () => new Uint8Array() },
  });
  session.client.setVar("base", demo.url);
  session.client.setVar("word", "a-long-secret", { secret: true });
  await session.client.sendAll(
    "GET {{base}}/status/404\n\n###\nGET {{base}}/echo?key={{word}}\n\n###\nGET {{base}}/users/1",
  );
});
afterAll(async () => {
  await session.close();
  await demo.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Completions at the end of a text: the texts, and what they take the place of. */
async function at(text: string): Promise<{ texts: string[]; replaced: string; all: string }> {
  const { start, end, candidates } = await completeEntry(text, text.length, { session, directory });
  return {
    texts: candidates.map((candidate) => candidate.text),
    replaced: text.slice(start, end),
    all: JSON.stringify(candidates),
  };
}

describe("completeEntry", () => {
  test.each([
    [".se", [".set ", ".send ", ".secrets "], ".se"],
    [".ex", [".exit"], ".ex"],
    ["DEL", ["DELETE "], "DEL"],
    [".help se", ["set", "send", "secrets"], "se"],
    [".last ", ["full", "json", "headers", "body", "table", "tree", "timing"], ""],
    [".view t", ["table", "tree", "timing"], "t"],
    [".last full ", [], ""],
    [".show ", ["3", "2", "1"], ""],
    [".show 2 he", ["headers"], "he"],
    [".show 2 headers ", [], ""],
    [".send ", ["3", "2", "1"], ""],
    [".vars w", ["word"], "w"],
    [".VARS w", ["word"], "w"],
    [".set --secret wo", ["word"], "wo"],
    [".set word ba", [], "ba"],
    [".delete base w", ["word"], "w"],
    [".load o", ["old/", "one.http", "other.ipynb"], "o"],
    [".load old/", ["old/first.rest"], "old/"],
    [".load .", [".hidden.http"], "."],
    [".load nowhere/x", [], "nowhere/x"],
    [".save other", ["other.ipynb", "other.json"], "other"],
    [".write --force on", ["one.http"], "on"],
    [".header Acc", ["Accept: ", "Accept-Language: "], "Acc"],
    [".headers accept: application/j", ["application/json"], "application/j"],
    [".preview DEL", ["DELETE "], "DEL"],
    [".preview GET {{wo", ["word}}"], "wo"],
    ["GET {{base}}/us", ["{{base}}/users/1"], "{{base}}/us"],
    [".timeout ", [], ""],
    [".VARS w", ["word"], "w"],
    ["@ba", ["base = "], "ba"],
    ["?? ", ["status ", "header ", "body ", "duration ", "count ", "jsonpath ", "js "], ""],
    ["?? st", ["status "], "st"],
    ["GET /x\n\n?? du", ["duration "], "du"],
    ["curl -o", ["-o "], "-o"],
    ["curl x --max", ["--max-redirs ", "--max-time "], "--max"],
    ["GET {{base}}/echo?", ["{{base}}/echo?key="], "{{base}}/echo?"],
    ["GET /echo?a=1&k", ["/echo?a=1&key="], "/echo?a=1&k"],
    ["GET /users?", [], "/users?"],
    ["http {{base}}/us", ["{{base}}/users/1"], "{{base}}/us"],
    ["https POST {{b", ["base}}"], "b"],
    ["expect(client.last).toHaveS", ["toHaveStatus"], "toHaveS"],
    ["client.last.json.address.c", ["city"], "c"],
    [".nope x", [], "x"],
  ])("%j", async (text, texts, replaced) => {
    expect(await at(text)).toMatchObject({ texts, replaced });
  });

  test("after expect(client.last). the matchers of responses come first", async () => {
    const first = ["toHaveStatus", "toBeSuccessful", "toHaveHeader", "toHaveJson"];
    expect((await at("expect(client.last).")).texts.slice(0, 4)).toEqual(first);
    expect((await at("expect(client.last).not.")).texts.slice(0, 4)).toEqual(first);
  });

  test("no candidate shows a secret", async () => {
    for (const text of [".show ", ".send ", "GET ", ".vars "]) {
      expect((await at(text)).all).not.toContain("a-long-secret");
    }
  });

  test("after a method the candidates are URLs, not names of TypeScript", async () => {
    const { texts } = await at("GET ");
    expect(texts).toContain("{{base}}");
    expect(texts).toContain(`${demo.url}/status/404`);
    expect(texts).not.toContain("globalThis");
    session.client.clearHistory();
    session.client.deleteVar("base");
    expect((await at("PUT ")).texts).toEqual([]);
  });
});
