import { relative, resolve } from "node:path";
import type { Platform } from "../platform/mod.ts";
import { type DocumentOptions, readAll } from "./context.ts";
import { type Row, readRows } from "./data-rows.ts";
import type { Document } from "./document.ts";
import { checkReports } from "./report-file.ts";
import { isRunnable } from "./run-document.ts";
import {
  checkSelection,
  createSelection,
  findTargets,
  type SelectionOptions,
  type Selects,
  type Shard,
  takeShard,
} from "./selection.ts";
import type { ReportOption } from "./write-reports.ts";

/** One run of a document. */
export interface SuiteUnit {
  readonly document: Document;
  readonly selects: Selects;
  /** How many of its cells are selected. */
  readonly size: number;
  readonly row?: { readonly number: number; readonly values: Row };
}

/**
 * Reads and checks everything that a suite needs, before anything is sent.
 *
 * @throws {DocumentError} A file cannot be read, a report cannot be written, or nothing is selected.
 */
export async function planSuite(
  options: TestOptions,
  platform: Platform,
): Promise<readonly SuiteUnit[]> {
  const { selection, data, shard, reports } = options;
  const targets = await findTargets(options.files);
  const rows = data === undefined ? undefined : await readRows(data, platform);
  const documents = await readAll(
    targets.map(({ path }) => path),
    platform,
  );
  const selected = documents.map(
    (document, index) =>
      [document, createSelection(selection, document, targets[index] ?? {})] as const,
  );
  checkSelection(selected, selection);
  await checkReports(reports, options, [...targets.map(({ path }) => path), data], platform);
  const units = selected
    .map(([document, selects]) => ({ document, selects, size: sizeOf(document, selects) }))
    .filter(({ size }) => size > 0)
    .flatMap((unit) => withRows(unit, rows));
  if (shard === undefined) return units;
  return takeShard(units, shard, (unit) => keyOf(unit, platform));
}

function sizeOf({ cells }: Document, selects: Selects): number {
  return cells.filter((cell) => isRunnable(cell) && selects(cell)).length;
}

function withRows(unit: SuiteUnit, rows: readonly Row[] | undefined): readonly SuiteUnit[] {
  if (rows === undefined) return [unit];
  return rows.map((values, index) => ({ ...unit, row: { number: index + 1, values } }));
}

/** The same on all machines that have the same files, wherever they are. */
function keyOf({ document, row }: SuiteUnit, { directory }: Platform): string {
  const path = relative(directory, resolve(directory, document.path)).replaceAll("\\", "/");
  return `${path}\n${String(row?.number ?? 0).padStart(9, "0")}`;
}

/** Options of `restlab test`. */
export interface TestOptions extends DocumentOptions {
  /** Files, folders, globs, and places such as `api.http:12`. */
  readonly files: readonly string[];
  readonly selection: SelectionOptions;
  /** Whether to end the suite at the first failure. */
  readonly bail: boolean;
  /** How many files run at the same time. */
  readonly parallel: number;
  /** How often a cell that fails is run again. */
  readonly retries: number;
  readonly shard?: Shard;
  /** A file whose rows are runs of their own. */
  readonly data?: string;
  /** Whether to run again after each change of a file. */
  readonly watch: boolean;
  readonly reports: readonly ReportOption[];
}
