import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";

/** Sends a text with the variable `known`; returns what was sent before it failed, and how it failed. */
async function sendAll(text: string) {
  const sent: string[] = [];
  const client = createClient({
    fetch: async (request) => {
      sent.push(new URL((request as Request).url).pathname);
      return Response.json({ id: 7 });
    },
  });
  client.setVar("known", "1");
  const errors = client.check(text).filter(({ severity }) => severity === "error");
  const failure = await client.sendAll(text).then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  return { sent, errors, failure };
}

describe("of a text with an error, no request is sent", () => {
  test.each([
    [
      "a name that does not exist, in the last request",
      "POST http://h.test/a\n\n###\nGET http://h.test/{{nobody}}",
    ],
    ["the same in a header", "POST http://h.test/a\n\n###\nGET http://h.test/b\nX-A: {{nobody}}"],
    [
      "the same in a body",
      'POST http://h.test/a\n\n###\nPOST http://h.test/b\n\n{"a": {{nobody}}}',
    ],
    ["a member that does not exist", "POST http://h.test/a\n\n###\nGET http://h.test/{{known.of}}"],
    ["an address that is invalid", "POST http://h.test/a\n\n###\nGET http://h.test:port/"],
    [
      "a response that nobody has asked for",
      "POST http://h.test/a\n\n###\nGET http://h.test/{{login.response.status}}",
    ],
    [
      "a request that another one refers to",
      "# @name login\nPOST http://h.test/a\n\n###\n# @ref login\nGET http://h.test/{{nobody}}",
    ],
    [
      "a request that is sent first",
      "# @ref login\nGET http://h.test/{{nobody}}\n\n###\n# @name login\nPOST http://h.test/a",
    ],
  ])("%s", async (_, text) => {
    const { sent, errors, failure } = await sendAll(text);
    expect(errors).not.toEqual([]);
    expect(sent).toEqual([]);
    expect(failure?.message).toContain(errors[0]?.message);
  });

  test("whatever the text is, a check says whether it is sent", async () => {
    const line = fc.constantFrom(
      "###",
      "POST http://h.test/a",
      "POST http://h.test/{{known}}",
      "POST http://h.test/{{nobody}}",
      "# @name login",
      "# @ref login",
      "# @ref nobody",
      "@late = {{login.json.id}}",
      "@known = 2",
      "@more = {{nobody}}",
      "X-A: {{late}}",
      "X-A: {{more}}",
      "X-A: {{login.json.id}}",
      "X-B: {{",
      "?? status == 200",
      '{"a": {{known}}}',
      "",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 2, maxLength: 12 }), async (lines) => {
        const { sent, errors, failure } = await sendAll(lines.join("\n"));
        if (errors.length > 0) expect(sent).toEqual([]);
        else expect(failure).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});
