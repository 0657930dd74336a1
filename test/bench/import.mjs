// An import as a whole process: `restlab import` against the converters of Bruno and of Postman.
//
//   npm ci --prefix test/bench     (once: the peers)
//   node test/bench/import.mjs [--quick]
//
// The peers convert and write one file of JSON; restlab writes a notebook, for which it renders each request.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, printCommands, runCommands } from "./process.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const ROUNDS = process.argv.includes("--quick") ? 1 : 5;
const OPERATIONS = 2_000;

const node = process.execPath;
const folder = mkdtempSync(join(tmpdir(), "restlab-bench-"));
try {
  console.log(
    `node ${process.version}, wall time of n runs in turn, processor time, peak memory\n`,
  );
  for (const [name, source, peers] of [
    ["OpenAPI", describeApi(), ["openApiToBruno", "openapi-to-postmanv2"]],
    ["Postman", describeCollection(), ["postmanToBruno"]],
  ]) {
    const text = JSON.stringify(source);
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    const results = await runCommands(contenders(file, peers), ROUNDS, folder);
    const size = (text.length / 1e6).toFixed(1);
    const title = `${name}, ${OPERATIONS} requests, ${size} MB (n=${ROUNDS})`;
    printCommands(title, results, "restlab import");
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function contenders(file, peers) {
  const main = join(here, "../../dist/kernel/main.js");
  const all = { "restlab import": { command: [node, main, "import", file, "--force"] } };
  for (const name of peers) {
    const packageName = name === "openapi-to-postmanv2" ? name : "@usebruno/converters";
    const command = [node, join(here, "import-contender.mjs"), name, file];
    all[name] = { command, missing: installed(join(here, "node_modules", packageName)) };
  }
  return all;
}

/** A description in which operations share schemas that refer to each other. */
function describeApi() {
  const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
  const json = (schema) => ({ content: { "application/json": { schema } } });
  const paths = {};
  for (let index = 0; index < OPERATIONS / 2; index++) {
    const tags = [`tag ${index % 40}`];
    const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
    const page = { name: "page", in: "query", schema: { type: "integer", minimum: 1 } };
    paths[`/things${index}/{id}`] = {
      get: {
        tags,
        operationId: `getThing${index}`,
        summary: `Get thing ${index}`,
        parameters: [id, page],
        responses: { 200: { description: "The thing", ...json(ref(`Thing${index % 200}`)) } },
      },
      post: {
        tags,
        operationId: `setThing${index}`,
        description: "Sets a thing. ".repeat(10),
        parameters: [id],
        requestBody: json(ref(`Thing${index % 200}`)),
        responses: { 204: { description: "It is set" } },
      },
    };
  }
  const text = { type: "string" };
  const schemas = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `Thing${index}`,
      {
        type: "object",
        properties: {
          name: text,
          email: { type: "string", format: "email" },
          tags: { type: "array", items: text },
          next: index === 0 ? text : ref(`Thing${Math.floor(index / 2)}`),
          kind: { enum: ["a", "b"] },
        },
      },
    ]),
  );
  return {
    openapi: "3.0.3",
    info: { title: "Things", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths,
    components: { schemas },
  };
}

function describeCollection() {
  const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
  const requests = Array.from({ length: OPERATIONS }, (_, index) => ({
    name: `Request ${index}`,
    request: {
      method: index % 2 === 0 ? "GET" : "POST",
      url: {
        raw: `https://api.example.com/things/:id?page=${index}`,
        protocol: "https",
        host: ["api", "example", "com"],
        path: ["things", ":id"],
        query: [
          { key: "page", value: String(index) },
          { key: "limit", value: "{{limit}}", disabled: true },
        ],
        variable: [{ key: "id", value: String(index) }],
      },
      header: [{ key: "Accept", value: "application/json" }],
      ...(index % 2 === 0 ? {} : { body: { mode: "raw", raw: '{"name": "{{name}}"}' } }),
      description: "What the request does. ".repeat(10),
    },
    event: [
      {
        listen: "test",
        script: {
          exec: [
            'pm.test("status", () => pm.response.to.have.status(200));',
            'pm.environment.set("id", pm.response.json().id);',
          ],
        },
      },
    ],
    response: [],
  }));
  const item = Array.from({ length: 40 }, (_, index) => ({
    name: `Folder ${index}`,
    item: requests.filter((_request, at) => at % 40 === index),
  }));
  return { info: { name: "Things", schema }, item };
}
