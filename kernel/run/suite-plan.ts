import { relative, resolve } from "node:path";
import type { Platform } from "../platform/mod.ts";
import { readRows } from "./data-rows.ts";
import { isCode } from "./document.ts";
import { findTargets } from "./find-documents.ts";
import type { DocumentUnit } from "./open-document.ts";
import { readDocuments } from "./read-document.ts";
import { checkReports } from "./reports.ts";
import type { RunOptions } from "./run.ts";
import { checkSelection, createSelection } from "./selection.ts";

/**
 * Reads and checks everything that a suite needs, before anything is sent.
 *
 * @throws {DocumentError} A file cannot be read, a report cannot be written, or nothing is selected.
 */
export async function planSuite(
  options: RunOptions,
  platform: Platform,
): Promise<readonly DocumentUnit[]> {
  const { selection, data, shard } = options;
  const targets = await findTargets(options.files);
  const paths = targets.map(({ path }) => path);
  const rows = typeof data === "string" ? await readRows(data, platform) : data;
  const documents = await readDocuments(paths, platform);
  const selected = documents.map((document, index) => ({
    document,
    selects: createSelection(selection, document, targets[index]?.lines),
  }));
  checkSelection(selected, selection);
  const read = typeof data === "string" ? [...paths, data] : paths;
  await checkReports(options, read, platform);
  const units = selected.flatMap(({ document, selects }): readonly DocumentUnit[] => {
    if (!document.cells.some((cell) => isCode(cell) && selects(cell))) return [];
    if (rows === undefined) return [{ document, selects }];
    return rows.map((values, at) => ({ document, selects, row: { number: at + 1, values } }));
  });
  if (shard === undefined) return units;
  return takeShard(units, shard, (unit) => keyOf(unit, platform));
}

/** The same on all machines that have the same files, wherever they are. */
function keyOf({ document, row }: DocumentUnit, { directory }: Platform): string {
  const path = relative(directory, resolve(directory, document.path)).replaceAll("\\", "/");
  return `${path}\n${String(row?.number ?? 0).padStart(9, "0")}`;
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
