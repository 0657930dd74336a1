import { readVerifyRule, verifyRuleFault } from "../../lib/json/mod.ts";
import type { VerifyRule } from "../../lib/mod.ts";
import { type Cell, kindOfCell } from "../session/mod.ts";
import { DocumentError } from "./errors.ts";

export interface DocumentCell {
  readonly type: "code" | "markdown" | "raw";
  /** nbformat's cell id: 1 to 64 letters, digits, `-` and `_`, unique in the document. */
  readonly id: string;
  readonly source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** nbformat's `attachments`, written back unchanged. */
  readonly attachments?: unknown;
  /** The outputs that the file contains, of any type: they are only read for what they promise. */
  readonly savedOutputs?: readonly unknown[];
  /** The line on which the cell begins, from 1, in a file of requests, whose cells are never TypeScript. */
  readonly line?: number;
}

/** A notebook, or a `.http` file with one code cell per request. */
export interface Document {
  readonly path: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly cells: readonly DocumentCell[];
  /** How many lines a file of requests has. */
  readonly lines?: number;
}

/** What a cell means: a request, TypeScript or another kind. */
export function readCell({ source, line }: DocumentCell): Cell {
  return kindOfCell(source, line !== undefined);
}

/** Whether a cell is code. */
export function isCode(cell: DocumentCell): boolean {
  return cell.type === "code" && cell.source.trim() !== "";
}

/** Whether a cell is code to run. */
export function isRunnable(cell: DocumentCell): boolean {
  return isCode(cell) && !hasTag(cell, "skip-execution");
}

/** Whether the metadata of a cell has a tag. */
export function hasTag({ metadata: { tags } }: DocumentCell, tag: string): boolean {
  return Array.isArray(tags) && tags.includes(tag);
}

const VALID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Creates cell ids that are valid and unique in a document, as nbformat 4.5 requires (JEP 62). The same
 * document always gets the same ids, so that a second run makes no diff.
 *
 * @returns A function from the id that a cell has, if any, and its index to the id to write.
 */
export function createCellIds(): (own: unknown, index: number) => string {
  const taken = new Set<string>();
  return (own, index) => {
    const made = `cell-${index + 1}`;
    let id = typeof own === "string" && VALID.test(own) && !taken.has(own) ? own : made;
    for (let number = 2; taken.has(id); number++) id = `${made}-${number}`;
    taken.add(id);
    return id;
  };
}

/**
 * What `restlab verify` compares of the responses of a cell: `verify` and `ignore` of `restlab` in its metadata,
 * or tags such as `verify:off`. Invalid values are passed over.
 */
export function cellRule(cell: DocumentCell): VerifyRule | undefined {
  return readVerifyRule(entriesOf(cell));
}

/**
 * Checks the rules of all cells.
 *
 * @throws {DocumentError} A rule is invalid; the message names its cell.
 */
export function checkCellRules({ path, cells }: Document): void {
  for (const [index, cell] of cells.entries()) {
    for (const [key, value] of entriesOf(cell)) {
      const fault = verifyRuleFault(key, value);
      if (fault === undefined) continue;
      const where = `the metadata of cell ${index + 1}`;
      throw new DocumentError(
        `Reading "${path}" failed: ${where}: ${fault.message}. ${fault.hint}`,
      );
    }
  }
}

type Entry = readonly [key: string, value: unknown];

function entriesOf({ metadata }: DocumentCell): readonly Entry[] {
  const { tags, restlab } = metadata;
  const listed = (Array.isArray(tags) ? tags : []).flatMap((tag): readonly Entry[] => {
    const [, key, value] = /^(verify|ignore):(.*)$/s.exec(String(tag)) ?? [];
    return key === undefined ? [] : [[key, value]];
  });
  if (typeof restlab !== "object" || restlab === null) return listed;
  const { verify, ignore } = restlab as { readonly verify?: unknown; readonly ignore?: unknown };
  const paths = ignore === undefined ? [] : Array.isArray(ignore) ? ignore : [ignore];
  return [
    ...listed,
    ...(verify === undefined ? [] : [["verify", verify] as const]),
    ...paths.map((path) => ["ignore", path] as const),
  ];
}
