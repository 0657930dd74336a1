import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientOptions, Exchange } from "../../lib/mod.ts";
import { explore } from "../support/explore.ts";
import { type Check, type Context, checks } from "./check.ts";

const FOLDER = join(import.meta.dirname, "../peers");

/** Runs a file as it stands, beside the files that lie there. */
async function run(
  { lib, base }: Context,
  name: string,
  options: ClientOptions & { env?: string } = {},
): Promise<readonly Exchange[]> {
  const folder = join(FOLDER, name, "..");
  const readFile = async (path: string): Promise<Uint8Array> =>
    readFileSync(join(folder, path === ".env" ? "env.txt" : path));
  const { env, ...rest } = options;
  const client = lib.createClient({ readFile, processEnv: { STAGE: "test" }, ...rest });
  client.setVar("server", base);
  client.setVar("host", base);
  if (env !== undefined) await client.useEnv(env);
  return await client.sendAll(readFileSync(join(FOLDER, name), "utf8"));
}

/** What the server was asked for: method, address, content type and body. */
function asked({ json: found, request }: Exchange): readonly unknown[] {
  const json = explore(found);
  if (json?.method === undefined) return [request.method];
  const type = request.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return [json.method, json.url, type?.split(";")[0], json.body];
}

const GRAPHQL =
  '{"query": "query One($id: Int) {\\n  user(id: $id) { name }\\n}", "operationName": "One", "variables": { "id": 3 }}';

