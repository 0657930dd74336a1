import { execFile } from "node:child_process";
import { readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memberOf } from "../../lib/interpolation/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { importTexts, json, sendAll } from "../import/fixture.ts";
import { makeFolder } from "../support/folders.ts";
import { type Received, type Recorder, startRecorder } from "../support/recorder.ts";
import { hasTools, TOOLS } from "../support/require.ts";
import { SEED } from "./seed.ts";

const require = createRequire(TOOLS.newman);

let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

/** Sources that no import can read, and why. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  "insomnia-1/": /export of an old Insomnia/,
  "har/(?:minimal|shallow|form-data)": /No reader knows/, // A request of HAR without its file
};

/** Sources without a request that can be sent. */
const EMPTY =
  /openapi-workshop\/|webhooks|postman-env\/|insomnia-[34]\/|no-requests|no-url|title\.json/;

/** The texts of the sources that two packages have for tests of importers. */
function sources(): readonly (readonly [name: string, text: string])[] {
  const importers = dirname(require.resolve("insomnia-importers/package.json"));
  const examples = dirname(require.resolve("@readme/oas-examples/package.json"));
  const folders = [
    join(importers, "src/importers/fixtures"),
    ...["2.0", "3.0", "3.1"].map((one) => join(examples, one)),
  ];
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:json|ya?ml|sh)$/.test(name) && !/-output|wsdl|README/.test(name))
      .map((name) => [name, readFileSync(join(folder, name), "utf8")] as const),
  );
}

