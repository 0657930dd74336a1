import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Contract } from "./lab.ts";

/** A cell, the value that it comes to, and one whose types are wrong in a way that only types show. */
interface Case {
  readonly code: string;
  readonly value: unknown;
  readonly wrong: string;
}

/** Packages as their authors publish them, those with the most types last: the cells behind them see these, too. */
const PUBLISHED: Readonly<Record<string, Case>> = {
  semver: {
    code: 'import semver from "semver"\nsemver.major("5.9.3")',
    value: 5,
    wrong: "semver?.majorr; nope",
  },
  vitest: {
    code: 'import { expect } from "vitest"\nexpect({ a: 1 }).toEqual({ a: 1 })\ntypeof expect',
    value: "function",
    wrong: "expect(1).toBeNothing()",
  },
  "openapi-fetch": {
    code: 'import createClient from "openapi-fetch"\ninterface paths { "/users": { get: { responses: { 200: { content: { "application/json": { id: number }[] } } } } } }\nconst api = createClient<paths>({ baseUrl: "http://localhost" })\ntypeof api.GET',
    value: "function",
    wrong: "api.FETCH",
  },
  ws: {
    code: 'import { WebSocket as Socket } from "ws"\nSocket.OPEN',
    value: 1,
    wrong: "Socket.OPENED",
  },
  "tough-cookie": {
    code: 'import { Cookie } from "tough-cookie"\nCookie.parse("a=b")!.value',
    value: "b",
    wrong: "Cookie.parsed",
  },
  hono: {
    code: 'import { Hono } from "hono"\nconst app = new Hono().get("/", (c) => c.text("hi"))\nawait (await app.request("/")).text()',
    value: "hi",
    wrong: "app.gets",
  },
  "fast-check": {
    code: 'import fc from "fast-check"\nfc.sample(fc.constant(1), 1).join()',
    value: "1",
    wrong: "fc.samples",
  },
  zod: {
    code: 'import { z } from "zod"\nconst User = z.object({ id: z.number(), tags: z.array(z.string()) })\ntype User = z.infer<typeof User>\nconst user: User = User.parse({ id: 1, tags: ["a"] })\nuser.tags[0].toUpperCase()',
    value: "A",
    wrong: "user.tagss",
  },
  "date-fns": {
    code: 'import { addDays, format } from "date-fns"\nformat(addDays(new Date(2024, 0, 31), 1), "yyyy-MM-dd")',
    value: "2024-02-01",
    wrong: "addDays(new Date(), 1).nope",
  },
  lodash: {
    code: 'import _, { groupBy } from "lodash"\n[_.chunk([1, 2, 3], 2).length, groupBy(["a", "bb"], (it) => it.length)[2][0].length].join()',
    value: "2,2",
    wrong: "_.chunkk([1])",
  },
  "lodash/fp": {
    code: 'import fp from "lodash/fp"\nfp.map((n: number) => n + 1, [1]).join()',
    value: "2",
    wrong: "fp.mapp",
  },
};

/** What Deno and Bun import: a package of each kind, since its types are the same on every runtime. */
const ELSEWHERE = new Set(["semver", "vitest", "ws", "hono", "zod"]);

/** Packages by the way in which they say where their code and types are. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "types-by-condition": {
    "package.json": `{ "type": "module", "exports": { ".": {
      "import": { "types": "./index.d.mts", "default": "./index.mjs" },
      "require": { "types": "./index.d.cts", "default": "./index.cjs" } } } }`,
    "index.mjs": "export const value = 'shape'",
    "index.cjs": "exports.value = 'shape'",
    "index.d.mts": "export declare const value: string",
    "index.d.cts": "export declare const value: string",
  },
  "import-alone": {
    "package.json": `{ "type": "module", "exports": { "import": "./index.js" } }`,
    "index.js": "export const value = 'shape'",
    "index.d.ts": "export declare const value: string",
  },
  "patterns/deep/value": {
    "package.json": `{ "exports": { "./*": { "types": "./types/*.d.ts", "default": "./code/*.js" } } }`,
    "code/deep/value.js": "exports.value = 'shape'",
    "types/deep/value.d.ts": "export declare const value: string",
  },
  "@scope/main-alone": {
    "package.json": `{ "main": "./lib/main.js", "typings": "./lib/main" }`,
    "lib/main.js": "exports.value = 'shape'",
    "lib/main.d.ts": "export declare const value: string",
  },
  "types-elsewhere": {
    "package.json": `{ "main": "main.js" }`,
    "main.js": "exports.value = 'shape'",
    "../@types/types-elsewhere/package.json": `{ "types": "index.d.ts" }`,
    "../@types/types-elsewhere/index.d.ts": "export declare const value: string",
  },
  "types-versions": {
    "package.json": `{ "main": "main.js", "types": "new.d.ts", "typesVersions": { "<5.9": { "*": ["old.d.ts"] } } }`,
    "main.js": "exports.value = 'shape'",
    "new.d.ts": "export declare const value: string",
    "old.d.ts": "export declare const value: number",
  },
  "of-an-older-compiler": {
    "package.json": `{ "main": "main.js", "types": "main.d.ts" }`,
    "main.js":
      "module.exports = function main() { return 'shape' }; module.exports.value = 'shape'",
    "main.d.ts": `// TypeScript Version: 2.3
      /// <reference types="node" />
      import events = require("events");
      export as namespace Old;
      export = main;
      declare function main(): main.Text;
      declare namespace main { type Text = string; const value: Text; class Bus extends events.EventEmitter {} }`,
  },
  "throws-unless-imported": {
    "package.json": `{ "exports": { "require": "./index.cjs", "import": "./index.mjs" } }`,
    "index.cjs": "throw new Error('use import')",
    "index.mjs": "export const value = 'shape'",
    "index.d.mts": "export declare const value: string",
  },
};

function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Installs what the project itself has. */
function link(directory: string, names: readonly string[]): void {
  for (const name of new Set(names.map(packageOf))) {
    const path = join(directory, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(process.cwd(), "node_modules", name), path, "junction");
  }
}

export const packages: Contract = {
  "packages of every day are imported, with the types that their authors wrote": async (lab) => {
    const { directory, ok, fail } = lab;
    link(directory, [...Object.keys(PUBLISHED), "@types/lodash", "@types/ws"]);
    const isElsewhere = ["Deno", "Bun"].some((name) => name in globalThis);
    for (const [name, { code, value, wrong }] of Object.entries(PUBLISHED)) {
      if (isElsewhere && !ELSEWHERE.has(name)) continue;
      const run = await ok(code);
      assert.equal(run.value, value, name);
      assert.equal(run.stderr(), "", name);
      assert.match((await fail(wrong)).message, /TS2339|TS2551|TS2304/, name);
    }
  },
  "whatever a package says of its code and types is followed": async ({ directory, ok, fail }) => {
    for (const [name, files] of Object.entries(SHAPES)) {
      for (const [file, text] of Object.entries(files)) {
        const path = join(directory, "node_modules", packageOf(name), file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    }
    await ok("%strict on");
    for (const name of Object.keys(SHAPES)) {
      assert.equal((await ok(`import { value } from "${name}"\nvalue`)).value, "shape", name);
      assert.match((await fail("const wrong: number = value")).message, /'string'/, name);
    }
    await ok("import main from 'of-an-older-compiler'\nconst text: string = main()");
    await ok(
      "import old = require('of-an-older-compiler')\nconst none: old.Bus | undefined = undefined\nold().length",
    );
  },
};
