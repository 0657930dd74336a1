import { NOTEBOOK_METADATA } from "../../language/mod.ts";
import { cellMetadata } from "./cell-metadata.ts";
import type { Document, DocumentCell } from "./document.ts";
import type { Output } from "./outputs.ts";

/** The result of running a code cell. */
export interface CellRun {
  readonly count: number | null;
  readonly outputs: readonly Output[];
}

/**
 * Renders a document with its outputs as a notebook (nbformat 4.5), formatted as by Jupyter, so that a
 * diff shows only real changes.
 *
 * @param runs By cell id; a code cell without a run is written as not run.
 */
export function renderIpynb(document: Document, runs: ReadonlyMap<string, CellRun>): string {
  const notebook = {
    cells: document.cells.map((cell) => renderCell(cell, runs.get(cell.id))),
    metadata: { ...NOTEBOOK_METADATA, ...document.metadata },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, sortKeys, 1)}\n`;
}

function renderCell(cell: DocumentCell, run: CellRun | undefined): object {
  return {
    cell_type: cell.type,
    id: cell.id,
    metadata: cellMetadata(cell),
    source: toLines(cell.source),
    ...(cell.attachments === undefined ? {} : { attachments: cell.attachments }),
    ...(cell.type === "code"
      ? { execution_count: run?.count ?? null, outputs: (run?.outputs ?? []).map(renderOutput) }
      : {}),
  };
}

function renderOutput(output: Output): object {
  if (output.output_type === "stream") return { ...output, text: toLines(output.text) };
  if (!("data" in output)) return output;
  const data = Object.entries(output.data).map(([type, content]) => [
    type,
    toStored(type, content),
  ]);
  return { ...output, data: Object.fromEntries(data) };
}

/** Text is stored as lines, JSON unchanged, and anything else (base64) as one string. */
function toStored(mediaType: string, content: unknown): unknown {
  const isText = mediaType.startsWith("text/") || mediaType === "image/svg+xml";
  return isText && typeof content === "string" ? toLines(content) : content;
}

function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
