import { nearNames } from "../../../lib/interpolation/mod.ts";
import { type Document, type DocumentCell, DocumentError, isRunnable } from "../../notebook/mod.ts";
import { labelsOf } from "./labels.ts";
import type { Target } from "./targets.ts";

/** Which cells are run: those that match one value of each option that is given. */
export interface SelectionOptions {
  /** Names, as they are written. */
  readonly names: readonly string[];
  /** Regular expressions for names. */
  readonly patterns: readonly RegExp[];
  readonly tags: readonly string[];
}

/** Whether a cell is run. */
export type Selects = (cell: DocumentCell) => boolean;

/**
 * Creates the selection of a document.
 *
 * @throws {DocumentError} The document does not have a line or cell that is named.
 */
export function createSelection(
  { names, patterns, tags }: SelectionOptions,
  document: Document,
  { lines }: Pick<Target, "lines">,
): Selects {
  const code = document.cells.filter(isRunnable);
  for (const line of lines ?? []) checkLine(document, line, code.length);
  const atLines = new Set(lines?.map((line) => cellAt(code, line)));
  return (cell) => {
    if (lines !== undefined && !atLines.has(cell)) return false;
    const labels = labelsOf(cell);
    const has = <T>(given: readonly T[], matches: (one: T) => boolean): boolean =>
      given.length === 0 || given.some(matches);
    return (
      has(names, (name) => name === labels.name) &&
      has(patterns, (pattern) => pattern.test(labels.name)) &&
      has(tags, (tag) => labels.tags.includes(tag))
    );
  };
}

function checkLine({ path, lines }: Document, line: number, cells: number): void {
  const count = lines ?? cells;
  if (line <= count) return;
  const unit = lines === undefined ? "code cell" : "line";
  const has = `"${path}" has ${count} ${unit}${count === 1 ? "" : "s"}`;
  throw new DocumentError(`Selecting requests failed: there is no ${unit} ${line}, ${has}`);
}

/** The cell that contains a line of a text file, or a notebook's cell of that number. */
function cellAt(code: readonly DocumentCell[], line: number): DocumentCell | undefined {
  if (code[0]?.line === undefined) return code[line - 1];
  return code.findLast((cell) => (cell.line ?? 0) <= line);
}

/**
 * Checks that a selection has cells.
 *
 * @throws {DocumentError} It has none; the message names what is near.
 */
export function checkSelection(
  documents: readonly (readonly [document: Document, selects: Selects])[],
  { names, patterns, tags }: SelectionOptions,
): void {
  const cells = documents.flatMap(([document]) => document.cells.filter(isRunnable));
  const isSelected = documents.some(([{ cells: all }, selects]) =>
    all.some((cell) => isRunnable(cell) && selects(cell)),
  );
  if (cells.length === 0 || isSelected) return;
  const labels = cells.map(labelsOf);
  const known = { name: labels.map(({ name }) => name), tag: labels.flatMap((it) => it.tags) };
  const given = [
    ...names.map((name) => `--name "${name}"`),
    ...patterns.map(({ source }) => `--grep "${source}"`),
    ...tags.map((tag) => `--tag "${tag}"`),
  ];
  const near = [
    ...names.flatMap((name) => nearNames(name, known.name, 1)),
    ...tags.flatMap((tag) => nearNames(tag, known.tag, 1)),
  ];
  const selected = given.length === 0 ? "the lines that are named" : given.join(" ");
  const hint = near.length === 0 ? "" : `; did you mean "${near[0]}"`;
  throw new DocumentError(`Selecting requests failed: none matches ${selected}${hint}`);
}
