import { dirname, resolve } from "node:path";
import type { Client, Value } from "../../lib/mod.ts";
import { readText, withoutLines } from "../../lib/request/mod.ts";
import type { Platform } from "../platform/mod.ts";
import type { OpenedSession } from "../session/mod.ts";
import { type Document, type DocumentCell, readCell } from "./document.ts";
import { DocumentError } from "./errors.ts";
import type { Run } from "./run.ts";
import { type CellOptions, type DocumentRun, runDocument } from "./run-document.ts";

/** One run of a document: all of its cells, or those that are selected, with the variables of a row of data. */
export interface DocumentUnit {
  readonly document: Document;
  readonly selects?: (cell: DocumentCell) => boolean;
  readonly row?: { readonly number: number; readonly values: Readonly<Record<string, Value>> };
}

/** A document whose session is open. */
export interface DocumentSession extends OpenedSession {
  /** Runs the document. */
  run(options: CellOptions): Promise<DocumentRun>;
}

/**
 * Opens a session for a document, and closes it when `act` has ended.
 *
 * @throws {DocumentError} The name of a variable is invalid, the environment does not exist, or values of prompts are
 * missing.
 */
export async function withDocument<T>(
  unit: DocumentUnit,
  run: Run,
  act: (opened: DocumentSession) => Promise<T>,
): Promise<T> {
  const { document, selects, row } = unit;
  const { platform, options, sessions, end } = run;
  const opened = await sessions
    .open({
      platform: relativeTo(document.path, platform),
      breaker: end.breaker,
      onExit: (status) => end.exit(status),
      ask: options.ask,
      row: row?.values,
    })
    .catch((error: Error) => {
      throw new DocumentError(`Running "${document.path}" failed: ${error.message}`);
    });
  const { session } = opened;
  try {
    const cells = document.cells.filter(({ type }) => type === "code");
    defineRequests(cells, session.client);
    // Titles have the values of the row itself.
    const titles = cells.flatMap(({ source }) => source.match(/^[ \t]*#.*\{\{.*$/gm) ?? []).join();
    for (const name of Object.keys(row?.values ?? {}))
      if (titles.includes(name)) session.client.getVar(name);
    checkPrompts(document.path, selects === undefined ? cells : cells.filter(selects), opened);
    const runCells = (cells: CellOptions): Promise<DocumentRun> =>
      runDocument(unit, opened, run, cells);
    return await act({ ...opened, run: runCells });
  } finally {
    await session.close();
  }
}

/** Resolves the files that a document names in its own folder, as editors do. */
function relativeTo(path: string, platform: Platform): Platform {
  const directory = resolve(platform.directory, dirname(path));
  return {
    ...platform,
    directory,
    readFile: (name) => platform.readFile(resolve(directory, name)),
    writeFile: (name, text) => platform.writeFile(resolve(directory, name), text),
  };
}

// Most documents need neither, and parsing a long one twice takes a noticeable time.
/** Something that may refer to a request by its name. */
const REFERS = /@(?:force-?)?ref\b|\{\{[^{}]*[.[]|\bimport\b|^[ \t]*run[ \t]/im;
const NAMES = /@name\b|^[ \t]*###.*[^#\s]/m;
const SCRIPTS = /^[ \t]*(?:[<>][ \t]*\{%|\{\{[+@#]*(?:\w*[ \t]*$|[^{}=]*=))/m;
const ASKS = /[@$](?:prompt|input|password|note)\b/;

/** Defines the named requests of cells, which `# @ref` of an earlier cell may name. */
function defineRequests(cells: readonly DocumentCell[], client: Client): void {
  const refers = cells.some(({ source }) => REFERS.test(source));
  for (const cell of cells) {
    const { source, line } = cell;
    // A cell whose script would have set a variable may fail, and a later one uses it.
    if (!(refers && NAMES.test(source)) && !SCRIPTS.test(source)) continue;
    for (const text of requestText(cell)) {
      try {
        client.define(text, { runsScripts: true, firstLine: line });
      } catch {
        // Its faults are reported when the cell is run.
      }
    }
  }
}

/**
 * Checks that the values of prompts are set where nobody can be asked.
 *
 * @throws {DocumentError} Some are missing; the message names all of them.
 */
function checkPrompts(
  path: string,
  cells: readonly DocumentCell[],
  { session: { client }, given }: OpenedSession,
): void {
  if (!cells.some(({ source }) => ASKS.test(source))) return;
  // As one text: a variable line of one cell may be the value of a prompt in the next.
  const text = readText(cells.flatMap(requestText).join("\n\n###\n"));
  // Faults are reported when their cell is run.
  const needed = text.failure === undefined ? client.needs(withoutLines(text, given)) : [];
  if (needed.length === 0) return;
  const listed = needed.map((name) => `"${name}"`).join(", ");
  const note = needed.includes("confirm") ? '; confirm=yes sends what a "# @note" asks about' : "";
  throw new DocumentError(
    `Running "${path}" failed: it asks for ${listed}; give values with --var NAME=VALUE${note}`,
  );
}

function requestText(cell: DocumentCell): readonly string[] {
  const { kind, text } = readCell(cell);
  return kind === "request" ? [text.replace(/^\uFEFF?\s*%%http(?!\S)/, "")] : [];
}
