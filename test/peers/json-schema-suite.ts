// Runs the public test suite of JSON Schema through the validation of restlab, and prints what differs:
//
//   git clone https://github.com/json-schema-org/JSON-Schema-Test-Suite /tmp/suite
//   npx bun test/peers/json-schema-suite.ts /tmp/suite [draft2020-12]
//
// Optional tests are left out. Formats are not checked: for the suite they are annotations, while restlab checks them.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { parseJson } from "../../lib/json/mod.ts";
import { type Dialect, Schemas, validate } from "../../lib/schema/mod.ts";

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  draft4: 4,
  draft6: 6,
  draft7: 7,
  "draft2019-09": 2019,
  "draft2020-12": 2020,
};
/** What the suite's own server would give; those of other drafts stand in folders of their own. */
const SERVER = "http://localhost:1234/";

const [folder, draft = "draft2020-12"] = process.argv.slice(2);
const dialect = DIALECTS[draft];
if (folder === undefined || dialect === undefined) {
  throw new Error(
    `Write the folder of the suite, and a draft: ${Object.keys(DIALECTS).join(", ")}`,
  );
}

const read = (path: string): unknown => parseJson(readFileSync(path, "utf8"));

/** The schemas of the drafts, which ajv brings along. */
function metaSchemas(): readonly unknown[] {
  const refs = join(createRequire(import.meta.url).resolve("ajv"), "../refs");
  return readdirSync(refs, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => read(join(refs, name)));
}

const remotes = join(folder, "remotes");
const others: (readonly [uri: string, schema: unknown])[] = [
  ...metaSchemas().flatMap((schema) => {
    const { $id } = Object(schema) as { readonly $id?: string };
    return $id === undefined ? [] : [[$id.replace(/#$/, ""), schema] as const];
  }),
  ...readdirSync(remotes, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .filter((name) => !/^(?:draft|v\d)/.test(name) || name.startsWith(`${draft}/`))
    .map((name) => [SERVER + name, read(join(remotes, name))] as const),
];

function isValid(schema: unknown, data: unknown): boolean | string {
  try {
    const schemas = new Schemas();
    for (const [uri, other] of others) schemas.add(uri, other, dialect ?? 2020);
    const resource = schemas.add("https://schema.invalid/", schema, dialect ?? 2020);
    const faults = validate({ schema, resource }, data, schemas, { checksFormats: false });
    return faults.length === 0;
  } catch (error) {
    return (error as Error).message;
  }
}

const tests = join(folder, "tests", draft);
let [passed, failed] = [0, 0];
for (const name of readdirSync(tests).filter((one) => one.endsWith(".json"))) {
  const results = (read(join(tests, name)) as readonly Group[]).flatMap(
    ({ description, schema, tests: cases }) =>
      cases.map((one) => {
        const found = isValid(schema, one.data);
        if (found !== one.valid) {
          console.log(
            `  ${description}: ${one.description}: expected ${one.valid}, found ${found}`,
          );
        }
        return found === one.valid;
      }),
  );
  const right = results.filter((one) => one).length;
  console.log(`${name}: ${right} passed, ${results.length - right} failed`);
  passed += right;
  failed += results.length - right;
}
console.log(`${draft}: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
