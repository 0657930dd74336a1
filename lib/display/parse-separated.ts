/** The first records of separated values, and the number of all records. */
interface Separated {
  readonly records: readonly (readonly string[])[];
  readonly total: number;
  /** The number of the first record with a quote that is not closed, from 1. */
  readonly unclosed?: number;
}

/**
 * Parses CSV (RFC 4180) and TSV. A quoted field may contain separators, line breaks and doubled quotes.
 *
 * @param text The whole text.
 * @param separator The separator of fields.
 * @param most The number of records that are returned; the others are counted.
 */
export function parseSeparated(text: string, separator: string, most: number): Separated {
  const records: string[][] = [];
  let total = 0;
  let unclosed: number | undefined;
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const record = total < most ? [] : undefined;
    const start = at;
    at = readRecord(text, at, separator, record);
    // A blank line is not a record.
    if (/^\r?\n?$/.test(text.slice(start, Math.min(at, start + 3)))) continue;
    total++;
    if (record !== undefined) records.push(record);
    // Only a quote that is not closed hides the end of the text.
    if (at > text.length + 1) unclosed ??= total;
  }
  return { records, total, ...(unclosed === undefined ? {} : { unclosed }) };
}

function readRecord(
  text: string,
  from: number,
  separator: string,
  record: string[] | undefined,
): number {
  // Without quotes a record is a line, which is much faster to find.
  const lineEnd = indexOr(text, "\n", from);
  const line = text.slice(from, lineEnd);
  if (!line.includes('"')) {
    if (record !== undefined) {
      // One by one: a million columns as arguments of one call would overflow the stack.
      for (const field of withoutReturn(line).split(separator)) record.push(field);
    }
    return lineEnd + 1;
  }
  for (let at = from; ; ) {
    const { value, next } = readField(text, at, separator);
    record?.push(value);
    if (text[next] !== separator) return next + 1;
    at = next + 1;
  }
}

/** Reads a field; `next` is the index of its separator or line break. */
function readField(text: string, from: number, separator: string): { value: string; next: number } {
  let value = "";
  let at = from;
  if (text[at] === '"') {
    for (at++; ; at += 2) {
      const end = indexOr(text, '"', at);
      value += text.slice(at, end);
      at = end;
      if (text[at + 1] !== '"') break;
      value += '"';
    }
    // A quote that is not closed takes the rest of the text, and is told by an index beyond it.
    if (at >= text.length) return { value, next: text.length + 1 };
    at++;
  }
  // Not by indexOf: it would search a missing separator to the end of the text for each field.
  let next = at;
  while (next < text.length && text[next] !== separator && text[next] !== "\n") next++;
  return { value: value + withoutReturn(text.slice(at, next)), next };
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

function indexOr(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from);
  return index === -1 ? text.length : index;
}

/** The separator that occurs most in the first line: semicolons in locales with decimal commas, tabs, bars. */
export function separatorOf(text: string): string {
  const first = (text.slice(0, 10_000).split("\n", 1)[0] ?? "").replace(/"[^"]*"/g, "");
  let [separator, most] = [",", first.split(",").length];
  for (const other of [";", "\t", "|"]) {
    const count = first.split(other).length;
    if (count > most) [separator, most] = [other, count];
  }
  return separator;
}
