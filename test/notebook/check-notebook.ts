import { expect } from "vitest";

/** A code cell as nbformat 4.5 stores it, as far as tests look at it. */
export interface StoredCell {
  readonly cell_type: string;
  readonly id: string;
  readonly source: readonly string[];
  readonly execution_count?: number | null;
  readonly outputs?: readonly Record<string, unknown>[];
}

const OUTPUT_KEYS: Readonly<Record<string, readonly string[]>> = {
  stream: ["name", "output_type", "text"],
  display_data: ["data", "metadata", "output_type"],
  execute_result: ["data", "execution_count", "metadata", "output_type"],
  error: ["ename", "evalue", "output_type", "traceback"],
};

const isLines = (value: unknown): boolean =>
  Array.isArray(value) && value.every((line) => typeof line === "string");

/**
 * Checks a notebook's text against nbformat 4.5 (nbformat.v4.5.schema.json): required keys, no
 * others, ids, multi-line strings.
 *
 * @returns Its cells.
 */
export function checkNotebook(text: string): readonly StoredCell[] {
  expect(text.endsWith("}\n")).toBe(true);
  const notebook = JSON.parse(text);
  expect(Object.keys(notebook).sort()).toEqual(["cells", "metadata", "nbformat", "nbformat_minor"]);
  expect([notebook.nbformat, notebook.nbformat_minor]).toEqual([4, 5]);
  const cells: readonly StoredCell[] = notebook.cells;
  expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length);
  for (const cell of cells) checkCell(cell);
  return cells;
}

function checkCell(cell: StoredCell): void {
  expect(cell.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(isLines(cell.source)).toBe(true);
  const code = ["cell_type", "execution_count", "id", "metadata", "outputs", "source"];
  const text = ["cell_type", "id", "metadata", "source"];
  const keys = Object.keys(cell).filter((key) => key !== "attachments");
  expect(keys.sort()).toEqual(cell.cell_type === "code" ? code : text);
  for (const output of cell.outputs ?? []) checkOutput(output);
}

function checkOutput(output: Record<string, unknown>): void {
  const type = String(output["output_type"]);
  expect(Object.keys(output).sort()).toEqual(OUTPUT_KEYS[type]);
  if (type === "stream") expect(isLines(output["text"])).toBe(true);
  if (type === "error") expect(isLines(output["traceback"])).toBe(true);
  for (const [mediaType, content] of Object.entries((output["data"] ?? {}) as object)) {
    const isJson = /^application\/(.*\+)?json$/.test(mediaType);
    expect(isJson || typeof content === "string" || isLines(content), mediaType).toBe(true);
  }
}
