import { createClient, renderBundle } from "restlab";

const client = createClient();
globalThis.client = client;
globalThis.send = async (base) => {
  client.setVar("base", base);
  const exchange = await client.send("GET {{base}}/users?limit=2\nX-A: 1");
  return [exchange.status, renderBundle(exchange)["text/html"].includes("Ada")];
};
