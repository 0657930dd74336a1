import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createClient,
  type Exchange,
  NoResponseError,
  SchemaError,
  type StandardSchema,
  StatusError,
} from "../../lib/mod.ts";

const answers: Readonly<Record<string, () => Response>> = {
  "/user": () => Response.json({ id: 1, born: "2020-01-02" }),
  "/users": () => Response.json([{ id: 1 }, { id: 2 }, { id: "3" }]),
  "/lines": () => new Response('{"id":1}\n{"id":2}\n'),
  "/missing": () => Response.json({ title: "no" }, { status: 404, statusText: "Not Found" }),
};
const lab = createClient({
  fetch: async (input) =>
    answers[new URL((input as Request).url).pathname]?.() ?? new Response(null, { status: 204 }),
});
const URL_OF = "http://api.test";

interface User {
  readonly id: number;
  readonly born: Date;
}

/** A schema as its libraries make them, whose output is not its input. */
const user: StandardSchema<User> = {
  "~standard": {
    version: 1,
    vendor: "test",
    async validate(value) {
      const { id, born } = Object(value) as Record<string, unknown>;
      if (typeof id === "number") return { value: { id, born: new Date(String(born)) } };
      return { issues: [{ message: "expected a number", path: ["users", { key: 0 }, "id"] }] };
    },
  },
};
const item: StandardSchema<{ id: number }> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) =>
      typeof (value as { id: unknown }).id === "number"
        ? { value: value as { id: number } }
        : { issues: [{ message: "no number", path: ["id"] }] },
  },
};

const failure = (sent: Promise<unknown>): Promise<unknown> =>
  sent.then(
    () => "nothing",
    (error) => error,
  );

describe("typed responses", () => {
  test("a body is unknown until the call or a schema says what it is", async () => {
    const plain = await lab.send(`GET ${URL_OF}/user`);
    expectTypeOf(plain.json).toEqualTypeOf<unknown>();
    const typed = await lab.send<{ id: number }>(`GET ${URL_OF}/user`);
    expectTypeOf(typed.json).toEqualTypeOf<{ id: number }>();
    const checked = await lab.send(`GET ${URL_OF}/user`, { schema: user });
    expectTypeOf(checked).toEqualTypeOf<Exchange<User>>();
    const results = await lab.all([`GET ${URL_OF}/user`], { schema: user });
    expectTypeOf(results.results[0]?.exchange?.json).toEqualTypeOf<User | undefined>();
    const pages = lab.paginate(`GET ${URL_OF}/users`, "link");
    expectTypeOf(pages.items<User>()).toEqualTypeOf<AsyncIterable<User>>();
    expectTypeOf(pages.items({ schema: item })).toEqualTypeOf<AsyncIterable<{ id: number }>>();
    expectTypeOf(lab.getVar<string>("name")).toEqualTypeOf<string | undefined>();
    for await (const { json } of lab.stream<"lines", { id: number }>(`GET ${URL_OF}/lines`, {
      as: "lines",
    })) {
      expectTypeOf(json).toEqualTypeOf<{ id: number }>();
    }
  });

  test("json is what the schema makes, and all else is what was received", async () => {
    const exchange = await lab.send({ url: `${URL_OF}/user` }, { schema: user });
    expect(exchange.json).toEqual({ id: 1, born: new Date("2020-01-02") });
    expect(exchange.text).toBe('{"id":1,"born":"2020-01-02"}');
    expect(lab.last.json).toEqual({ id: 1, born: "2020-01-02" });
    expect(String(exchange)).toBe(String(lab.last));
    expect(String(lab.show(exchange, "json"))).toContain("2020-01-02");
    const revealed = await lab.send(`GET ${URL_OF}/user`, { schema: user, reveal: true });
    expect(revealed.json.born).toBeInstanceOf(Date);
  });

  test("a body that does not match is an error with the paths, whatever the status", async () => {
    const error = (await failure(
      lab.send(`GET ${URL_OF}/missing`, { schema: user }),
    )) as SchemaError;
    expect(error).toBeInstanceOf(SchemaError);
    expect(error.message).toBe(
      `GET "${URL_OF}/missing" returned 404 Not Found, whose body does not match the schema:\n` +
        "  $.users[0].id: expected a number",
    );
    expect(error.exchange.status).toBe(404);
    expect(error.issues).toHaveLength(1);
    const empty = await failure(lab.send(`GET ${URL_OF}/nothing`, { schema: user }));
    expect(empty).toBeInstanceOf(SchemaError);
  });

  test("items are checked one by one, and pages and many requests by their bodies", async () => {
    const seen: number[] = [];
    const loop = async (): Promise<void> => {
      for await (const { id } of lab.paginate(`GET ${URL_OF}/users`).items({ schema: item })) {
        seen.push(id);
      }
    };
    expect(String(await failure(loop()))).toContain(
      "Item 3 of the listing, on page 1, does not match the schema:\n  $.id: no number",
    );
    expect(seen).toEqual([1, 2]);
    const page = lab.paginate(`GET ${URL_OF}/users`, "link", { schema: user });
    expect(await failure(page.all())).toBeInstanceOf(SchemaError);
    const results = await lab.all([`GET ${URL_OF}/user`, `GET ${URL_OF}/users`], { schema: user });
    expect(results.results.map(({ error }) => error instanceof SchemaError)).toEqual([false, true]);
  });

  test("what is no schema is refused before anything is sent", async () => {
    const before = lab.history.length;
    const given = { schema: { parse: () => 1 } as never };
    expect(String(await failure(lab.send(`GET ${URL_OF}/user`, given)))).toMatch(
      /^TypeError: Cannot use this schema: it is not a Standard Schema/,
    );
    expect(() => lab.paginate(`GET ${URL_OF}/users`, "link", given)).toThrow(TypeError);
    expect(() => lab.paginate(`GET ${URL_OF}/users`).items(given)).toThrow(TypeError);
    expect(String(await failure(lab.all([`GET ${URL_OF}/user`], given)))).toMatch(/^TypeError/);
    expect(lab.history).toHaveLength(before);
  });
});

