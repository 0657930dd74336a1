import { isRecord, nearNames, parseTemplate } from "../../interpolation/mod.ts";

/** A row of a table. */
export type Row = Readonly<Record<string, unknown>>;

/** A column of a table: a key of its rows, or a path into a value. */
export interface Column {
  readonly name: string;
  readonly steps: readonly (string | number)[];
}

const MAX_NAMES = 1_000;

/**
 * Finds a column by its name: the key of a row, or else a path such as `address.city` or `tags[0]`.
 *
 * @param rows All rows of the table.
 * @param name The key or path.
 * @param action What the column is for, as the error says it.
 * @throws {TypeError} No row has such a column; the message suggests similar names.
 */
export function findColumn(rows: readonly Row[], name: string, action: string): Column {
  if (typeof name !== "string") {
    throw new TypeError(`Cannot ${action} ${String(name)}: give the name of a column`);
  }
  const key: Column = { name, steps: [name] };
  if (rows.length === 0 || rows.some((row) => Object.hasOwn(row, name))) return key;
  const steps = parseSteps(name);
  if (steps !== undefined) {
    const path: Column = { name, steps };
    if (rows.some((row) => valueAt(row, path) !== undefined)) return path;
  }
  throw new TypeError(
    `Cannot ${action} ${JSON.stringify(name)}: no row has this column; ${advise(rows, name)}`,
  );
}

/** The value of a row in a column, if there is one. Only own properties are read. */
export function valueAt(row: unknown, { steps }: Column): unknown {
  let value: unknown = row;
  for (const step of steps) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

function parseSteps(name: string): readonly (string | number)[] | undefined {
  try {
    // The syntax of placeholders, with the row as the variable.
    const { parts } = parseTemplate(`{{row${name.startsWith("[") ? "" : "."}${name}}}`);
    const [only] = parts;
    const isPath = parts.length === 1 && typeof only === "object" && only.kind === "path";
    return isPath ? only.steps : undefined;
  } catch {
    // Not a path: an unknown column.
    return undefined;
  }
}

function advise(rows: readonly Row[], name: string): string {
  const known = new Set<string>();
  for (const row of rows.slice(0, MAX_NAMES)) {
    for (const key of Object.keys(row)) {
      known.add(key);
      const inner = row[key];
      if (isRecord(inner)) for (const below of Object.keys(inner)) known.add(`${key}.${below}`);
      if (known.size > MAX_NAMES) break;
    }
  }
  const near = nearNames(name, known);
  if (near.length > 0) return `did you mean ${near.map((it) => JSON.stringify(it)).join(" or ")}?`;
  const first = [...known].filter((it) => !it.includes(".")).slice(0, 10);
  return `the columns are ${first.map((it) => JSON.stringify(it)).join(", ")}`;
}
