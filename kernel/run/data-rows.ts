import { isVariableName, messageOf } from "../../lib/interpolation/mod.ts";
import { parseWrittenJson } from "../../lib/json/mod.ts";
import type { Value } from "../../lib/mod.ts";
import type { Platform } from "../platform/mod.ts";
import { attempt, DocumentError } from "./errors.ts";
import { readText } from "./read-document.ts";

/** The variables of one run, from a row of a file. */
export type Row = Readonly<Record<string, Value>>;

type Parse = (text: string) => readonly unknown[] | Promise<readonly unknown[]>;

const PARSERS: ReadonlyMap<string, Parse> = new Map<string, Parse>([
  ["csv", parseCsv],
  ["json", parseJsonArray],
  ["jsonl", parseJsonLines],
  ["ndjson", parseJsonLines],
]);

/**
 * Reads the rows of a `.csv`, `.json` or `.jsonl` file. Columns of CSV are text, values of JSON have their types.
 *
 * @throws {DocumentError} The file cannot be read, or a row is invalid; the message says which.
 */
export async function readRows(
  path: string,
  platform: Pick<Platform, "readFile">,
): Promise<readonly Row[]> {
  const what = `Reading "${path}"`;
  const parse = PARSERS.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
  if (parse === undefined) {
    throw new DocumentError(`${what} failed: its name does not end in .csv, .json or .jsonl`);
  }
  const text = await readText(path, platform, what);
  return await attempt(what, messageOf, async () => {
    const rows = (await parse(text)).map(toRow);
    if (rows.length === 0) throw new Error("it has no rows");
    return rows;
  });
}

async function parseCsv(text: string): Promise<readonly unknown[]> {
  const { default: papaparse } = await import("papaparse");
  const { data, errors } = papaparse.parse<readonly string[]>(text, { skipEmptyLines: "greedy" });
  // A file with one column has no delimiter to detect.
  const error = errors.find(({ type }) => type !== "Delimiter");
  // The first row is the head.
  if (error !== undefined) throw new Error(`row ${error.row ?? 0}: ${error.message}`);
  const [head = [], ...rows] = data;
  const names = head.map((name) => name.trim());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`two columns are called "${repeated}"`);
  return rows.map((fields, index) => {
    if (fields.length !== names.length) {
      throw new Error(
        `row ${index + 1} has ${fields.length} fields, and there are ${names.length} columns`,
      );
    }
    return Object.fromEntries(names.map((name, column) => [name, fields[column]]));
  });
}

function parseJsonArray(text: string): readonly unknown[] {
  const rows = parseRowText(text);
  if (!Array.isArray(rows)) throw new Error("it is not a JSON array; write [{…}, {…}]");
  return rows;
}

function parseJsonLines(text: string): readonly unknown[] {
  return text
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === "" ? [] : [parseRowText(line, index + 1)]));
}

/** @param firstLine The line of the file on which the text begins. */
function parseRowText(text: string, firstLine = 1): unknown {
  try {
    return parseWrittenJson(text);
  } catch (error) {
    const { message } = error as Error;
    const [, line, rest] = / at line (\d+), (column .*)$/s.exec(message) ?? [];
    const where = line === undefined ? "" : ` at line ${Number(line) + firstLine - 1}, ${rest}`;
    throw new Error(`it is not valid JSON${where}`, { cause: error });
  }
}

function toRow(row: unknown, index: number): Row {
  const where = `row ${index + 1}`;
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    throw new Error(`${where} is not an object; write {"name": value, …}`);
  }
  const invalid = Object.keys(row).find((name) => !isVariableName(name));
  if (invalid !== undefined) {
    throw new Error(
      `${where}: "${invalid}" cannot be the name of a variable; use letters, digits, "_" and "-"`,
    );
  }
  return row as Row;
}