test("data are sent with the values of the moment of the call", async () => {
  const seen: unknown[] = [];
  let id = 1;
  const client = createClient({
    headers: () => ({ "X-Id": String(id) }),
    fetch: async (_input, init) => {
      seen.push(new Headers(init?.headers).get("x-id"));
      return new Response();
    },
  });
  const sending = [client.send({ url: URL_OF }), client.send(new URL(URL_OF)), client.send(URL_OF)];
  id = 2;
  await Promise.all(sending);
  expect(seen).toEqual(["1", "1", "1"]);
});

test("what a Request says of credentials and caches goes to fetch", async () => {
  const seen: unknown[] = [];
  const client = createClient({
    ky: { credentials: "include" },
    fetch: async (_input, init) => {
      seen.push([init?.credentials, init?.cache]);
      return new Response();
    },
  });
  await client.send(new Request(URL_OF));
  await client.send(new Request(URL_OF, { credentials: "omit", cache: "no-store" }));
  expect(seen).toEqual([
    ["include", undefined],
    ["omit", "no-store"],
  ]);
});

describe("errors", () => {
  test("orThrow returns the exchange of a success, and throws for any other status", async () => {
    const exchange = await lab.send(`GET ${URL_OF}/user`);
    expect(exchange.orThrow()).toBe(exchange);
    lab.setVar("key", "hush-hush-42", { secret: true });
    const missing = await lab.send(`GET ${URL_OF}/missing?key={{key}}`);
    const error = await failure((async () => missing.orThrow())());
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ name: "StatusError", status: 404, exchange: missing });
    expect(String(error)).toMatch(
      /^StatusError: GET "\S+\/missing\?key=\S+" returned 404 Not Found$/,
    );
    expect(`${error}${JSON.stringify(error)}`).not.toContain("hush-hush-42");
    expect((error as Error).stack?.split("\n")[1]).toContain("typed.test.ts");
  });

  test("what was aborted or took too long has the names of fetch", async () => {
    const never = createClient({
      fetch: (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        }),
    });
    const late = await failure(never.send(`GET ${URL_OF}/`, { timeout: 5 }));
    expect(late).toBeInstanceOf(NoResponseError);
    expect(late).toMatchObject({ name: "TimeoutError", code: "timed-out" });
    const signal = AbortSignal.abort();
    const stopped = await failure(never.send(`GET ${URL_OF}/`, { signal }));
    expect(stopped).toMatchObject({ name: "AbortError", code: "aborted" });
    expect(String(stopped)).toMatch(/^AbortError: GET /);
  });
});
