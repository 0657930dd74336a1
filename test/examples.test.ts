import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { transformWithOxc } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemo } from "../kernel/demo/mod.ts";
import type { Demo } from "../kernel/demo/serve.ts";
import { platform } from "../kernel/platform/library.ts";
import { runFile } from "../kernel/run/library.ts";
import * as restlab from "../lib/mod.ts";

/** The folder of the documents that examples run. */
const folder = mkdtempSync(join(tmpdir(), "restlab-examples-"));

/** What examples can name: what the entries of the package export. */
const names = {
  ...restlab,
  expect,
  platform,
  runFile: (path: string, options: object) => runFile(join(folder, path), options),
};

/** The document of the reference page. */
const USERS = `### read a user
# @tag smoke
GET {{base}}/users/1
?? status == 200
?? body name contains Ada

### create a user
POST {{base}}/users
Content-Type: application/json

{"name": "Mary Shelley", "email": "mary@example.com"}

?? status == 200
`;

const ROOT = resolve(import.meta.dirname, "..");
/** Examples write the embedded API's usual address; here it listens on a free port. */
const DEMO_URL = /http:\/\/127\.0\.0\.1:8787/g;

interface Example {
  readonly title: string;
  readonly code: string;
}

const sources = readdirSync(join(ROOT, "lib"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join("lib", name))
  .concat("kernel/run/library.ts");

const pages = readdirSync(join(ROOT, "notebooks"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("notebooks", name));

const examples: readonly Example[] = [
  ...sources.flatMap((path) =>
    examplesOf(path, /\/\*\*[\s\S]*?\*\//g, (it) => it.replace(/^\s*\* ?/gm, "")),
  ),
  ...["README.md", ...pages].flatMap((path) => examplesOf(path, /[\s\S]+/g, (it) => it)),
];

function examplesOf(
  path: string,
  area: RegExp,
  plain: (text: string) => string,
): readonly Example[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  return [...text.matchAll(area)].flatMap(([part]) =>
    [...plain(part).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([block, code = ""]) => {
      const line = text.slice(0, text.indexOf(part)).split("\n").length;
      return { title: `${path}:${line} ${block.split("\n")[1]}`, code };
    }),
  );
}

/** Lines `expression; // literal` become checks; `// throws Name` expects that error. */
function withChecks(code: string): string {
  return code
    .replace(/^import .*from "restlab(?:\/\w+)?";$/gm, "")
    .replace(
      /^(?!\s*(?:\/\/|const |let |import |\}|\.))(\s*)(.+?);[ \t]+\/\/ (.+)$/gm,
      (_line, indent: string, expression: string, comment: string) =>
        `${indent}await __check(async () => (${expression}), ${JSON.stringify(comment)});`,
    );
}

async function check(run: () => Promise<unknown>, comment: string): Promise<void> {
  const name = /^throws (\w+)/.exec(comment)?.[1];
  if (name !== undefined) {
    await expect(run(), comment).rejects.toMatchObject({ name });
    return;
  }
  const value = await run();
  const wanted = literal(comment);
  if (wanted !== undefined) expect(value).toEqual(wanted.value);
}

function literal(text: string): { value: unknown } | undefined {
  try {
    return { value: new Function(`"use strict"; return (${text});`)() };
  } catch (error) {
    // A remark in words, not a value: the example is run, and nothing is compared.
    if (error instanceof SyntaxError || error instanceof ReferenceError) return undefined;
    throw error;
  }
}

describe("docstring examples", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ port: 0 });
    mkdirSync(join(folder, "api"));
    writeFileSync(join(folder, "api/users.http"), USERS);
  });
  afterAll(async () => {
    await demo.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("there are some", () => {
    expect(examples.length).toBeGreaterThan(10);
  });

  test.each(examples)("$title", async ({ code }) => {
    const wrapped = `export default async (__lib, __check) => { const { ${Object.keys(names).join(", ")} } = __lib; { ${withChecks(code)}\n } };`;
    const { code: script } = await transformWithOxc(
      wrapped.replace(DEMO_URL, demo.url.replace(/\/$/, "")),
      "example.ts",
    );
    const module = await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(script)}`
    );
    await module.default({ ...names, client: restlab.createClient() }, check);
  });
});
