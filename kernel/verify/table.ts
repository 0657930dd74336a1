import type { Block, Cell } from "../../lib/display/mod.ts";
import { placeOf, type VerifiedDocument, type VerifiedResponse } from "./results.ts";

const COLUMNS = ["verdict", "at", "request", "path", "change", "promised", "found"];

/** A table with a row for each response, and one for each further difference. */
export function viewResults({ responses }: VerifiedDocument): readonly Block[] {
  if (responses.length === 0) return [];
  const rows = responses.flatMap(rowsOf);
  const columns = COLUMNS.map((_name, at) => at).filter((at) => rows.some((row) => row[at]));
  return [
    {
      kind: "table",
      columns: columns.map((at) => COLUMNS[at] ?? ""),
      rows: rows.map((row) => columns.map((at): Cell => ({ text: row[at] ?? "", type: "text" }))),
      total: rows.length,
      isUncounted: true,
      totalColumns: columns.length,
    },
  ];
}

function rowsOf(response: VerifiedResponse): readonly (readonly string[])[] {
  const { verdict, method, url, differences } = response;
  const [first = [], ...others] = differences.map(({ path, kind, promised, found }) => [
    path,
    kind,
    promised,
    found,
  ]);
  const head = [verdict, placeOf(response), `${method} ${url}`, ...first];
  return [head, ...others.map((row) => ["", "", "", ...row])];
}
