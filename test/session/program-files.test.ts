import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LateTypes } from "../../kernel/session/compiler/ambient.ts";
import { CellProgram } from "../../kernel/session/compiler/cell-program.ts";
import { type Compiler, findCompiler } from "../../kernel/session/compiler/mod.ts";
import { makeFolder } from "../support/folders.ts";

const compiler = createRequire(import.meta.url)(findCompiler()) as Compiler;

function createProgram(
  directory: string,
  lateTypes: readonly LateTypes[] = [],
  responseTypes: () => string = () => "",
): CellProgram {
  const program = new CellProgram(compiler, {
    directory,
    libraryTypes: undefined,
    globalTypes: "",
    lateTypes,
    responseTypes,
  });
  while (program.readTypes(false));
  return program;
}

/** The messages about a cell. */
function messages(program: CellProgram, source: string): string[] {
  program.declareMentioned(source);
  program.open(source);
  return program
    .check()
    .map(({ messageText }) => compiler.flattenDiagnosticMessageText(messageText, "\n"));
}

test("files that do not change are parsed once for all programs, in whatever folder", () => {
  const [first, second] = [
    createProgram(makeFolder("a")).current,
    createProgram(makeFolder("b")).current,
  ];
  const libraries = first
    .getSourceFiles()
    .filter(({ fileName }) => fileName.includes("/node_modules/"));
  expect(libraries.length).toBeGreaterThan(50);
  for (const file of libraries) {
    // `toBe` would print both trees.
    expect(second.getSourceFile(file.fileName) === file, file.fileName).toBe(true);
  }
});

test.each(["", "node_modules/package"])(
  'two programs in one folder, "%s", have cells and files of their own',
  (inner) => {
    const folder = join(makeFolder("shared"), inner);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "local.ts"), "export const local = 1;");
    const [first, second] = [createProgram(folder), createProgram(folder)];
    for (let round = 0; round < 3; round++) {
      expect(messages(first, `const a: number = ${round};`)).toEqual([]);
      expect(messages(second, `const a: string = ${round};`)).toEqual([
        "Type 'number' is not assignable to type 'string'.",
      ]);
      expect(messages(first, "import { local } from './local'; local.length;")).toEqual([
        "Property 'length' does not exist on type '1'.",
      ]);
    }
  },
);

test("a package that was replaced is read by a program that begins later", () => {
  const folder = makeFolder("replaced");
  const types = join(folder, "node_modules", "package", "index.d.ts");
  mkdirSync(join(types, ".."), { recursive: true });
  const cell = "import { value } from 'package'; value.length;";
  writeFileSync(types, "export const value: number;");
  const first = createProgram(folder);
  expect(messages(first, cell)).toHaveLength(1);
  writeFileSync(types, "export const value: readonly string[];");
  expect(messages(createProgram(folder), cell)).toEqual([]);
  expect(messages(first, `${cell} 1;`)).toHaveLength(1);
});

test("types of a global that take long to read are read when a cell mentions it", () => {
  let reads = 0;
  const declare = (): string => {
    reads += 1;
    return "export {};\ndeclare global { const late: { readonly size: number }; }\n";
  };
  const program = createProgram(makeFolder("late"), [{ name: "late", declare }]);
  expect(messages(program, "later;")).toEqual(["Cannot find name 'later'. Did you mean 'late'?"]);
  expect(reads).toBe(0);
  expect(messages(program, "late.width;")).toEqual([
    "Property 'width' does not exist on type '{ readonly size: number; }'.",
  ]);
  expect(messages(program, "const n: number = late.size;")).toEqual([]);
  expect(reads).toBe(1);
});

test("responses are declared from the first cell on that mentions them", () => {
  let written = 0;
  const program = createProgram(makeFolder("responses"), [], () => {
    written += 1;
    return `  interface RestlabResponses { login: { json: ${written === 1 ? "number" : "string"} } }\n`;
  });
  expect(messages(program, "client; 1 + 1;")).toEqual([]);
  expect(written).toBe(0);
  expect(
    messages(program, "let n: number = (client.responses as RestlabResponses).login.json;"),
  ).toEqual([]);
  expect(messages(program, "n = (null as any as RestlabResponses).login.json;")).toHaveLength(1);
  expect(written).toBe(2);
});

test("a cell reads no more types than it needs", () => {
  const given = {
    directory: makeFolder("tiers"),
    libraryTypes: undefined,
    globalTypes: "",
    lateTypes: [],
    responseTypes: () => "",
  };
  const program = new CellProgram(compiler, given);
  program.readTypes(true);
  const has = (name: string): boolean =>
    program.current.getSourceFiles().some(({ fileName }) => fileName.endsWith(name));
  expect(messages(program, "const a: number = 1 + 1;")).toEqual([]);
  expect([has("lib.es5.d.ts"), has("lib.es2015.d.ts"), has("/url.d.ts")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(
    messages(program, "new URL('http://h/').searchParams.get('a'); process.argv.at(-1);"),
  ).toEqual([]);
  expect([has("lib.es2015.d.ts"), has("/url.d.ts"), has("/crypto.d.ts")]).toEqual([
    true,
    true,
    false,
  ]);
  // The type of `stdout` is one of a module that has not been read.
  expect(messages(program, "process.stdout.nothing;")).toHaveLength(1);
  expect(has("/tty.d.ts")).toBe(true);
});

test("a cell is checked by the checker of the cells before it", () => {
  const program = createProgram(makeFolder("same"));
  program.open("const first = { a: 1 };", ["first"]);
  expect(program.check()).toEqual([]);
  const before = program.current;
  program.keep(program.emit(), () => true);
  expect(messages(program, "const second: string = first.a;")).toHaveLength(1);
  expect(messages(program, "const second: string = first.a;")).toHaveLength(1);
  // The first of them made the program read all types there are.
  const after = program.current;
  expect(messages(program, "const third: number = first.a;")).toEqual([]);
  expect([program.current === after, before === after]).toEqual([true, false]);
});
