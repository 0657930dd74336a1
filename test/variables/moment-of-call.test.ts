import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../lib/mod.ts";
import { type Recorder, startRecorder } from "../dialects/recorder.ts";

let server: Recorder;
beforeAll(async () => {
  server = await startRecorder({});
});
afterAll(() => server.close());

/** Requests with a value of which nothing is awaited before it is rendered, or which is kept while a file is read. */
const TEXTS: readonly (readonly [what: string, text: string])[] = [
  ["a query", "GET {{base}}/?{{id}}"],
  ["a line", "@own = {{id}}\n@more = {{own}}\nGET {{base}}/?{{more}}"],
  ["a lazy line", "@own := {{id}}\nGET {{base}}/?{{own}}"],
  ["a request with an assertion", "GET {{base}}/?{{id}}\n\n?? status == 200"],
  ["a body", "POST {{base}}/\nContent-Type: text/plain\n\n{{object.id}}"],
  ["a body of a file", "POST {{base}}/\nContent-Type: text/plain\n\n<@ ./body.txt"],
  ["a form with a file", "POST {{base}}/\nContent-Type: text/plain\n\n{{id}}\n<@ ./body.txt"],
  ["a GraphQL query", 'GRAPHQL {{base}}/\n\n{ user(id: "{{id}}") { name } }'],
  ["a curl command", "curl '{{base}}/?{{id}}'"],
];

test.each(TEXTS)("%s has the values of the moment in which it is sent", async (_, text) => {
  const readFile = async (): Promise<Uint8Array> => new TextEncoder().encode("file {{id}}");
  const client = createClient({ readFile });
  client.setVar("base", `http://${server.host}`);
  const from = server.received.length;
  const sent = ["one-1", "two-2", "three-3"].map((id) => {
    client.setVar("id", id);
    client.setVar("object", { id });
    return client.send(text);
  });
  client.setVar("object", { id: "later" });
  client.deleteVar("id");
  await Promise.all(sent);
  const arrived = server.received.slice(from).map(({ target, body }) => target + body);
  const ids = arrived.map((one) => /one-1|two-2|three-3|later/.exec(one)?.[0]);
  expect(ids.toSorted()).toEqual(["one-1", "three-3", "two-2"]);
});
