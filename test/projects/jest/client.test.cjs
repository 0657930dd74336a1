const { createClient, createMock, NoResponseError, restlabMatchers } = require("restlab");

expect.extend(restlabMatchers);

test("a mock answers", async () => {
  const fetch = jest.fn(async () => Response.json({ a: 1 }));
  const exchange = await createClient({ fetch }).send("GET http://api.test/");
  expect(exchange.json).toEqual({ a: 1 });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("a server that is not there", async () => {
  await expect(createClient().send("GET http://127.0.0.1:9/")).rejects.toThrow(NoResponseError);
});

describe("a mock, and matchers", () => {
  const mock = createMock([
    { url: "/users/1", response: { json: { id: 1, name: "Ada" } } },
    { method: "POST", url: /\/users$/, response: async (it) => Response.json(await it.json()) },
  ]);
  const client = createClient({ fetch: mock.fetch });
  const read = () => client.send("GET http://api.test/users/1");

  test("pass", async () => {
    const exchange = await read();
    expect(exchange).toHaveStatus("success");
    expect(exchange).toHaveHeader("Content-Type", /json/);
    expect(exchange).toHaveJson({ id: expect.any(Number) });
    expect(exchange).not.toHaveJson({ id: 2 });
    expect([exchange]).toEqual([expect.toHaveStatus(200)]);
    await expect(exchange).toPass("?? status == 200\n?? body name == Ada");
    await expect(read()).resolves.toHaveStatus(200);
    await client.send("POST http://api.test/users", { json: { id: 2 } });
    expect(mock.calls.at(-1)).toMatchObject({ method: "POST", body: '{"id":2}' });
    expect(mock.unused).toEqual([]);
  });

  test("fail", async () => {
    const exchange = await read();
    const place = "(GET http://api.test/users/1: 200)";
    expect(() => expect(exchange).toHaveStatus(404)).toThrow("Expected status 404, found 200");
    expect(() => expect(exchange).toHaveJson({ id: expect.any(String), name: "Bob" })).toThrow(
      `The JSON does not match at $.id: expected Any<String>, found 1 ${place}\n  at $.name: expected "Bob", found "Ada"`,
    );
    await expect(expect(exchange).toPass("?? status == 404")).rejects.toThrow(
      `1 of 1 assertions failed ${place}\n  ?? status == 404: expected 404, found 200`,
    );
    await expect(expect(exchange).not.toPass("?? status == 200")).rejects.toThrow("all 1 hold");
    await expect(client.send("GET http://api.test/users/2")).rejects.toThrow("with another path");
  });
});
