import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemo } from "../../kernel/demo/mod.ts";
import type { Demo } from "../../kernel/demo/serve.ts";
import { GENERATED } from "../../kernel/session/cell/mod.ts";
import { completeRequest, inspectRequest } from "../../kernel/session/complete-request.ts";
import { isCompleteRequest } from "../../kernel/session/mod.ts";
import { type Client, createClient } from "../../lib/mod.ts";

const client = createClient();
client.setVar("base", "http://localhost");
client.setVar("user", { id: 7, nick: "Ada", tags: [{ colour: "red" }], address: { city: "Ulm" } });
client.setVar("token", "s3cr3t-t0ken", { secret: true });

/** Completions where `|` stands. */
function at(marked: string): { texts: string[]; replaced: string; details: string[] } {
  const position = marked.indexOf("|");
  const code = marked.replace("|", "");
  const { start, end, candidates } = completeRequest(client, code, position);
  return {
    texts: candidates.map(({ text }) => text),
    replaced: code.slice(start, end),
    details: candidates.map(({ detail }) => detail ?? ""),
  };
}

describe("completeRequest", () => {
  test.each([
    ["P|", ["POST ", "PUT ", "PATCH "], "P"],
    ["# head\n\nde|", ["DELETE "], "de"],
    ["GET /a\n\n###\nHE|", ["HEAD "], "HE"],
    ["Q|", ["QUERY "], "Q"],
    ["GET |", ["{{base}}"], ""],
    ["GET {{base}}/x\nConte|", ["Content-Type: "], "Conte"],
    ["GET {{base}}/x\naccept: application/j|", ["application/json"], "application/j"],
    ["GET {{ba|", ["base}}"], "ba"],
    ["GET {{ba|}}", ["base"], "ba"],
    ["GET {{$guid|", ["$guid}}"], "$guid"],
    ["GET {{$dotenv|", ["$dotenv"], "$dotenv"],
    ["# @max|", ["max-redirects "], "max"],
    ["# @name a\n// @dis|\nGET /x", ["disabled"], "dis"],
    ["POST /x\n\na\n# @na|", [], ""],
    ["GET {{base}}/{{ user.|", ["id}}", "nick}}", "tags", "address"], ""],
    ["GET {{base}}/{{user.n|}}", ["nick"], "n"],
    ["GET {{user.address.c|", ["city}}"], "c"],
    ["GET {{user.tags[0].c|", ["colour}}"], "c"],
    ['POST /x\n\n{ "a": {{us|', ["user"], "us"],
    ["POST /x\n\nAcc|", [], ""],
    ["GET /x HTTP/1|", [], ""],
    ["GET {{user.nope.|", [], ""],
    ["GET {{nobody.|", [], ""],
    ["# GE|", [], ""],
  ])("at %j", (marked, texts, replaced) => {
    const found = at(marked);
    expect(found.texts).toEqual(texts);
    expect(found.replaced).toBe(replaced);
  });

  test("shows values in short, and no secrets", () => {
    expect(at("GET {{user.|").details).toContain("7");
    expect(at("GET {{tok|").details).toEqual(["•••"]);
  });
});

describe("inspectRequest", () => {
  test("shows the value of a placeholder wherever in it the cursor is", () => {
    const code = "GET {{user.address}}";
    expect(inspectRequest(client, code, 13)).toEqual({
      signature: "{{user.address}}",
      documentation: "{ city: 'Ulm' }",
      language: "text",
    });
    expect(inspectRequest(client, "GET {{token}}", 9)?.documentation).toBe("•••");
    expect(inspectRequest(client, "GET {{$uuid}}", 9)?.documentation).toBe("a random UUID");
  });

  test("says what methods and headers mean", () => {
    expect(inspectRequest(client, "PATCH /x", 2)?.documentation).toMatch(/changes a part/);
    expect(inspectRequest(client, "GET /x\nif-match: 1", 4 + 5)?.signature).toBe("If-Match");
  });

  const cell =
    "GET {{base}}/users/{{user.id}}\nAuthorization: Bearer {{token}}\n\n###\n" +
    'POST {{base}}/users?at={{nobody}}\n\n{ "nick": "{{user.nick}}" }\n\n###\nDELETE {{base}}/x';

  test.each([
    ["/users/", "GET http://localhost/users/7\nAuthorization: Bearer {{token}}"],
    [
      "nick",
      'POST http://localhost/users?at={{nobody}}\nContent-Type: application/json\n\n{ "nick": "Ada" }',
    ],
    ["/x", "DELETE http://localhost/x"],
  ])("at %j shows the request as it would be sent, masked", (word, text) => {
    const found = inspectRequest(client, cell, cell.indexOf(word) + 1);
    expect(found).toEqual({ signature: text, documentation: "", language: "http" });
  });

  test("says why a request cannot be sent", () => {
    const found = inspectRequest(client, "GET http://h/{{user.}}", 8);
    expect(found).toMatchObject({ language: "text" });
    expect(found?.signature).toContain("{{user.}}");
  });
});

