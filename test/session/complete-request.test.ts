import { describe, expect, test } from "vitest";
import { completeRequest, inspectRequest } from "../../kernel/session/complete-request.ts";
import { isCompleteRequest } from "../../kernel/session/is-complete-request.ts";
import { createClient } from "../../lib/mod.ts";

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
    ["P|", ["POST", "PUT", "PATCH"], "P"],
    ["# head\n\nde|", ["DELETE"], "de"],
    ["GET /a\n\n###\nHE|", ["HEAD"], "HE"],
    ["GET |", ["{{base}}"], ""],
    ["GET {{base}}/x\nConte|", ["Content-Type: "], "Conte"],
    ["GET {{base}}/x\naccept: application/j|", ["application/json"], "application/j"],
    ["GET {{ba|", ["base"], "ba"],
    ["GET {{base}}/{{ user.|", ["id", "nick", "tags", "address"], ""],
    ["GET {{base}}/{{user.n|}}", ["nick"], "n"],
    ["GET {{user.address.c|", ["city"], "c"],
    ["GET {{user.tags[0].c|", ["colour"], "c"],
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
    expect(at("GET {{tok|").details).toEqual(["'•••'"]);
  });
});

describe("inspectRequest", () => {
  test("shows the value of a placeholder wherever in it the cursor is", () => {
    const code = "GET {{user.address}}";
    expect(inspectRequest(client, code, 13)).toEqual({
      signature: "{{user.address}}",
      documentation: "{ city: 'Ulm' }",
    });
    expect(inspectRequest(client, "GET {{token}}", 9)?.documentation).toBe("'•••'");
    expect(inspectRequest(client, "GET {{nobody}}", 9)).toBeUndefined();
  });

  test("says what methods and headers mean", () => {
    expect(inspectRequest(client, "PATCH /x", 2)?.documentation).toMatch(/changes a part/);
    expect(inspectRequest(client, "GET /x\nif-match: 1", 4 + 5)?.signature).toBe("If-Match");
  });
});

describe("isCompleteRequest", () => {
  test.each([
    ["GET /users", "complete"],
    ["# head\nDELETE /users/1", "complete"],
    ["GET /users\n?limit=2", "complete"],
    ["GET /users\nAccept: */*", "incomplete"],
    ["GET /users\nAccept: */*\n", "complete"],
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
    ["### title", "complete"],
  ])("%j is %s", (text, status) => {
    expect(isCompleteRequest(text).status).toBe(status);
  });

  test("indents by the brackets that are open", () => {
    expect(isCompleteRequest('POST /x\n\n{ "a": [')).toEqual({
      status: "incomplete",
      indent: "    ",
    });
  });
});
