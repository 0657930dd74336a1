import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LateTypes } from "../../kernel/session/compiler/ambient.ts";
import { CellProgram } from "../../kernel/session/compiler/cell-program.ts";
import { type Compiler, findCompiler } from "../../kernel/session/compiler/mod.ts";
import { makeFolder } from "../support/folders.ts";

const compiler = createRequire(import.meta.url)(findCompiler()) as Compiler;

function createProgram(directory: string, lateTypes: readonly LateTypes[] = []): CellProgram {
  const program = new CellProgram(compiler, {
    directory,
    libraryTypes: undefined,
    globalTypes: "",
    lateTypes,
  });
  program.readTypes(true);
  return program;
}

type Program = ReturnType<CellProgram["open"]>;

const open = (program: CellProgram, source: string): Program =>
  program.open({ source, names: [], declarations: "" });

/** The messages about a cell. */
function messages(program: CellProgram, source: string): string[] {
  open(program, source);
  return program
    .check()
    .map(({ messageText }) => compiler.flattenDiagnosticMessageText(messageText, "\n"));
}

test("files that do not change are parsed once for all programs, in whatever folder", () => {
  const [first, second] = ["a", "b"].map((name) =>
    open(createProgram(makeFolder(name)), "1 + 1;"),
  ) as [Program, Program];
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