/** Files in the style of each peer. */
export const peerChecks: readonly Check[] = checks({
  async "a file as VS Code's REST Client has it runs unchanged"(context) {
    const now = (): Date => new Date("2024-01-30T12:00:00Z");
    const exchanges = await run(context, "rest-client/shop.http", { now, seed: 1 });
    assert.deepEqual(
      exchanges.flatMap(({ warnings }) => warnings),
      [],
    );
    const [list, login, put, graphql, parts, file, curl, odata] = exchanges.map(asked);
    assert.deepEqual(list?.slice(0, 2), ["GET", "/echo?page=2&pageSize=10"]);
    assert.equal(exchanges[1]?.request.body, "name=ada&password=a%20b");
    assert.deepEqual(login, ["POST"]);
    assert.deepEqual(put?.slice(0, 3), ["PUT", "/echo/Strunk%20%26%20White/7", "application/json"]);
    const { guid, ...order } = JSON.parse(String(put?.[3]));
    assert.match(guid, /^[\da-f-]{36}$/);
    assert.deepEqual(order, {
      name: "Strunk & White",
      seven: 7,
      region: "eu",
      day: "2024-01-31T12:00:00.000Z",
      amount: 5,
    });
    assert.deepEqual(JSON.parse(String(graphql?.[3])), {
      query: "query One($id: ID!) {\n  user(id: $id) { name }\n}",
      operationName: "One",
      variables: { id: "7" },
    });
    assert.equal(
      parts?.[3],
      [
        "------cut",
        'Content-Disposition: form-data; name="text"',
        "",
        "Strunk & White",
        "------cut",
        'Content-Disposition: form-data; name="file"; filename="note.txt"',
        "Content-Type: text/plain",
        "",
        "dear Strunk & White",
        "------cut--",
        "",
      ].join("\r\n"),
    );
    assert.equal(file?.[3], "dear {{title}}");
    assert.deepEqual(curl, ["POST", "/echo", "application/x-www-form-urlencoded", "a=1"]);
    const query = "$filter=name%20eq%20%27Ada%27%20and%20age%20gt%2036&$top=3";
    assert.equal(odata?.[1], `/echo?${query}`);
  },
  async "a file as JetBrains' client has it runs, and says which scripts were not run"(context) {
    const exchanges = await run(context, "jetbrains/orders.http", { env: "dev" });
    const [create, long, plain, upload, graphql] = exchanges.map(asked);
    assert.deepEqual(create?.slice(0, 2), ["POST", "/echo/orders"]);
    assert.deepEqual(Object.keys(JSON.parse(String(create?.[3]))), ["id", "sum", "by"]);
    const credentials = exchanges[0]?.request.headers.find(([name]) => name === "Authorization");
    assert.equal(credentials?.[1], `Basic ${btoa("ada:pa ss-0123")}`);
    assert.deepEqual(long?.slice(0, 2), ["GET", "/echo/orders?shape=long&order=o-1"]);
    assert.deepEqual(plain?.slice(0, 2), ["GET", "/echo/plain"]);
    assert.ok(
      String(upload?.[3]).endsWith("\r\n\r\nfrom a file\r\n--abcd--\r\n"),
      String(upload?.[3]),
    );
    assert.equal(graphql?.[3], '{"query": "query { orders { id } }"}');
    const remarks = exchanges.map(({ notes }) => notes.map((it) => it.slice(0, 32)));
    assert.deepEqual(remarks, [
      ['Not run: "> {%". Scripts are run'],
      ['Not run: "> ./check-order.js". S'],
      [],
      [],
      [],
    ]);
  },
  async "a file as httpYac has it runs, what is disabled left out"(context) {
    const exchanges = await run(context, "httpyac/users.http");
    assert.deepEqual(exchanges.map(asked), [
      ["GET"],
      ["PATCH", "/echo/3", "application/json", '{ "name": "Ada" }'],
      ["POST", "/echo", "application/x-www-form-urlencoded", "a=1&b=two%20words"],
      ["POST", "/echo/graphql", "application/json", GRAPHQL],
    ]);
    assert.deepEqual(
      exchanges[0]?.assertions.map(({ text, passed }) => [text, passed]),
      [
        ["status == 200", true],
        ["body name == Ada", true],
      ],
    );
    assert.deepEqual(
      [...(exchanges[1]?.warnings ?? []), ...(exchanges[1]?.notes ?? [])].map((it) =>
        it.slice(0, 30),
      ),
      ['"# @sleep" is not supported. T', 'Not run: "{{". Scripts are run'],
    );
  },
  async "# @note asks before it sends, and nothing goes out without a yes"({ lib, base }) {
    const text = `# @note Really?\nDELETE ${base}/echo`;
    const questions: string[] = [];
    const asking = (answer: string | undefined) =>
      lib.createClient({
        ask: async ({ description }) => {
          questions.push(description);
          return answer;
        },
      });
    assert.equal((await asking("yes").send(text)).status, 200);
    for (const answer of ["n", "", undefined]) {
      const lab = asking(answer);
      await assert.rejects(lab.send(text), {
        name: "PromptError",
        message: /not answered with yes/,
      });
      assert.equal(lab.history.length, 0);
    }
    await asking("y").send(`# @note\nDELETE ${base}/echo`);
    assert.deepEqual(questions.slice(3), ["Really? (y/n)", `Send DELETE ${base}/echo? (y/n)`]);
  },
  async "with nobody to ask, # @note is sent where a variable from outside of the text confirms it"({
    lib,
    base,
  }) {
    const text = `# @note Really?\n# @name gone\nDELETE ${base}/echo`;
    const lab = lib.createClient();
    const before = `GET ${base}/echo\n\n###\n@confirm = yes\n${text}`;
    for (const refused of [text, before]) {
      assert.deepEqual(lab.needs(refused), ["confirm"]);
      await assert.rejects(lab.sendAll(refused), {
        name: "PromptError",
        message: /it asks for "confirm".*; confirm=yes sends what a "# @note" asks about$/,
      });
    }
    await assert.rejects(lab.send(`# @ref gone\nGET ${base}/echo`), { name: "PromptError" });
    lab.setVar("confirm", "no");
    await assert.rejects(lab.send(text), { name: "PromptError" });
    assert.equal(lab.history.length, 0, "nothing was sent");
    assert.deepEqual(lab.needs(`# @disabled\n# @prompt who\n${text}`), []);
    for (const yes of ["yes", "Y", true]) {
      lab.setVar("confirm", yes);
      assert.equal((await lab.send(text)).status, 200);
    }
  },
});
