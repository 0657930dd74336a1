import { beforeAll, describe, expect, test } from "vitest";
import {
  createClient,
  createMock,
  type Exchange,
  type MockResponse,
  type RestlabMatchers,
  restlabMatchers,
} from "../../lib/mod.ts";

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration of vitest has it
  interface Matchers<T = any> extends RestlabMatchers {}
}

const USER = { id: 1, name: "Ada", tags: ["a", "b"], address: { city: "London", zip: null } };

async function answered(response: MockResponse = { json: USER }): Promise<Exchange> {
  const { fetch } = createMock([{ url: "/users/1", response }]);
  return await createClient({ fetch }).send("GET http://api.test/users/1?page=2");
}

/** The message of an assertion that fails. */
async function messageOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    return (error as Error).message;
  }
  return expect.unreachable("it has passed");
}

const PLACE = "(GET http://api.test/users/1: 200)";

describe("matchers in vitest", () => {
  let exchange: Exchange;
  beforeAll(async () => {
    expect.extend(restlabMatchers);
    exchange = await answered();
  });

  test.for<
    [string, (it: RestlabMatchers) => unknown, (it: RestlabMatchers) => unknown, string, string]
  >([
    [
      "a status",
      (it) => it.toHaveStatus(200),
      (it) => it.toHaveStatus(404),
      "Expected status 404, found 200 (GET http://api.test/users/1)",
      "Expected not status 200, found 200 (GET http://api.test/users/1)",
    ],
    [
      "a class of status",
      (it) => it.toHaveStatus("2xx"),
      (it) => it.toHaveStatus("5xx"),
      "Expected status 5xx, found 200 (GET http://api.test/users/1)",
      "Expected not status 2xx, found 200 (GET http://api.test/users/1)",
    ],
    [
      "a class by its name",
      (it) => it.toHaveStatus("success"),
      (it) => it.toHaveStatus("client error"),
      "Expected status client error, found 200 (GET http://api.test/users/1)",
      "Expected not status success, found 200 (GET http://api.test/users/1)",
    ],
    [
      "a header",
      (it) => it.toHaveHeader("Content-Type", /json/),
      (it) => it.toHaveHeader("ETag", '"1"'),
      `Expected header ETag: "1", found no such header ${PLACE}`,
      `Expected not header Content-Type: /json/, found application/json ${PLACE}`,
    ],
    [
      "a part of the JSON",
      (it) => it.toHaveJson({ id: 1, address: { city: "London" } }),
      (it) => it.toHaveJson({ id: 2, name: "Ada", address: { zip: 1 } }),
      `The JSON does not match at $.id: expected 2, found 1 ${PLACE}\n  at $.address.zip: expected 1, found null`,
      `Expected the JSON not to match {"id": 1, "address": {"city": "London"}} ${PLACE}`,
    ],
    [
      "asymmetric matchers",
      (it) => it.toHaveJson({ id: expect.any(Number), tags: expect.arrayContaining(["b"]) }),
      (it) => it.toHaveJson({ id: expect.any(String), missing: expect.anything() }),
      `The JSON does not match at $.id: expected Any<String>, found 1 ${PLACE}\n  at $.missing: expected Anything, found nothing`,
      `Expected the JSON not to match {"id": Any<Number>, "tags": ArrayContaining [ "b", ]} ${PLACE}`,
    ],
    [
      "a list of the same length",
      (it) => it.toHaveJson({ tags: ["a", "b"] }),
      (it) => it.toHaveJson({ tags: ["a"] }),
      `The JSON does not match at $.tags: expected 1 items, found 2 ${PLACE}`,
      `Expected the JSON not to match {"tags": ["a", "b"]} ${PLACE}`,
    ],
    [
      "a member that is not there",
      (it) => it.toHaveJson({ password: undefined }),
      (it) => it.toHaveJson({ name: undefined }),
      `The JSON does not match at $.name: expected nothing, found "Ada" ${PLACE}`,
      `Expected the JSON not to match {"password": undefined} ${PLACE}`,
    ],
    [
      "assertions",
      (it) => it.toPass("?? status == 200\n\n# the name\n?? body name startsWith A"),
      (it) => it.toPass("?? status == 404\n?? body id == 1\n?? body name == Bob"),
      `2 of 3 assertions failed ${PLACE}\n  ?? status == 404: expected 404, found 200\n  ?? body name == Bob: expected Bob, found Ada`,
      `Expected an assertion to fail, all 2 hold ${PLACE}\n  ?? status == 200\n  ?? body name startsWith A`,
    ],
  ])("%s", async ([, passing, failing, message, negated]) => {
    await passing(expect(exchange));
    await failing(expect(exchange).not);
    expect(await messageOf(() => failing(expect(exchange)))).toBe(message);
    expect(await messageOf(() => passing(expect(exchange).not))).toBe(negated);
  });

  test.for<[string, unknown, (it: Exchange) => unknown, string]>([
    [
      "no exchange",
      3,
      (it) => expect(it).toHaveJson({}),
      "toHaveJson failed: the value is not a response",
    ],
    [
      "a promise",
      Promise.resolve(),
      (it) => expect(it).toPass("?? status == 200"),
      "the value is a promise: await",
    ],
    [
      "nothing",
      undefined,
      (it) => expect(it).not.toHaveStatus(200),
      "the value is undefined, not a response",
    ],
    [
      "no status",
      undefined,
      () => expect(exchange).toHaveStatus("ok" as never),
      '"ok" is neither a status code such as 200 nor a class such as "2xx" or "success"',
    ],
    [
      "no JSON",
      undefined,
      () => expect(exchange).not.toHaveJson(undefined),
      "toHaveJson failed: write the expected JSON",
    ],
    [
      "no assertions",
      undefined,
      () => expect(exchange).toPass("# nothing"),
      'toPass failed: write lines such as "?? status == 200"',
    ],
    [
      "a broken assertion",
      undefined,
      () => expect(exchange).not.toPass("?? stats == 200"),
      "stats",
    ],
    [
      "a placeholder",
      undefined,
      () => expect(exchange).not.toPass("?? status == {{code}}"),
      "placeholders have no values here",
    ],
  ])("%s is an error", async ([, value, run, message]) => {
    expect(await messageOf(() => run(value as Exchange))).toContain(message);
  });

  test.for<[string, MockResponse, string]>([
    ["no body", { status: 204 }, "Expected JSON, found no body (GET http://api.test/users/1: 204)"],
    ["no JSON", { text: "<p>" }, "Expected JSON, found a body that is not JSON: "],
  ])("%s has no JSON", async ([, response, message]) => {
    const other = await answered(response);
    expect(await messageOf(() => expect(other).toHaveJson({}))).toContain(message);
    expect(other).not.toHaveJson({});
  });

  test("numbers are compared with all their digits", async () => {
    const other = await answered({ json: { id: 9007199254740993n } });
    expect(other).toHaveJson({ id: 9007199254740993n });
    expect(other).not.toHaveJson({ id: 9007199254740992 });
  });

  test("a message lists ten differences, in a list of objects too", async () => {
    const items = (offset: number) =>
      Array.from({ length: 20 }, (_, n) => ({ n: n + offset, x: 0 }));
    const other = await answered({ json: items(0) });
    const message = await messageOf(() => expect(other).toHaveJson(items(1)));
    expect(message.split("\n")).toHaveLength(11);
    expect(message).toContain("\n  at $[9].n: expected 10, found 9\n  …");
  });

  test("a failure has the place and both values of its first difference", async () => {
    const error = await Promise.resolve()
      .then(() => expect(exchange).toHaveJson({ address: { city: "Paris" } }))
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ expected: "Paris", actual: "London" });
  });

  test("no failure shows a secret", async () => {
    const { fetch } = createMock([
      {
        url: /./,
        response: ({ headers }) => ({
          json: { token: "hush-hush-42", note: `Token ${headers.get("x-token")}` },
          headers: { "X-Echo": "hush-hush-42", "Set-Cookie": "sid=s3cret-cookie" },
        }),
      },
    ]);
    const client = createClient({ fetch });
    client.setVar("token", "hush-hush-42", { secret: true });
    const secret = await client.send("GET http://api.test/{{token}}\nX-Token: {{token}}");
    for (const run of [
      () => expect(secret).toHaveStatus(404),
      () => expect(secret).toHaveHeader("X-Echo", "other"),
      () => expect(secret).not.toHaveHeader("X-Echo", "hush-hush-42"),
      () => expect(secret).toHaveHeader("Set-Cookie", "sid=other"),
      () => expect(secret).toHaveJson({ token: 1, note: "other" }),
      () => expect(secret).toHaveJson({ note: expect.stringContaining("hush-hush-42!") }),
      () => expect(secret).toHaveJson({ "hush-hush-42": 1 }),
      () => expect(secret).not.toHaveJson({ token: "hush-hush-42" }),
      () => expect(secret).toPass("?? body token == other\n?? header X-Echo == other"),
      () => expect(secret).not.toPass("?? body token == hush-hush-42"),
    ]) {
      const error = await Promise.resolve()
        .then(run)
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(Error);
      const { message, expected, actual } = error as {
        message: string;
        expected?: unknown;
        actual?: unknown;
      };
      const shown = JSON.stringify([message, expected, actual]);
      expect(shown).toMatch(/api\.test/);
      expect(shown).not.toMatch(/hush-hush|s3cret/);
    }
  });
});
