import { nearNames, parseTemplate } from "../../interpolation/mod.ts";
import { isRecord } from "./kinds.ts";

/** A row of any value. */
export type Row = Readonly<Record<string, unknown>>;

/** A column of a table: a key of its rows, or a way into what lies below one. */
export interface Column {
  readonly name: string;
  readonly steps: readonly (string | number)[];
}

const MOST_NAMES = 1_000;

/**
 * Finds a column by its name: the key of a row, or else a path such as `address.city` or `tags[0]`.
 *
 * @param rows All rows of the table.
 * @param name The key or path.
 * @param action What it is wanted for, as an error says it.
 * @throws {TypeError} No row has such a column; the message names those that are near.
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

/** What a row has in a column; `undefined` where it has nothing. Only own properties are looked up. */
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
    // The grammar of placeholders, behind a name of ours.
    const { parts } = parseTemplate(`{{row${name.startsWith("[") ? "" : "."}${name}}}`);
    const [only] = parts;
    const isPath = parts.length === 1 && typeof only === "object" && only.kind === "path";
    return isPath ? only.steps : undefined;
  } catch {
    // No path: then it is the name of a column that is not there.
    return undefined;
  }
}

function advise(rows: readonly Row[], name: string): string {
  const known = new Set<string>();
  for (const row of rows.slice(0, MOST_NAMES)) {
    for (const key of Object.keys(row)) {
      known.add(key);
      const inner = row[key];
      if (isRecord(inner)) for (const below of Object.keys(inner)) known.add(`${key}.${below}`);
      if (known.size > MOST_NAMES) break;
    }
  }
  const near = nearNames(name, known);
  if (near.length > 0) return `did you mean ${near.map((it) => JSON.stringify(it)).join(" or ")}?`;
  const first = [...known].filter((it) => !it.includes(".")).slice(0, 10);
  return `the columns are ${first.map((it) => JSON.stringify(it)).join(", ")}`;
}
