import { readdirSync, readFileSync } from "node:fs";
import { transformWithOxc } from "vite";
import { describe, expect, test } from "vitest";
import { parseIpynb } from "../../kernel/run/read-document.ts";
import { renderIpynb } from "../../kernel/run/render-document.ts";
import { parseRequests, startsAsRequest } from "../../lib/request/mod.ts";

interface Cell {
  readonly cell_type: string;
  readonly id: string;
  readonly metadata: object;
  readonly source: readonly string[];
  readonly execution_count?: unknown;
  readonly outputs?: unknown;
}

const files = readdirSync("notebooks").filter((name) => name.endsWith(".ipynb"));
const read = (name: string): string => readFileSync(`notebooks/${name}`, "utf8");
const cellsOf = (name: string): readonly Cell[] => JSON.parse(read(name)).cells;

test("the readme leads to every notebook", () => {
  const readme = readFileSync("README.md", "utf8");
  const linked = [...readme.matchAll(/\(notebooks\/([\w-]+\.ipynb)\)/g)].map(([, name]) => name);
  expect([...new Set(linked)].sort()).toEqual(files);
});

describe.each(files)("%s", (file) => {
  test("is written as Jupyter writes it", () => {
    expect(read(file)).toBe(`${JSON.stringify(sortKeys(JSON.parse(read(file))), null, 1)}\n`);
  });

  test("without its outputs, is what restlab writes for a notebook that was not run", () => {
    const document = parseIpynb(read(file), file);
    expect(renderIpynb({ ...document, metadata: {} }, new Map())).toBe(withoutOutputs(read(file)));
    expect(document.cells.length).toBeGreaterThan(10);
  });

  test("has cells with unique readable ids, and outputs if it is one of the course", () => {
    const isSaved = /^\d/.test(file);

    const cells = cellsOf(file);
    expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length);
    for (const cell of cells) {
      expect(cell.id).toMatch(/^[a-z][a-z\d-]{0,63}$/);
      expect(cell.source.length).toBeGreaterThan(0);
      // Every line but the last ends with its line break.
      expect(cell.source.map((line) => line.endsWith("\n"))).toEqual(
        cell.source.map((_, index) => index < cell.source.length - 1),
      );
      const { source, cell_type, metadata, execution_count, outputs } = cell;
      if (cell_type === "markdown") {
        expect([metadata, outputs]).toEqual([{}, undefined]);
        continue;
      }
      const isRequest = startsAsRequest(source.join("")) || source[0]?.startsWith("%") === true;
      const { tags: _, ...others } = metadata as { readonly tags?: unknown };
      expect(others).toEqual(
        isRequest ? { magics_language: "properties", vscode: { languageId: "http" } } : {},
      );
      expect(outputs).toEqual(isSaved ? expect.any(Array) : []);
      expect(execution_count).toEqual(isSaved ? expect.any(Number) : null);
    }
  });

  test("begins by saying what it is and by starting the demo API", () => {
    const [first, second] = cellsOf(file);
    expect(first?.source[0]).toMatch(/^# \w/);
    expect(first?.source.join("")).toMatch(/(?:next|first) cell starts/);
    expect(second?.source).toEqual(["%demo"]);
  });

  const code = cellsOf(file)
    .filter((cell) => cell.cell_type === "code")
    .map(({ id, source }) => ({ id, text: source.join("") }));

  test.each(code.filter(({ text }) => startsAsRequest(text)))(
    "$id is a request to the demo",
    ({ text }) => {
      const requests = parseRequests(text);
      expect(requests.length).toBeGreaterThan(0);
      expect(text).toMatch(/\{\{(base|next)\}\}/);
    },
  );

  test.each(code.filter(({ text }) => !startsAsRequest(text) && !text.startsWith("%")))(
    "$id is TypeScript",
    async ({ text }) => {
      expect(text).not.toMatch(/^(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) /);
      await expect(transformWithOxc(`${text}\nexport {};`, "cell.ts")).resolves.toBeDefined();
    },
  );
});

test("the notebook on variables shows every rule", () => {
  const rules = cellsOf("02-variables.ipynb").flatMap(({ source }) =>
    /^## R\d/.exec(source[0] ?? ""),
  );
  expect(rules.filter(Boolean).join()).toBe(
    "## R1,## R2,## R3,## R4,## R5,## R6,## R7,## R8,## R9",
  );
});

test("the notebook on REST uses every method", () => {
  const methods = cellsOf("03-rest.ipynb")
    .map(({ source }) => source.join(""))
    .filter(startsAsRequest)
    .flatMap((text) => parseRequests(text).map(({ method }) => method));
  expect(new Set(methods)).toEqual(
    new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]),
  );
});

/** A notebook as a front end writes it after "clear all outputs". */
function withoutOutputs(text: string): string {
  const notebook = JSON.parse(text);
  for (const cell of notebook.cells) {
    if (cell.cell_type === "code") Object.assign(cell, { execution_count: null, outputs: [] });
  }
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, sortKeys(inner)]));
}