describe("named requests and environments", () => {
  let demo: Demo;
  let answered: Client;
  beforeAll(async () => {
    demo = await startDemo({ port: 0 });
    const file = JSON.stringify({ dev: { host: "a" }, live: { host: "b" } });
    answered = createClient({
      readFile: async (path) => {
        if (path === "http-client.env.json") return new TextEncoder().encode(file);
        throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      },
    });
    await answered.useEnv("dev");
    await answered.send(`# @name ada\nGET ${demo.url}/users/1`);
  });
  afterAll(async () => await demo.close());

  const textsAt = (code: string): readonly string[] =>
    completeRequest(answered, code, code.length).candidates.map(({ text }) => text);

  test.each([
    ["GET {{a", ["ada"]],
    ["GET {{h", ["host"]],
    ["GET {{ada.re", ["request", "response"]],
    ["GET {{ada.na", ["name"]],
    ["GET {{ada.response.st", ["status", "statusText"]],
    ["GET {{ada.response.body.ro", ["role"]],
    ["GET {{ada.request.m", ["method"]],
    ["GET {{$uu", ["$uuid", "$uuidv7"]],
    ["GET {{%$uu", ["$uuid", "$uuidv7"]],
    ["GET {{ %ada.na", ["name"]],
  ])("completes %j", (code, texts) => {
    // The names alone: whether a placeholder is closed depends on the value.
    const names = textsAt(code).map((text) => text.replace("}}", ""));
    expect(names.sort()).toEqual(texts);
  });

  test("shows what the answer holds", () => {
    const code = "GET {{ada.response.body.name}}";
    expect(inspectRequest(answered, code, code.indexOf("name"))?.documentation).toBe(
      "'Ada Lovelace'",
    );
    const [ada] = completeRequest(answered, "GET {{ada", 9).candidates;
    expect(ada).toEqual({ text: "ada", kind: "response", detail: "200 OK" });
  });

  test("lists generated values that there are", () => {
    for (const name of Object.keys(GENERATED)) {
      const { warnings, url } = answered.render(`GET http://h/{{${name} x}}`, { missing: "keep" });
      expect(warnings.join()).not.toContain("no generated value");
      expect(url).toBeDefined();
      const faults = answered.check(`GET http://h/{{${name} x}}`);
      expect(faults.map(({ message }) => message).join()).not.toContain("no generated value");
    }
  });
});

describe("isCompleteRequest", () => {
  test.each([
    ["GET /users", "complete"],
    ["# head\nDELETE /users/1", "complete"],
    ["GET /users\n?limit=2", "complete"],
    ["GET /users\nAccept: */*", "incomplete"],
    ["GET /users\nAccept: */*\n", "complete"],
    ["$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession", "incomplete"],
    ['Invoke-WebRequest -Uri "http://a.test" `', "incomplete"],
    ['Invoke-WebRequest -Uri "http://a.test" -Headers @{\n"a"="1"', "incomplete"],
    ['Invoke-WebRequest -Uri "http://a.test" -Body "a', "incomplete"],
    ['Invoke-WebRequest -Uri "http://a.test" -Headers @{"a"="}"}', "complete"],
    ['%%http\nfetch("http://a.test/)", {', "incomplete"],
    ['%%http\nfetch("http://a.test")', "complete"],
    ["printf 'a' | curl http://a.test \\", "incomplete"],
    ["POST /users", "incomplete"],
    ["POST /users\nX: 1\n", "incomplete"],
    ["POST /users\n", "incomplete"],
    ["POST /users\n\n", "complete"],
    ["POST /users\n\n{", "incomplete"],
    ['POST /users\n\n{ "a": "}" ', "incomplete"],
    ['POST /users\n\n{ "a": {{user}}', "incomplete"],
    ['POST /users\n\n{ "a": {{user}} }', "complete"],
    ["POST /users\n\n[1,\n2]", "complete"],
    ["PUT /users/1\n\nname=Ada", "incomplete"],
    ["PUT /users/1\n\nname=Ada\n", "complete"],
    ["POST /users\n\n< body.json", "complete"],
    ["GET /a\n\n###\nPOST /b", "incomplete"],
    ["@name = value", "complete"],
    ["### title", "incomplete"],
    ["# @name login", "incomplete"],
    ["%%http\nGET /a", "complete"],
    ["GET /users\r\nAccept: */*\r\n", "complete"],
    ["DELETE /users\nContent-Type: application/json", "incomplete"],
    ['DELETE /users\nContent-Type: application/json\n\n{"a":', "incomplete"],
    ['POST /users\n\n{"a": "{{x["}"]}}"}', "complete"],
    ['POST /users\n\n{"a": \n\n', "complete"],
  ])("%j is %s", (text, status) => {
    expect(isCompleteRequest(text).status).toBe(status);
  });

  test("indents by the brackets that are open", () => {
    expect(isCompleteRequest('POST /x\n\n{ "a": [')).toEqual({
      status: "incomplete",
      indent: "    ",
    });
  });

  test("a text that is nested deeply is looked at like any other", () => {
    const answer = isCompleteRequest(`POST /x\n\n${"[{".repeat(100_000)}`);
    expect(answer).toEqual({ status: "incomplete", indent: "  ".repeat(20) });
  });
});
