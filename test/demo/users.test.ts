import { describe, expect, test } from "vitest";
import { ask, createApi } from "./request.ts";

const NEW = { name: "Mary Shelley", email: "mary@example.com" };
const CREATED = {
  id: 16,
  ...NEW,
  role: "viewer",
  active: true,
  createdAt: "2026-01-02T03:04:05.678Z",
  address: null,
  tags: [],
};

const names = async (query: string): Promise<string[]> => {
  const answer = await ask(createApi(), `GET /users${query}`);
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
};

describe("GET /users", () => {
  test.each([
    ["?limit=2", ["Ada Lovelace", "Alan Turing"]],
    ["?limit=2&offset=14", ["Sophie Wilson"]],
    ["?offset=15", []],
    ["?filter=LOVELACE", ["Ada Lovelace"]],
    ["?filter=grace@", ["Grace Hopper"]],
    ["?filter=admin&limit=3", ["Ada Lovelace", "Alan Turing", "Barbara Liskov"]],
    ["?filter=krak%C3%B3w", ["José Valim"]],
    ["?filter=%E6%9D%BE", ["松本行弘"]],
    ["?filter=unix", ["Dennis Ritchie"]],
    ["?filter=nobody", []],
    ["?sort=-id&limit=2", ["Sophie Wilson", "松本行弘"]],
    ["?sort=address.city&limit=2", ["Dennis Ritchie", "Katherine Johnson"]],
    ["?sort=active&limit=2", ["Edsger Dijkstra", "Dennis Ritchie"]],
  ])("%s", async (query, expected) => expect(await names(query)).toEqual(expected));

  test("without a query shows ten of them", async () => expect(await names("")).toHaveLength(10));

  test.each([
    ["?limit=5", "15", "first 5 0, next 5 5, last 5 10"],
    ["?limit=5&offset=5", "15", "first 5 0, prev 5 0, next 5 10, last 5 10"],
    ["?limit=5&offset=10", "15", "first 5 0, prev 5 5, last 5 10"],
    ["?limit=4&offset=12", "15", "first 4 0, prev 4 8, last 4 12"],
    ["?limit=4&offset=2", "15", "first 4 0, prev 4 0, next 4 6, last 4 12"],
    ["?limit=4&offset=99", "15", "first 4 0, prev 4 12, last 4 12"],
    ["?limit=4&filter=nobody", "0", "first 4 0, last 4 0"],
  ])("%s has the links of its page", async (query, total, links) => {
    const { headers } = await ask(createApi(), `GET /users${query}`);
    expect(headers.get("X-Total-Count")).toBe(total);
    const found = [...(headers.get("Link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(
      ([, url = "", rel]) => {
        const { searchParams, pathname } = new URL(url);
        expect(pathname).toBe("/users");
        return `${rel} ${searchParams.get("limit")} ${searchParams.get("offset")}`;
      },
    );
    expect(found.join(", ")).toBe(links);
  });

  test("links keep the filter", async () => {
    const { headers } = await ask(createApi(), "GET /users?filter=a%26b&limit=1");
    expect(headers.get("Link")).toContain("filter=a%26b");
  });

  test("an invalid query is rejected with all its faults", async () => {
    const answer = await ask(createApi(), "GET /users?limit=0&offset=-1&sort=age");
    expect(answer.status).toBe(400);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    const { errors } = await answer.json();
    expect(errors.map((error: { parameter: string }) => error.parameter)).toEqual([
      "limit",
      "offset",
      "sort",
    ]);
  });

  test.each(["?limit=101", "?limit=ten", "?limit=", "?limit=1.5", "?offset=1e3"])(
    "%s is rejected",
    async (query) => expect((await ask(createApi(), `GET /users${query}`)).status).toBe(400),
  );
});

describe("a user's life", () => {
  test("POST creates, GET shows, PUT replaces, PATCH changes, DELETE ends it", async () => {
    const api = createApi();
    const created = await ask(api, "POST /users", NEW);
    expect(created.status).toBe(201);
    expect(created.headers.get("Location")).toBe("/users/16");
    expect(await created.json()).toEqual(CREATED);

    const changed = { ...CREATED, address: { city: "London", geo: { lat: 51.5, lng: -0.1 } } };
    const replaced = await ask(api, "PUT /users/16", { ...changed, tags: ["books"] });
    expect(await replaced.json()).toEqual({ ...changed, tags: ["books"] });

    const patch = { role: "editor", address: { geo: null }, tags: null };
    const patched = await ask(api, "PATCH /users/16", patch, {
      "Content-Type": "application/merge-patch+json",
    });
    expect(await patched.json()).toEqual({
      ...changed,
      role: "editor",
      address: { city: "London", geo: null },
    });

    const deleted = await ask(api, "DELETE /users/16");
    expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
    expect((await ask(api, "GET /users/16")).status).toBe(404);
    expect((await ask(api, "DELETE /users/16")).status).toBe(404);
    const next = await ask(api, "POST /users", NEW);
    expect((await next.json()).id).toBe(17);
  });

  test("PUT resets members that are left out", async () => {
    const answer = await ask(createApi(), "PUT /users/1", NEW);
    expect(await answer.json()).toMatchObject({ id: 1, role: "viewer", address: null, tags: [] });
  });

  test("each instance has users of its own", async () => {
    const [one, other] = [createApi(), createApi()];
    await ask(one, "DELETE /users/1");
    expect((await ask(other, "GET /users/1")).status).toBe(200);
  });

  test("an ETag gives 304 until the user changes", async () => {
    const api = createApi();
    const tag = (await ask(api, "GET /users/1")).headers.get("ETag") ?? "";
    const asked = async (): Promise<number> =>
      (await ask(api, "GET /users/1", undefined, { "If-None-Match": tag })).status;
    expect(tag).toMatch(/^".+"$/);
    expect(await asked()).toBe(304);
    await ask(api, "PATCH /users/1", { active: false });
    expect(await asked()).toBe(200);
  });

  test("HEAD is GET without the body", async () => {
    const [head, get] = [
      await ask(createApi(), "HEAD /users/1"),
      await ask(createApi(), "GET /users/1"),
    ];
    expect(await head.text()).toBe("");
    expect([...head.headers]).toEqual([...get.headers]);
  });
});

describe("invalid users", () => {
  const invalid: [line: string, body: unknown, pointers: string[]][] = [
    ["POST /users", {}, ["#/name", "#/email"]],
    ["POST /users", [], ["#"]],
    ["POST /users", null, ["#"]],
    ["POST /users", "7", ["#"]],
    ["POST /users", { ...NEW, name: " " }, ["#/name"]],
    ["POST /users", { ...NEW, name: "x".repeat(101) }, ["#/name"]],
    ["POST /users", { ...NEW, email: "mary" }, ["#/email"]],
    ["POST /users", { ...NEW, role: "boss", active: "yes" }, ["#/role", "#/active"]],
    ["POST /users", { ...NEW, tags: ["ok", 7] }, ["#/tags/1"]],
    ["POST /users", { ...NEW, tags: Array(21).fill("x") }, ["#/tags"]],
    [
      "POST /users",
      { ...NEW, address: { geo: { lat: 91 } } },
      ["#/address/city", "#/address/geo/lat", "#/address/geo/lng"],
    ],
    ["POST /users", { ...NEW, "a/b~c d": 1 }, ["#/a~1b~0c%20d"]],
    ["POST /users", '{"name":"A","email":"a@b","\\ud800":1}', ["#/%EF%BF%BD"]],
    ["POST /users", '{"name":"A","email":"a@b","__proto__":{"role":"admin"}}', ["#/__proto__"]],
    ["POST /users", { ...NEW, id: 99 }, ["#/id"]],
    ["PUT /users/1", { ...NEW, id: 2, createdAt: "now" }, ["#/id", "#/createdAt"]],
    ["PATCH /users/1", { name: null }, ["#/name"]],
    ["PATCH /users/1", [], ["#"]],
    ["PATCH /users/1", '{"__proto__":{"role":"admin"}}', ["#/__proto__"]],
  ];
  test.each(invalid)("%s %j", async (line, body, pointers) => {
    const answer = await ask(createApi(), line, body === null ? "null" : body);
    expect(answer.status).toBe(422);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    const problem = await answer.json();
    expect(problem).toMatchObject({ status: 422, title: "Unprocessable Entity" });
    expect(problem.errors.map((error: { pointer: string }) => error.pointer)).toEqual(pointers);
  });

  const deep = `${'{"address":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  test.each([
    ["POST /users", { ...NEW, email: "ADA@example.com" }, 409],
    ["PUT /users/2", { ...NEW, email: "ada@example.com" }, 409],
    ["PUT /users/1", { ...NEW, email: "ada@example.com" }, 200],
    ["PUT /users/99", NEW, 404],
    ["PATCH /users/99", {}, 404],
    ["POST /users", deep, 422],
    ["POST /users", "{", 400],
    ["POST /users", "", 400],
  ])("%s %.40j is answered with %i", async (line, body, status) => {
    const answer = await ask(createApi(), line, body);
    expect(answer.status).toBe(status);
    if (status > 299) expect(await answer.json()).toMatchObject({ type: "about:blank", status });
  });

  test.each([
    ["POST /users", "text/plain", 415],
    ["POST /users", "application/merge-patch+json", 415],
    ["PATCH /users/1", "application/json-patch+json", 415],
    ["POST /users", "Application/JSON; charset=utf-8", 201],
  ])("%s of %s is answered with %i", async (line, type, status) => {
    const answer = await ask(createApi(), line, NEW, { "Content-Type": type });
    expect(answer.status).toBe(status);
    expect(answer.headers.has("Accept")).toBe(status === 415);
  });

  test.each(["0", "01", "abc", "1.0", "-1", "1e0", "99999999999999999999"])(
    "/users/%s does not exist",
    async (id) => expect((await ask(createApi(), `GET /users/${id}`)).status).toBe(404),
  );
});
