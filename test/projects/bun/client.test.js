import { expect, test } from "bun:test";
import { createClient, createMock, restlabMatchers } from "restlab";

expect.extend(restlabMatchers);

test("a mock, and matchers", async () => {
  const mock = createMock([{ url: "/users/1", response: { json: { id: 1, name: "Ada" } } }]);
  const exchange = await createClient({ fetch: mock.fetch }).send("GET http://api.test/users/1");
  expect(exchange).toHaveStatus("success");
  expect(exchange).not.toHaveStatus(404);
  expect(exchange).toHaveHeader("Content-Type", /json/);
  expect(exchange).toHaveJson({ id: expect.any(Number) });
  await expect(exchange).toPass("?? status == 200\n?? body name == Ada");
  expect(() => expect(exchange).toHaveJson({ id: expect.any(String) })).toThrow(
    "The JSON does not match at $.id: expected Any<String>, found 1",
  );
  await expect((async () => await expect(exchange).toPass("?? status == 404"))()).rejects.toThrow(
    "1 of 1 assertions failed",
  );
  expect(mock.unused).toEqual([]);
});
