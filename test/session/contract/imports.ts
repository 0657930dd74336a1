import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Contract } from "./lab.ts";

function write(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

export const imports: Contract = {
  "a namespace shows its exports, and is that of node otherwise": async ({ ok }) => {
    const { outcome } = await ok("import * as path from 'node:path'\npath");
    assert.ok(outcome.status === "ok");
    const { "text/plain": plain, "text/html": html } = outcome.result?.bundle() ?? {};
    assert.match(String(plain), /Module[\s\S]*sep: '\/'/);
    assert.match(String(html), /sep[\s\S]*\//);
    assert.doesNotMatch(`${plain}${html}`, /Getter/);
    const all = "[path.join('a', 'b'), Object.keys(path).includes('join'), 'default' in path]";
    assert.deepEqual((await ok(all)).value, ["a/b", true, true]);
  },
  "import from restlab gives the running library": async ({ directory, ok }) => {
    await ok("import { client as same, statusClass } from 'restlab'");
    assert.equal((await ok("same === client")).value, true);
    assert.equal((await ok("statusClass(404)")).value, "Client error");
    assert.equal((await ok("(await import('restlab')).client === client")).value, true);
    write(directory, {
      "own.ts": "import { client } from 'restlab'\nexport const mine = client\n",
    });
    assert.equal((await ok("import { mine } from './own'\nmine === client")).value, true);
  },
  "local files and cells have import.meta, and may begin with #!": async (lab) => {
    const { directory, ok, fail } = lab;
    const url = (name: string): string => String(pathToFileURL(join(directory, name)));
    write(directory, {
      "meta.ts":
        "#!/usr/bin/env node\nexport const meta = import.meta\nexport const near = import.meta.resolve('./near.ts')\n" +
        "export function fails(): never { throw new Error(import.meta.url) }\n",
      "plain.js": "#!/usr/bin/env node\nexport const at = import.meta.dirname\n",
      "with.js": "export const n = 1;\nif (n) { with ({}) {} }\n",
    });
    await ok("import { meta, near, fails } from './meta'\nimport { at } from './plain.js'");
    const { value } = await ok("[meta.url, meta.dirname, meta.filename, near, at]");
    const path = join(directory, "meta.ts");
    assert.deepEqual(value, [url("meta.ts"), directory, path, url("near.ts"), directory]);
    const { value: own } = await ok(
      "[import.meta.dirname, import.meta.resolve('./a.ts'), import.meta.resolve('node:fs')]",
    );
    assert.deepEqual(own, [directory, url("a.ts"), "node:fs"]);
    assert.match((await fail("fails()")).trace, /meta\.ts:4:\d+\)?\n/);
    assert.equal((await ok("#!/usr/bin/env -S restlab run\n1 + 1")).value, 2);
    const { message } = await fail("import './with.js'");
    assert.match(message, /with\.js/);
    assert.doesNotMatch(message, /cell \d/);
  },
  "node modules are imported with their types": async ({ ok, fail }) => {
    assert.equal((await ok("import { join } from 'node:path'\njoin('a', 'b')")).value, "a/b");
    assert.equal((await ok("import os from 'os'\nos.EOL")).value, "\n");
    await ok("%strict on");
    assert.match((await fail("const n: number = join('a')")).message, /'string'/);
    assert.equal((await ok("(await import('node:path')).basename('/x/y')")).value, "y");
  },
  "packages are imported with their types, ES modules alone included": async (lab) => {
    const { directory, ok, fail } = lab;
    const manifest = { type: "module", version: "1.0.0" };
    const entry = { types: "./index.d.ts", import: "./index.js" };
    write(directory, {
      "node_modules/only-esm/package.json": JSON.stringify({
        ...manifest,
        name: "only-esm",
        exports: { ".": entry, "./deep": { types: "./deep.d.ts", default: "./deep.js" } },
      }),
      "node_modules/only-esm/index.js": "export const triple = (n) => 3 * n; export default 'esm'",
      "node_modules/only-esm/index.d.ts":
        "export declare const triple: (n: number) => number; declare const d: string; export default d",
      "node_modules/only-esm/deep.js": "export const depth = 2",
      "node_modules/only-esm/deep.d.ts": "export declare const depth: number",
      "node_modules/old/package.json": JSON.stringify({ name: "old", main: "main.js" }),
      "node_modules/old/main.js": "module.exports = function old() { return 'cjs' }",
      "node_modules/waits/package.json": JSON.stringify({
        ...manifest,
        name: "waits",
        exports: "./index.js",
      }),
      "node_modules/waits/index.js": "export const late = await Promise.resolve('late')",
    });
    assert.equal((await ok("import { triple } from 'only-esm'\ntriple(2)")).value, 6);
    await ok("%strict on");
    assert.match((await fail("triple('2')")).message, /'number'/);
    assert.equal((await ok("import name from 'only-esm'\nname")).value, "esm");
    assert.equal((await ok("import { depth } from 'only-esm/deep'\ndepth")).value, 2);
    assert.equal((await ok("import old from 'old'\nold()")).value, "cjs");
    assert.equal((await ok("import { late } from 'waits'\nlate")).value, "late");
  },
  "a package that is not there is explained": async ({ fail }) => {
    assert.match((await fail("import x from 'no-such-package'")).message, /no-such-package/);
    assert.match((await fail("import x from './no-such-file'")).message, /no-such-file/);
  },
  "local TypeScript, JavaScript and JSON files are imported": async ({ directory, ok, fail }) => {
    write(directory, {
      "a.ts": "import { b } from './sub/b.ts'\nexport const a = (n: number): number => n + b",
      "sub/b.ts": "export const b = 10",
      "plain.js": "export const plain = 'js'\nexport function loose(a) { return a.b.c }",
      "old.cjs": "exports.cjs = __filename.endsWith('old.cjs')",
      "data.json": '{ "n": [1, 2] }',
      "marked.json": '\uFEFF{ "n": 3 }',
      "folder/index.ts": "export { default as where } from 'node:path'\nexport const index = 1",
    });
    assert.equal((await ok("import { a } from './a'\na(1)")).value, 11);
    await ok("%strict on");
    assert.match((await fail("a('1')")).message, /'number'/);
    assert.equal((await ok("import { a as again } from './a.ts'\nagain(2)")).value, 12);
    assert.equal((await ok("import { a as js } from './a.js'\njs(3)")).value, 13);
    assert.equal((await ok("import { plain } from './plain.js'\nplain")).value, "js");
    assert.equal((await ok("import { cjs } from './old.cjs'\ncjs")).value, true);
    assert.equal((await ok("import data from './data.json'\ndata.n[1]")).value, 2);
    assert.equal((await ok("import marked from './marked.json'\nmarked.n")).value, 3);
    assert.equal((await ok("import { index } from './folder'\nindex")).value, 1);
    assert.equal((await ok("(await import('./sub/b')).b")).value, 10);
  },
  "a changed file is seen by the next cell, through other files too": async ({ directory, ok }) => {
    write(directory, {
      "top.ts": "import { low } from './low'\nexport const top = () => low",
      "low.ts": "export const low: number = 1",
      "other.ts": "export const id = Math.random()",
      "live.json": '{ "v": 1 }',
    });
    const other = (await ok("import { id } from './other'\nid")).value;
    assert.equal((await ok("import { top } from './top'\ntop()")).value, 1);
    assert.equal((await ok("import live from './live.json'\nlive.v")).value, 1);
    write(directory, { "low.ts": "export const low: string = 'two'", "live.json": '{ "v": 22 }' });
    assert.equal((await ok("import { top } from './top'\ntop().toUpperCase()")).value, "TWO");
    assert.equal((await ok("import live from './live.json'\nlive.v")).value, 22);
    assert.equal(
      (await ok("import { id } from './other'\nid")).value,
      other,
      "unchanged files stay",
    );
  },
  "what was missing is found once it is there": async ({ directory, ok, fail }) => {
    await fail("import { arrived } from 'arrives'\narrived");
    write(directory, {
      "node_modules/arrives/package.json": '{ "name": "arrives", "main": "index.js" }',
      "node_modules/arrives/index.js": "exports.arrived = 'here'",
    });
    assert.equal((await ok("import { arrived } from 'arrives'\narrived")).value, "here");
    await fail("import { born } from './born'");
    write(directory, { "born.ts": "export const born = 1" });
    assert.equal((await ok("import { born } from './born'\nborn")).value, 1);
  },
  "files above the folder and circles of files are imported": async ({ directory, ok }) => {
    const above = `above-${Date.now()}-${process.pid}`;
    write(join(directory, ".."), { [`${above}/up.ts`]: "export const up = 'up'" });
    assert.equal((await ok(`import { up } from '../${above}/up'\nup`)).value, "up");
    write(directory, {
      "left.ts": "import { right } from './right'\nexport const left = () => right()",
      "right.ts": "import { left } from './left'\nexport const right = () => typeof left",
    });
    assert.equal((await ok("import { left } from './left'\nleft()")).value, "function");
  },
  "a file that imports what is missing ends no cell, and what is there later is found": async (
    lab,
  ) => {
    const { directory, ok } = lab;
    write(directory, {
      "needs.ts": "import type { Late } from './late'\nexport const n: Late = 1",
    });
    assert.match((await lab.fail("import { n } from './needs'\nn")).message, /late/);
    assert.equal((await ok("1 + 1")).value, 2);
    write(directory, { "late.ts": "export type Late = number" });
    assert.equal((await ok("import { n } from './needs'\nn")).value, 1);
  },
  "what cells have declared keeps its type when a later cell imports or augments": async (lab) => {
    const { directory, ok, fail } = lab;
    await ok("%strict on");
    write(directory, { "shape.ts": "export const make = () => ({ old: 1 })" });
    await ok("interface User { name: string }\nclass Point { x = 1 }\nenum Side { Left, Right }");
    await ok(
      "import { make } from './shape'\nconst made = make()\nconst user: User = { name: 'Ada' }",
    );
    await ok("const next = <T extends Point>(it: T) => ({ it, side: Side.Right, made });\n[user]");
    write(directory, { "shape.ts": "export const make = () => ({ renewed: 1 })" });
    await ok(
      "import { join } from 'node:path'\ndeclare global { interface Array<T> { mine?: T } }",
    );
    assert.equal((await ok("_[0].name.length + made.old + next(new Point()).side")).value, 5);
    assert.match((await fail("const n: number = [user].mine")).message, /'User'/);
    assert.match((await fail("make().old")).message, /'old'/);
    await ok("const Point = 'only the value is replaced'\nconst at: Point = { x: 2 }");
    assert.match((await fail("const n: number = join('a')")).message, /'string'/);
    assert.equal((await ok("type Side = 'left'\nSide.Right")).value, 1);
    assert.match((await fail("const side: Side = 'right'")).message, /'"right"'/);
  },
  "errors in local files are named with their file": async ({ directory, ok, fail }) => {
    await ok("%strict on");
    write(directory, { "wrong.ts": "export const a = 1\nexport const b: string = a" });
    const { message } = await fail("import { b } from './wrong'\nb");
    assert.match(message, /wrong\.ts:2:14 .*'string'/);
    write(directory, { "bad.json": "{ nope" });
    await fail("import bad from './bad.json'\nbad");
  },
};
