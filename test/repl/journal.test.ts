import { describe, expect, test } from "vitest";
import { createJournal } from "../../kernel/repl/journal.ts";
import { parseHttp } from "../../kernel/run/read-document.ts";
import { renderEntries } from "../../kernel/run/render-document.ts";
import { parseTemplate } from "../../lib/interpolation/mod.ts";
import { createClient } from "../../lib/mod.ts";

function journalOf(...entries: readonly string[]) {
  const journal = createJournal();
  for (const entry of entries) journal.add(entry);
  return journal;
}

describe("createJournal", () => {
  const client = createClient();
  client.setVar("base", "http://127.0.0.1:1");
  client.setVar("page", { limit: 2, q: "{{x}}" });
  client.setVar("word", "true");
  client.setVar("token", "hunter2");
  const isSecret = (name: string): boolean => name === "token";

  test("assertions without a request are cells of a notebook, but not of a .http file", () => {
    const journal = journalOf("GET http://h/", "?? status == 200");
    expect(journal.toNotebook(client).entries).toHaveLength(2);
    const { entries, remarks } = journal.toHttp(client, isSecret);
    expect(remarks).toEqual(["1 entry of assertions alone left out"]);
    expect(entries).toEqual(["# 1 entry of assertions alone left out\nGET http://h/"]);
  });

  test("a .http file has the requests and the variables that they need", () => {
    const journal = journalOf(
      'client.setVar("page", { limit: 2 })',
      "GET {{base}}/users?limit={{page.limit}}&w={{word}}",
      "@id = 3",
      "GET {{base}}/users/{{id}}\nAuthorization: Bearer {{token}}",
    );
    const { entries, remarks } = journal.toHttp(client, isSecret);
    expect(entries).toEqual([
      [
        "# 1 entry of TypeScript left out",
        "@base = http://127.0.0.1:1",
        String.raw`@page = {"limit":2,"q":"\{{x}}"}`,
        '@word = "true"',
        "# The variable token is a secret: run with --var token=VALUE",
        "GET {{base}}/users?limit={{page.limit}}&w={{word}}",
      ].join("\n"),
      "@id = 3",
      "GET {{base}}/users/{{id}}\nAuthorization: Bearer {{token}}",
    ]);
    expect(remarks.join()).not.toContain("hunter2");
  });

  test("the saved requests render the same in a client without variables", () => {
    const journal = journalOf(
      "GET {{base}}/a?q={{page.q}}&w={{word}}",
      "POST {{base}}/b\n\n{{page}}",
    );
    const text = renderEntries("x.http", journal.toHttp(client, isSecret).entries);
    const fresh = createClient();
    const requests = fresh.renderAll(text);
    expect(requests.map(({ url }) => url)).toEqual([
      "http://127.0.0.1:1/a?q={{x}}&w=true",
      "http://127.0.0.1:1/b",
    ]);
    expect(parseHttp(text, "x.http").cells).toHaveLength(2);
  });

  test("entries with secrets are not saved", () => {
    const journal = journalOf(
      'client.setVar("token", "hunter2")',
      "GET /x\nX-API-Key: hunter2",
      "1",
    );
    const { entries, remarks } = journal.toNotebook(client);
    expect(entries).toHaveLength(3);
    expect(JSON.stringify([entries, remarks, journal.toHttp(client, isSecret)])).not.toContain(
      "hunter2",
    );
  });

  test("secret headers become placeholders, the same one for the same value", () => {
    const journal = journalOf(
      "GET http://h/a\nAuthorization: Bearer abc\nAccept: a/b",
      'POST http://h/b\nauthorization: Bearer abc\nX-Api-Key: one\n\n{"Authorization: no": 1}',
      "###\nGET http://h/c\nX-API-Key: two\nCookie: {{jar}}",
    );
    const expected = [
      "GET http://h/a\nAuthorization: Bearer {{authorization}}\nAccept: a/b",
      'POST http://h/b\nauthorization: Bearer {{authorization}}\nX-Api-Key: {{x-api-key}}\n\n{"Authorization: no": 1}',
      "###\nGET http://h/c\nX-API-Key: {{x-api-key-2}}\nCookie: {{jar}}",
    ];
    for (const { entries, remarks } of [
      journal.toNotebook(client),
      journal.toHttp(client, isSecret),
    ]) {
      // A .http file begins with what has to be known, in comments.
      expect(entries.map((entry) => entry.replace(/^(?:# .*\n)+/, ""))).toEqual(expected);
      expect(remarks).toEqual(
        ["authorization", "x-api-key", "x-api-key"].map((header, index) =>
          expect.stringContaining(
            `the header ${header} is a secret: run the file with --var ${["authorization", "x-api-key", "x-api-key-2"][index]}=VALUE`,
          ),
        ),
      );
    }
  });

  test("a placeholder does not take the name of a variable", () => {
    const other = createClient();
    other.setVar("authorization", "mine");
    const { entries } = journalOf("GET http://h/\nAuthorization: abc").toNotebook(other);
    expect(entries).toEqual(["GET http://h/\nAuthorization: {{authorization-2}}"]);
  });

  test("the URL of the embedded API is not saved: the file is run with --demo", () => {
    const demo = { name: "base", value: "http://127.0.0.1:1" };
    const journal = createJournal(demo);
    journal.add("GET {{base}}/a?q={{page.q}}");
    const remark = "{{base}} is the embedded API: run the file with --demo";
    expect(journal.toNotebook(client).remarks).toEqual([remark]);
    const { entries, remarks } = journal.toHttp(client, isSecret);
    expect(remarks).toEqual([remark]);
    expect(entries.join("\n")).toContain(`# ${remark}\n@page`);
    expect(entries.join("\n")).not.toContain("127.0.0.1");
    // Another one's address is written as ever.
    const other = createJournal({ ...demo, value: "http://127.0.0.1:2" });
    other.add("GET {{base}}/a");
    expect(other.toHttp(client, isSecret).entries).toEqual([
      "@base = http://127.0.0.1:1\nGET {{base}}/a",
    ]);
    journal.add('client.setVar("base", "http://h")');
    expect(journal.toNotebook(client).remarks).toEqual([]);
  });

  test("a file with another extension is an error that names it", () => {
    expect(() => renderEntries("x.txt", ["GET /"])).toThrow('Writing "x.txt" failed');
  });
});

describe("the headers of the session", () => {
  const headers = new Map<string, string | ReturnType<typeof parseTemplate>>([
    ["X-Token", parseTemplate("Bearer {{word}}")],
    ["X-One", "{{1}} \\{{word}}"],
  ]);
  const one = String.raw`X-One: \{{1}} \\{{word}}`;

  test.each([
    ["GET http://h/", `GET http://h/\nX-Token: Bearer {{word}}\n${one}`],
    [
      "%env dev\nGET http://h/ HTTP/1.1",
      `%env dev\nGET http://h/ HTTP/1.1\nX-Token: Bearer {{word}}\n${one}`,
    ],
    ["GET http://h/\nx-one: 2", "GET http://h/\nx-one: 2\nX-Token: Bearer {{word}}"],
    [
      'POST http://h/\nx-one: 2\nx-token: {{a}}\n\n{"a": 1}\n###\n@a = 1\nGET http://h/\n?a=b',
      `POST http://h/\nx-one: 2\nx-token: {{a}}\n\n{"a": 1}\n###\n@a = 1\nGET http://h/\n?a=b\nX-Token: Bearer {{word}}\n${one}`,
    ],
    [
      "curl http://h/ -d a\n",
      `curl http://h/ -d a \\\n  -H 'X-Token: Bearer {{word}}' \\\n  -H '${one}'`,
    ],
    ["curl http://h/ -H X-One: -H 'X-Token;'", "curl http://h/ -H X-One: -H 'X-Token;'"],
    ["@a = 1", "@a = 1"],
  ])("%j", (text, expected) => {
    const journal = createJournal();
    journal.add(text, headers);
    expect(journal.toNotebook(createClient()).entries).toEqual([expected]);
  });

  test("what is not curl takes no header", () => {
    const journal = createJournal();
    journal.add('Invoke-WebRequest -Uri "http://h/"', headers);
    expect(() => journal.toNotebook(createClient())).toThrow('the value of the header "X-Token"');
  });

  test.each(["\u2028x", "x\u00a0"])(
    "a value that request text would change is an error: %j",
    (value) => {
      const journal = createJournal();
      journal.add("GET http://h/", new Map([["X-A", value]]));
      expect(() => journal.toNotebook(createClient())).toThrow('the value of the header "X-A"');
    },
  );
});
