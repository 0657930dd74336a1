const { createClient, NoResponseError } = require("restlab");

test("a mock answers", async () => {
  const fetch = jest.fn(async () => Response.json({ a: 1 }));
  const exchange = await createClient({ fetch }).send("GET http://api.test/");
  expect(exchange.json).toEqual({ a: 1 });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("a server that is not there", async () => {
  await expect(createClient().send("GET http://127.0.0.1:9/")).rejects.toThrow(NoResponseError);
});
