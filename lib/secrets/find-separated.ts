import type { Found } from "./find.ts";
import type { NameRule } from "./names.ts";

const CELLS: Readonly<Record<string, RegExp>> = Object.fromEntries(
  [",", ";", "\t", "|"].map((separator) => [
    separator,
    new RegExp(
      String.raw`(?:[ ]?"([^"]{0,70000}(?:""[^"]{0,70000}){0,1000})"|([^"${separator}\r\n][^${separator}\r\n]{0,70000}|))([${separator}]|\r?\n|\r|$)`,
      "y",
    ),
  ]),
);

/** The secrets of CSV and its kin: the columns whose heading says so. */
export function findInSeparated(text: string, isSecretName: NameRule, found: Found): void {
  const heading = text.slice(0, 20_000).split(/\r?\n|\r/, 1)[0] ?? "";
  const separators = Object.keys(CELLS);
  const count = (separator: string): number => heading.split(separator).length;
  const separator = separators.reduce((best, one) => (count(one) > count(best) ? one : best));
  const cell = CELLS[separator];
  if (cell === undefined) return;
  const secret = new Set<number>();
  let column = 0;
  let isHeading = true;
  cell.lastIndex = text.startsWith("\ufeff") ? 1 : 0;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    // A quote that never ends: what follows has no columns.
    if (match === null) return;
    const [, quoted, bare = "", end] = match;
    const value = (quoted?.replaceAll('""', '"') ?? bare).trim();
    if (isHeading) {
      if (isSecretName(value)) secret.add(column);
    } else if (secret.has(column)) {
      found(value);
      if (quoted?.includes('""')) found(quoted);
    }
    column += 1;
    if (end === separator) continue;
    if (isHeading && secret.size === 0) return;
    isHeading = false;
    column = 0;
  }
}