describe.skipIf(!hasTools("newman"))("sources that other importers are tested with", () => {
  test("are imported, can be sent, and are the same when they are imported again", async () => {
    const faults: string[] = [];
    let requests = 0;
    for (const [name, text] of sources()) {
      const refused = Object.entries(REFUSED).find(([one]) => new RegExp(one).test(name))?.[1];
      if (refused !== undefined) {
        expect(() => importTexts([{ name, text }]), name).toThrow(refused);
        continue;
      }
      const imported = importTexts([{ name, text }], { keepsMarks: true });
      requests += imported.requests;
      if (imported.requests === 0 && !EMPTY.test(name)) faults.push(`${name} has no request`);
      const { document } = imported;
      const again = importTexts([{ name, text }], { keepsMarks: true, existing: () => document });
      if (again.document !== document) faults.push(`${name} changes`);
      faults.push(...(await checkAll(imported)).map((fault) => `${name}: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(requests).toBeGreaterThan(1_500);
  });
});

/** The faults of a document, once a person has filled in what is missing. */
async function checkAll({
  document,
  files,
  missing,
}: ReturnType<typeof importTexts>): Promise<readonly string[]> {
  if (document.trim() === "") return [];
  const client = createClient({
    readFile: async (path) => new TextEncoder().encode(String(files.get(path) ?? "{}")),
  });
  await client.useEnv();
  // A scheme, a host, a port or a name.
  for (const name of missing) client.setVar(name, /proto|scheme/i.test(name) ? "http" : "1");
  const faults = await client.check(document);
  return faults.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
}

/** A value of a row, and none. */
const VALUE = fc.oneof(
  fc.constantFrom("a", "x y", "é", "a&b", "a=b", "50%", "%20", "{{name}}", "a{{id}}b", "", "a+b"),
  fc.constantFrom('"q"', "a/b", "{{unset}}", "’", "[1]", "~", "back\\slash", "{x}", "|", ";", "'"),
  fc.string({ maxLength: 6 }).map((text) => text.trim()),
  fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => text.trim()),
  fc.constant(null),
);
const KEY = fc.constantFrom("a", "b", "page", "x[]", "a b", "{{name}}", "é", "x.y");
const DISABLED = fc.option(fc.boolean(), { nil: undefined });
const ROW = fc.record({ key: KEY, value: VALUE, disabled: DISABLED });
const HEADER = fc.record({
  key: fc.constantFrom("X-A", "X-B", "Accept", "x-lower"),
  value: fc.constantFrom("1", "a b", "{{name}}", "v{{id}}", "", "a: b", '"q"'),
  disabled: DISABLED,
});
const RAW = fc.record({
  language: fc.constantFrom("json", "text", "xml", "javascript", "html", undefined),
  raw: fc.constantFrom(
    ...['{"a": 1}', '{"a": "{{name}}"}', '{\n  "a": {{id}}\n}', "text {{name}}", "<a>{{id}}</a>"],
    ...["", "### x\nGET /evil", "a\nb", "[1, 2]", "{{body}}", "line\n\nline", "< file"],
    ...['{"a": "\\\\{{name}}"}', "# @name x", "?? status == 200", "> {% x %}"],
    '{"a": 1, // b\n "c": "//d" /* e */}',
  ),
});
const BODY = fc.oneof(
  fc.constant(undefined),
  RAW.map(({ language, raw }) => ({ mode: "raw", raw, options: { raw: { language } } })),
  fc.array(ROW, { maxLength: 4 }).map((urlencoded) => ({ mode: "urlencoded", urlencoded })),
  fc.array(ROW, { maxLength: 3 }).map((rows) => ({
    mode: "formdata",
    formdata: rows.map((row) => ({ ...row, type: "text" })),
  })),
  fc.constantFrom("", '{"a": {{id}}}').map((variables) => ({
    mode: "graphql",
    graphql: { query: "query Q($a: Int) { a }", variables },
  })),
);
const fields = (values: object): readonly object[] =>
  Object.entries(values).map(([key, value]) => ({ key, value, type: "string" }));
const AUTH = fc.constantFrom(
  undefined,
  { type: "noauth" },
  { type: "basic", basic: fields({ username: "u", password: "p{{id}}" }) },
  { type: "bearer", bearer: fields({ token: "t-{{name}}" }) },
  { type: "apikey", apikey: fields({ key: "k", value: "{{name}}", in: "header" }) },
  { type: "apikey", apikey: fields({ key: "k", value: "v w", in: "query" }) },
);
const SEGMENT = fc.constantFrom(
  ...["a", ":id", ":p", "{{name}}", "x y", "é", "a%20b", "v1.0", "(x)", "a:b", "*", "a@b", ""],
);

/** A request of Postman, whose URL is a text or an object, to a port. */
const REQUEST = fc
  .record({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"),
    path: fc.array(SEGMENT, { maxLength: 4 }),
    query: fc.array(ROW, { maxLength: 4 }),
    isText: fc.boolean(),
    header: fc.array(HEADER, { maxLength: 3 }),
    body: BODY,
    auth: AUTH,
  })
  .map(({ path, query, isText, ...rest }) => (port: number) => {
    const pairs = query
      .filter(({ disabled }) => disabled !== true)
      .map(({ key, value }) => (value === null ? key : `${key}=${value}`));
    const raw = [`http://127.0.0.1:${port}/${path.join("/")}`, ...pairs]
      .join("&")
      .replace("&", "?");
    const variable = path
      .filter((segment) => segment.startsWith(":"))
      .map((segment) => ({ key: segment.slice(1), value: segment === ":p" ? "va {{id}}" : "7" }));
    const parts = { protocol: "http", host: ["127", "0", "0", "1"], port: String(port) };
    return { ...rest, url: isText ? raw : { raw, ...parts, path, query, variable } };
  });

const USUAL =
  /^(?:host|connection|user-agent|accept-encoding|accept-language|content-length|cache-control|postman-token|request-start-time)$/i;

/** What tools accept unless a person says something else. */
const ANY = /^accept: (?:application\/json, text\/plain, )?\*\/\*$/i;

/** What a request says, in whichever of its forms it is written. */
function meaning({ line, headers, body }: Received): string {
  const own = Object.entries(headers)
    .filter(([name, value]) => !USUAL.test(name) && !ANY.test(`${name}: ${value}`))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .sort();
  const [, boundary] = /boundary=(\S+)/.exec(own.join("\n")) ?? [];
  const text = [decode(line), ...own, "", meaningOfBody(body, own.join("\n"))].join("\n");
  return boundary === undefined ? text : text.replaceAll(boundary, "BOUNDARY");
}

function meaningOfBody(body: string, headers: string): string {
  if (/x-www-form-urlencoded/.test(headers)) {
    return [...new URLSearchParams(body)]
      .map((pair) => pair.join("="))
      .sort()
      .join("&");
  }
  try {
    const { operationName: _, ...rest } = { all: JSON.parse(body), ...JSON.parse(body) };
    return json({ ...rest, all: "query" in rest ? undefined : rest.all });
  } catch {
    return body.replaceAll("\r\n", "\n");
  }
}

function decode(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

/** What newman sends for a collection, and what is sent once it is imported. */
async function sentByBoth(collection: object): Promise<readonly (readonly string[])[]> {
  const { run } = require("newman") as {
    run(options: object, done: (error: Error | null) => void): void;
  };
  recorder.take();
  await new Promise<void>((resolve, reject) =>
    run({ collection, reporters: [] }, (error) => (error ? reject(error) : resolve())),
  );
  const theirs = recorder.take().map(meaning);
  const imported = importTexts([json(collection)]);
  const unset = imported.missing.map((name) => [name, `{{${name}}}`]);
  const ours = await sendAll(imported, recorder, Object.fromEntries(unset));
  return [ours.map(meaning), theirs];
}

describe.skipIf(!hasTools("newman"))("collections that other importers are tested with", () => {
  /** Logins that newman computes or skips, files that are missing, no URL. */
  const OTHERS = /oauth1|digest|export-oauth2|complex-v2_[01]-|minimal/;

  test("send what newman sends", async () => {
    // Their hosts lead here, and their scripts would run in newman alone.
    const read = (key: string, value: unknown): unknown => {
      if (key === "event") return undefined;
      if (typeof value === "string") return value.replace(/https?:\/\/[\w.-]+/g, recorder.base);
      const here = { protocol: "http", host: "127.0.0.1", port: `${recorder.port}` };
      return memberOf(value, "host") === undefined ? value : { ...Object(value), ...here };
    };
    const collections = sources().filter(
      ([name]) => name.startsWith("postman/") && !OTHERS.test(name),
    );
    for (const [name, text] of collections) {
      const [ours, theirs] = await sentByBoth(JSON.parse(text, read) as object);
      expect(ours, name).toEqual(theirs);
    }
    expect(collections.length).toBeGreaterThan(10);
  });
});

describe.skipIf(!hasTools("newman"))("a random collection of Postman", () => {
  test("sends what newman sends", async () => {
    const variable = [
      { key: "name", value: "Ada L" },
      { key: "id", value: "42" },
      { key: "body", value: '{"b": true}' },
    ];
    const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
    const item = fc.sample(REQUEST, { seed: SEED, numRuns: 200 }).map((requestTo, index) => ({
      name: `R${index}`,
      request: JSON.parse(json(requestTo(recorder.port))),
    }));
    const [ours, theirs] = await sentByBoth({ info: { name: "C", schema }, variable, item });
    expect(ours).toEqual(theirs);
    expect(ours).toHaveLength(item.length);
  });
});

/** Rows as Bruno writes them. */
const BRUNO_ROWS = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b", "page", "x[]", "é", "x.y", "a-b"),
    value: fc.constantFrom(
      ...["a", "x y", "é", "a=b", "50%", "{{name}}", "a{{id}}b", "", "<b>", '"q"', "a/b"],
      ...["’", "[1]", "a,b", "~", "|", "'", "a: b", "@x", "1"],
    ),
    enabled: fc.boolean(),
  }),
  { maxLength: 4 },
);
/** Bruno sends the Content-Type of a form without fields, and no form. */
const BRUNO_FIELDS = BRUNO_ROWS.map((rows) => [
  { name: "first", value: "1", enabled: true },
  ...rows,
]);
const BRUNO_BODY = fc.oneof(
  fc.constant({ mode: "none", body: {} }),
  fc
    .constantFrom('{\n  "a": 1\n}', '{"a": "{{name}}"}', '{"a": {{id}}, // c\n "b": 2}', "[1, 2]")
    .map((json) => ({ mode: "json", body: { json } })),
  fc
    .tuple(
      fc.constantFrom("text", "xml", "sparql"),
      fc.constantFrom("text {{name}}", "<a>{{id}}</a>", "a\n\nb", "### x\nGET http://evil.test/"),
    )
    .map(([mode, text]) => ({ mode, body: { [mode]: text } })),
  BRUNO_FIELDS.map((formUrlEncoded) => ({ mode: "formUrlEncoded", body: { formUrlEncoded } })),
  BRUNO_FIELDS.map((rows) => ({
    mode: "multipartForm",
    body: { multipartForm: rows.map((row) => ({ ...row, type: "text" })) },
  })),
  fc.constantFrom("{}", '{"a": {{id}}}').map((variables) => ({
    mode: "graphql",
    body: { graphql: { query: "query Q {\n  a\n}", variables } },
  })),
);
const BRUNO_REQUEST = fc.record({
  method: fc.constantFrom("get", "post", "put", "delete", "patch", "options"),
  path: fc.array(fc.constantFrom("a", ":id", ":p", "{{name}}", "x y", "é", "v1.0", "a@b"), {
    maxLength: 4,
  }),
  query: BRUNO_ROWS,
  headers: fc.array(
    fc.record({
      name: fc.constantFrom("X-A", "X-B", "x-lower", "Accept"),
      value: fc.constantFrom("1", "a b", "{{name}}", "v{{id}}", "a: b", '"q"'),
      enabled: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  body: BRUNO_BODY,
  auth: fc.constantFrom<Readonly<Record<string, unknown>>>(
    { mode: "none" },
    { mode: "inherit" },
    { mode: "basic", basic: { username: "u", password: "p{{id}}" } },
    { mode: "bearer", bearer: { token: "t-{{name}}" } },
    { mode: "apikey", apikey: { key: "k", value: "{{name}}", placement: "header" } },
  ),
  /** Whether the request has a variable that the collection has as well. */
  hasOwn: fc.boolean(),
});

describe.skipIf(!hasTools("bru"))("random requests of Bruno", () => {
  test("send what its command line sends", async () => {
    const { jsonToBruV2, jsonToCollectionBru } = createRequire(realpathSync(TOOLS.bru))(
      "@usebruno/lang",
    ) as Record<"jsonToBruV2" | "jsonToCollectionBru", (data: object) => string>;
    const requests = fc.sample(BRUNO_REQUEST, { seed: SEED, numRuns: 100 });
    const variable = (name: string, value: string): object => ({ name, value, enabled: true });
    const files = new Map([
      ["bruno.json", json({ version: "1", name: "C", type: "collection" })],
      [
        "collection.bru",
        jsonToCollectionBru({
          headers: [variable("X-Collection", "c{{id}}")],
          auth: { mode: "basic", basic: { username: "cu", password: "cp" } },
          vars: { req: [variable("name", "Ada L"), variable("id", "42")] },
        }),
      ],
    ]);
    for (const [index, { path, query, body, auth, hasOwn, ...rest }] of requests.entries()) {
      const pairs = query.filter(({ enabled }) => enabled).map((row) => `${row.name}=${row.value}`);
      const address = `${recorder.base}/r${index}/${path.join("/")}`;
      const names = new Set(path.filter((segment) => segment.startsWith(":")));
      const isGraphql = body.mode === "graphql";
      files.set(
        `r${index}.bru`,
        jsonToBruV2({
          meta: { name: `r${index}`, type: isGraphql ? "graphql" : "http", seq: index + 1 },
          http: {
            method: isGraphql ? "post" : rest.method,
            url: pairs.length === 0 ? address : `${address}?${pairs.join("&")}`,
            body: body.mode,
            auth: auth["mode"],
          },
          params: [
            ...query.map((row) => ({ ...row, type: "query" })),
            ...[...names].map((name) => ({
              ...variable(name.slice(1), name === ":p" ? "va{{id}}" : "7"),
              type: "path",
            })),
          ],
          headers: rest.headers,
          auth,
          body: body.body,
          vars: hasOwn ? { req: [variable("id", "9")] } : {},
        }),
      );
    }
    const cwd = makeFolder("bruno");
    for (const [name, text] of files) writeFileSync(join(cwd, name), text);
    recorder.take();
    await promisify(execFile)(TOOLS.bru, ["run", "--sandbox", "developer"], { cwd });
    const theirs = byRequest(recorder.take());
    const imported = importTexts([{ name: "C", text: "", files: Object.fromEntries(files) }]);
    const ours = byRequest(await sendAll(imported, recorder));
    expect(ours).toEqual(theirs);
    expect(Object.keys(ours)).toHaveLength(requests.length);
  });
});

/** What requests say, by the first segment of their paths. */
function byRequest(received: readonly Received[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    received.map((one) => [
      /\/(r\d+)\//.exec(one.line)?.[1] ?? one.line,
      meaning(one).replaceAll("+", " ").replace(',"variables":{}', ""),
    ]),
  );
}
