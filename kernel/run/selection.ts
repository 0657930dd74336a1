import { resolve } from "node:path";
import { nearNames, shorten } from "../../lib/interpolation/mod.ts";
import { type Document, type DocumentCell, DocumentError } from "./document.ts";
import { findDocuments } from "./find-documents.ts";
import { isRunnable } from "./run-document.ts";

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

/** The labels of a cell, of one with syntax errors as well; comments of TypeScript count like those of requests. */
export function labelsOf({ source, metadata }: DocumentCell): Labels {
  const written: Record<string, string[]> = { name: [], tag: [] };
  for (const [, key = "", value = ""] of source.matchAll(ANNOTATION)) {
    written[key.toLowerCase()]?.push(value);
  }
  const given = Array.isArray(metadata["tags"]) ? metadata["tags"] : [];
  const tags = [...given.map(String), ...(written["tag"] ?? []).flatMap(splitTags)];
  const name = written["name"]?.[0] ?? TITLE.exec(source)?.[1] ?? firstLine(source);
  return { name, tags: [...new Set(tags)] };
}

/** httpYac separates tags by commas. */
function splitTags(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((tag) => tag !== "");
}

const MAX_LINE = 80;

/** The first line that is neither a comment nor a variable. */
function firstLine(source: string): string {
  const lines = source.split("\n").map((line) => line.trim());
  const line = lines.find((line) => !COMMENT.test(line)) ?? lines.find((line) => line !== "") ?? "";
  return shorten(line, MAX_LINE);
}

/** A file of the command line. */
interface Target {
  readonly path: string;
  /** The lines that were named, `api.http:12`, or the cells of a notebook; absent for the whole file. */
  readonly lines?: readonly number[];
}

const PLACE = /^(.+\.(?:ipynb|http|rest)):([1-9]\d*)$/i;

/** Finds the files of the command line; a file that is named several times is one target. */
export async function findTargets(words: readonly string[]): Promise<readonly Target[]> {
  const targets = new Map<string, Target>();
  for (const word of words) {
    const [, path, line] = PLACE.exec(word) ?? [];
    if (path === undefined) {
      for (const found of await findDocuments([word])) targets.set(resolve(found), { path: found });
      continue;
    }
    const known = targets.get(resolve(path));
    if (known !== undefined && known.lines === undefined) continue;
    targets.set(resolve(path), { path, lines: [...(known?.lines ?? []), Number(line)] });
  }
  return [...targets.values()];
}

/** One part of a suite that several machines share: the second of five. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * Takes the items of a shard. All machines that are given the same items take disjoint parts of nearly the same
 * size, in whatever order the items are given.
 *
 * @param keyOf A text that identifies an item, the same on all machines.
 */
export function takeShard<T>(
  items: readonly T[],
  { index, count }: Shard,
  keyOf: (item: T) => string,
): readonly T[] {
  const keys = items.map(keyOf).sort((one, other) => (one < other ? -1 : 1));
  const taken = new Set(keys.filter((_key, at) => at % count === index - 1));
  return items.filter((item) => taken.has(keyOf(item)));
}
