import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "./lab.ts";

/** A cell and the value that it comes to; where the runtime has to have something, its name. */
type Case = readonly [code: string, value: unknown, needs?: string];

const FILES: Readonly<Record<string, string>> = {
  "data.json": '{ "answer": 42 }',
  "dashed.ts": 'const one = 1;\nexport { one as "one-two" };',
  "late.ts": "export const late = 'late';",
  "plain.mts": "import { late } from './late.ts';\nexport const plain = `${late}!`;",
  "old.cts": "export const old = 'cts';",
};

/** What the release notes of TypeScript bring to the language, by release. */
const SYNTAX: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  "5.1": {
    "a function that returns undefined without return": [
      "(function f(): undefined {})()",
      undefined,
    ],
    "a getter and a setter of different types": [
      "class Box { #n = 0; get n(): string { return `${this.#n}` } set n(it: number) { this.#n = it } }\nconst box = new Box()\nbox.n = 5\nbox.n",
      "5",
    ],
  },
  "5.2": {
    using: [
      "const log: string[] = []\n{ using a = { [Symbol.dispose]: () => void log.push('a') }; log.push('b') }\nlog.join()",
      "b,a",
    ],
    "await using": [
      "const seen: string[] = []\n{ await using a = { [Symbol.asyncDispose]: async () => void seen.push('a') }; seen.push('b') }\nseen.join()",
      "b,a",
    ],
    "using in a loop and at the top level": [
      "let open = 0\nconst take = () => ({ n: ++open, [Symbol.dispose]: () => void open-- })\nfor (using it of [take(), take()]) it.n\nusing last = take()\nlast.n",
      1,
    ],
    "the metadata of decorators": [
      "(Symbol as { metadata?: symbol }).metadata ??= Symbol('metadata')\nfunction mark(_: unknown, { name, metadata }: ClassMethodDecoratorContext) { metadata['marked'] = name }\nclass A { @mark go() {} }\nA[Symbol.metadata]!['marked']",
      "go",
    ],
    "tuples with some names": [
      "type Pair = [first: number, string]\nconst pair: Pair = [1, 'b']\npair[1].length",
      1,
    ],
    "methods of a union of arrays": [
      "const list = ['a', ''] as string[] | number[]\nlist.filter((it) => !!it).length",
      1,
    ],
    "symbols as keys of a WeakMap": [
      "const key = Symbol('key')\nnew WeakMap<symbol, number>([[key, 1]]).get(key)!.toFixed(1)",
      "1.0",
    ],
  },
  "5.3": {
    "import attributes": ['import data from "./data.json" with { type: "json" }\ndata.answer', 42],
    "import attributes of an import()": [
      '(await import("./data.json", { with: { type: "json" } })).default.answer',
      42,
    ],
    "resolution-mode": [
      'import type { late } from "./late.ts" with { "resolution-mode": "import" }\nconst text: typeof late = "late"\ntext',
      "late",
    ],
    "switch (true)": [
      "const size = (it: unknown) => { switch (true) { case typeof it === 'string': return it.length; default: return 0 } }\nsize('abc')",
      3,
    ],
    "narrowing by Symbol.hasInstance": [
      "class Even { static [Symbol.hasInstance](it: unknown): it is number { return typeof it === 'number' && it % 2 === 0 } }\nconst n: unknown = 2\nn instanceof Even ? n.toFixed(1) : ''",
      "2.0",
    ],
  },
  "5.4": {
    "narrowing in closures": [
      "function later(it: string | number) { if (typeof it === 'number') it = it.toFixed(1); return [1].map(() => it.toUpperCase())[0] }\nlater(1)",
      "1.0",
    ],
    NoInfer: [
      "const pick = <T extends string>(all: T[], one: NoInfer<T>) => all.includes(one)\npick(['a', 'b'], 'a')",
      true,
    ],
    "Object.groupBy": [
      "Object.groupBy([1, 2], (n) => (n % 2 ? 'a' : 'b')).a!.length",
      1,
      "Object.groupBy",
    ],
  },
  "5.5": {
    "inferred type predicates": [
      "const texts = [1, 'a'].filter((it) => typeof it === 'string')\ntexts[0].toUpperCase()",
      "A",
    ],
    "narrowing of o[key]": [
      "function up(o: Record<string, unknown>, key: string) { if (typeof o[key] === 'string') return o[key].toUpperCase(); return '' }\nup({ a: 'x' }, 'a')",
      "X",
    ],
    "regular expressions with the flag v": ["/[\\p{L}--[a-z]]/v.test('A')", true],
    "methods of sets": ["new Set([1]).union(new Set([2])).size", 2, "Set.prototype.union"],
  },
  "5.6": {
    "names of exports that are no identifiers": [
      'import { "one-two" as one } from "./dashed.ts"\none',
      1,
    ],
    "helpers of iterators": [
      "[1, 2].values().map((n) => n + 1).toArray().join()",
      "2,3",
      "Iterator",
    ],
  },
  "5.7": {
    "typed arrays by their buffer": [
      "const bytes: Uint8Array<ArrayBuffer> = new Uint8Array(2)\nbytes.buffer.byteLength",
      2,
    ],
    "Promise.withResolvers": [
      "const ready = Promise.withResolvers<number>()\nready.resolve(1)\nawait ready.promise",
      1,
      "Promise.withResolvers",
    ],
  },
  "5.8": {
    "computed names of a class": [
      "const named = 'go' as const\nclass Walker { [named]() { return 1 } }\nnew Walker().go()",
      1,
    ],
    "a file .mts and a file .cts": [
      'import { plain } from "./plain.mts"\nimport { old } from "./old.cts"\nplain + old',
      "late!cts",
    ],
  },
  "5.9": {
    "import defer": ['import defer * as module from "./late.ts"\nmodule.late', "late"],
  },
};

function isThere(path: string): boolean {
  return (
    path.split(".").reduce<unknown>((value, name) => Object(value)[name], globalThis) !== undefined
  );
}

export const syntax: Contract = Object.fromEntries(
  Object.entries(SYNTAX).map(([release, cases]) => [
    `TypeScript ${release} is read and run`,
    async ({ directory, ok, fail }) => {
      for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, name), text);
      await ok("%strict on");
      for (const [name, [code, value, needs]] of Object.entries(cases)) {
        if (needs !== undefined && !isThere(needs)) {
          assert.match((await fail(code)).message, /TS2339|TS2550|TS2304/, name);
        } else assert.equal((await ok(code)).value, value, name);
      }
    },
  ]),
);
