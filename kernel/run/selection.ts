import { nearNames, shorten } from "../../lib/interpolation/mod.ts";
import { type Document, type DocumentCell, isRunnable } from "./document.ts";
import { DocumentError } from "./errors.ts";
import type { Target } from "./find-documents.ts";
import type { DocumentUnit } from "./open-document.ts";
/** Which cells are run: those that match one value of each option that is given. */
export interface SelectionOptions {
  /** Names, as they are written. */
  readonly names: readonly string[];
  /** Regular expressions for names. */
  readonly patterns: readonly RegExp[];
  readonly tags: readonly string[];
}

const EVERYTHING: SelectionOptions = { names: [], patterns: [], tags: [] };

/**
 * Creates the selection of a document.
 *
 * @throws {DocumentError} The document does not have a line or cell that is named.
 */
export function createSelection(
  options: SelectionOptions | undefined,
  document: Document,
  lines?: Target["lines"],
): (cell: DocumentCell) => boolean {
  const { names, patterns, tags } = options ?? EVERYTHING;
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
  units: readonly DocumentUnit[],
  { names, patterns, tags }: SelectionOptions = EVERYTHING,
): void {
  const cells = units.flatMap(({ document }) => document.cells.filter(isRunnable));
  const isSelected = units.some(({ document, selects }) =>
    document.cells.some((cell) => isRunnable(cell) && selects?.(cell)),
  );
  if (cells.length === 0 || isSelected) return;
  const labels = cells.map((cell) => labelsOf(cell));
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

/** How a person refers to a cell. */
interface Labels {
  /** From `# @name`, else from `### title`, else its first line. */
  readonly name: string;
  /** From `# @tag` and the cell's metadata. */
  readonly tags: readonly string[];
}

const ANNOTATION = /^[ \t]*(?:#|\/\/)+[ \t]*@(name|tag)[ \t]+(\S.*?)[ \t]*$/gim;
const TITLE = /^###[ \t]*([^\s#].*?)[ \t]*$/m;
const COMMENT = /^(?:#|\/\/|@|%|\?\?|$)/;

/**
 * The labels of a cell, of one with syntax errors as well; comments of TypeScript count like those of requests.
 *
 * @param mask Masks the name where it is shown, before it is cut: a part of a secret is not found.
 */
export function labelsOf(
  { source, metadata }: DocumentCell,
  mask: (text: string) => string = (text) => text,
): Labels {
  const written: Record<string, string[]> = { name: [], tag: [] };
  for (const [, key = "", value = ""] of source.matchAll(ANNOTATION)) {
    written[key.toLowerCase()]?.push(value);
  }
  const given = Array.isArray(metadata["tags"]) ? metadata["tags"] : [];
  const tags = [...given.map(String), ...(written["tag"] ?? []).flatMap(splitTags)];
  const name = written["name"]?.[0] ?? TITLE.exec(source)?.[1];
  return {
    name: name === undefined ? shorten(mask(firstLine(source)), MAX_LINE) : mask(name),
    tags: [...new Set(tags)],
  };
}

/** httpYac separates tags by commas. */
function splitTags(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((tag) => tag !== "");
}

const MAX_LINE = 80;

/** The first line that is neither a comment nor a variable. */
function firstLine(source: string): string {
  const lines = source.split("\n").map((line) => line.trim());
  return lines.find((line) => !COMMENT.test(line)) ?? lines.find((line) => line !== "") ?? "";
}
