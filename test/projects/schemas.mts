import { type } from "arktype";
import { createClient, createMock, SchemaError } from "restlab";
import * as v from "valibot";
import { z } from "zod";

const mock = createMock([
  { url: "/user", response: { json: { id: 1, born: "2020-01-02" } } },
  { url: "/other", response: { json: { id: "1", born: [] } } },
  { url: "/users", response: { json: [{ id: 1, born: "2020-01-02" }, { id: null }] } },
]);
const client = createClient({ baseUrl: "http://api.test", fetch: mock.fetch });

const schemas = {
  zod: z.object({ id: z.number(), born: z.coerce.date() }),
  valibot: v.object({
    id: v.number(),
    born: v.pipe(
      v.string(),
      v.transform((it) => new Date(it)),
    ),
  }),
  arktype: type({ id: "number", born: "string.date.parse" }),
};

for (const [name, schema] of Object.entries(schemas)) {
  const { json } = await client.send("GET /user", { schema });
  const born: Date = json.born;
  const id: number = json.id;
  const failure: unknown = await client.send("GET /other", { schema }).catch((error) => error);
  const paths =
    failure instanceof SchemaError ? failure.message.match(/\$\.\w+/g)?.sort() : failure;
  let item: unknown;
  try {
    for await (const user of client.paginate("GET /users").items({ schema }))
      void user.born.getTime();
  } catch (error) {
    item = String(error).includes("Item 2 of the listing");
  }
  console.log(name, id, born.getUTCFullYear(), paths, item);
}
