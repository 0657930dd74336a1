import { extname } from "node:path";
import type { Platform } from "../platform/mod.ts";
import { createCellIds, type Document, DocumentError } from "./document.ts";
import { renderIpynb } from "./outputs.ts";
import { readDocument } from "./read-document.ts";
import { isRunnable } from "./run-document.ts";

/**
 * Reads the runnable cells of a document, in order.
 *
 * @throws {DocumentError} The file cannot be read as a document.
 */
export async function readEntries(
  path: string,
  platform: Pick<Platform, "readFile">,
): Promise<readonly { readonly text: string; readonly line?: number }[]> {
  const { cells } = await readDocument(path, platform);
  return cells
    .filter(isRunnable)
    .map(({ source, line }) => (line === undefined ? { text: source } : { text: source, line }));
}

/**
 * Renders texts as the cells of a document, in the format of the path's extension.
 *
 * @throws {DocumentError} No format has that extension.
 */
export function renderEntries(path: string, entries: readonly string[]): string {
  const render = RENDERERS.get(extname(path).slice(1).toLowerCase());
  if (render === undefined) {
    throw new DocumentError(
      `Writing "${path}" failed: its name does not end in .ipynb, .http or .rest`,
    );
  }
  const idOf = createCellIds();
  const cells = entries.map(
    (source, index) =>
      ({ type: "code", id: idOf(undefined, index), source, metadata: {} }) as const,
  );
  return render({ path, metadata: {}, cells });
}

const RENDERERS: ReadonlyMap<string, (document: Document) => string> = new Map([
  ["ipynb", (document: Document) => renderIpynb(document, new Map())],
  ["http", renderHttp],
  ["rest", renderHttp],
]);

/** Renders the cells of a document as a `.http` file, with `###` between requests. */
function renderHttp({ cells }: Document): string {
  const chunks = cells.map(({ source }) => source.trim());
  const text = chunks.reduce((before, chunk) =>
    // A cell may begin with a separator, which may have a title.
    chunk.startsWith("###") ? `${before}\n\n${chunk}` : `${before}\n\n###\n${chunk}`,
  );
  return `${text}\n`;
}
