import type { Document } from "./document.ts";

/** Renders the cells of a document as a `.http` file, with `###` between requests. */
export function renderHttp({ cells }: Document): string {
  const chunks = cells.map(({ source }) => source.trim());
  const text = chunks.reduce((before, chunk) =>
    // A cell may begin with a separator, which may have a title.
    chunk.startsWith("###") ? `${before}\n\n${chunk}` : `${before}\n\n###\n${chunk}`,
  );
  return `${text}\n`;
}
