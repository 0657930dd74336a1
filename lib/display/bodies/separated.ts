/** The beginning of a text of separated values, and how many records it has in all. */
export interface Separated {
  readonly records: readonly (readonly string[])[];
  readonly total: number;
}

/**
 * Reads CSV (RFC 4180) and TSV: fields may be quoted, a quote inside of them is doubled, and a
 * quoted field may hold separators and line ends. The text is read to its end, the first records
 * alone are kept.
 *
 * @param text The whole text.
 * @param separator What stands between two fields.
 * @param most How many records are kept.
 */
export function parseSeparated(text: string, separator: string, most: number): Separated {
  const records: string[][] = [];
  let total = 0;
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const record = total < most ? [] : undefined;
    const start = at;
    at = readRecord(text, at, separator, record);
    // A blank line is no record.
    if (/^\r?\n?$/.test(text.slice(start, Math.min(at, start + 3)))) continue;
    total++;
    if (record !== undefined) records.push(record);
  }
  return { records, total };
}

function readRecord(
  text: string,
  from: number,
  separator: string,
  record: string[] | undefined,
): number {
  // Without quotes a record is a line, which is far quicker to find.
  const lineEnd = indexOr(text, "\n", from);
  const line = text.slice(from, lineEnd);
  if (!line.includes('"')) {
    if (record !== undefined) {
      // One by one: a call takes its arguments from the stack, and there may be a million columns.
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

/** One field; `next` is where its separator or its line end stands. */
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
    at++;
  }
  // Looked for by hand: a separator that never comes would be sought to the end each time.
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
