import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import { readOutline, startsAsRequest } from "../../lib/request/mod.ts";
import { DocumentError, parseIpynb } from "../run/mod.ts";
import { ImportError, type SourceCell } from "./collection.ts";
import type { ReadContent, Source } from "./readers.ts";
import { scalarText } from "./values.ts";

/** What stands between two requests of a file, unless a cell says something else. */
const USUAL = "\n\n";

/**
 * Reads a file of requests as cells, one for each `###`. The cells have the text as it is, also its line ends, and say
 * what stands between them if it is not the usual, so that the same file can be written again.
 */
export function readHttpFile({ text, name }: Source): ReadContent {
  const cells: SourceCell[] = [];
  let before = "";
  for (const section of sectionsOf(text)) {
    const [, above = "", source = "", below = ""] =
      /^([\s\uFEFF]*)([\s\S]*?)(\s*)$/.exec(section) ?? [];
    if (source === "" || source === "###") {
      before += section;
      continue;
    }
    const gap = before + above;
    const isUsual = gap === (cells.length === 0 ? "" : USUAL);
    const marked = startsAsRequest(source) ? source : `%%http\n${source}`;
    cells.push({ kind: "cell", type: "code", source: marked, ...(isUsual ? {} : { before: gap }) });
    before = below;
  }
  const last = cells.pop();
  if (last !== undefined) cells.push(before === "\n" ? last : { ...last, after: before });
  return { name, items: cells };
}

/** The sections of a file of requests as they are, each from its `###` to the next. */
export function sectionsOf(text: string): readonly string[] {
  const starts = [...readOutline(text)]
    .filter((line) => line.kind === "separator" && line.text.startsWith("#") && line.start > 0)
    .map(({ start }) => start);
  return [0, ...starts].map((start, index) => text.slice(start, starts[index]));
}

/** Reads a notebook cell by cell; outputs are left out. */
export function readNotebook({ text, data, name }: Source): ReadContent {
  try {
    const { cells } = parseIpynb(text || scalarText(data), name);
    const items = cells.map(({ type, source, metadata }): SourceCell => {
      const own = metadata["restlab"];
      const [before, after] = ["before", "after"].map((key) => memberOf(own, key));
      return {
        kind: "cell",
        type: type === "code" ? type : "markdown",
        source,
        ...(typeof before === "string" ? { before } : {}),
        ...(typeof after === "string" ? { after } : {}),
      };
    });
    return { name, items: items.filter(({ source }) => source.trim() !== "") };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new ImportError(error.message, { cause: error });
  }
}

/** Whether a source is a notebook. */
export function isNotebook({ data }: Source): boolean {
  return isRecord(data) && "nbformat" in data;
}
