import { type Path, pathText } from "../interpolation/mod.ts";
import { type Redactor, redactValue, UNREDACTED } from "../secrets/mod.ts";
import { isPlainObject } from "./block.ts";
import { compactJson } from "./compact.ts";

/** A row of a table of events; `data` is what the table has no other column for. */
export type EventRow = Readonly<Record<string, unknown>>;

/** Events as a table. */
interface ArrangedEvents {
  readonly rows: readonly EventRow[];
  /** What the data of all of them have in common; `undefined` if there is nothing. */
  readonly shared: unknown;
}

/** Data with more parts, or deeper ones, are not taken apart. */
const MOST_PARTS = 100;
const DEEPEST = 12;

/** Longer values are not compared, in characters: they differ. */
const COMPARED = 1_000;

/**
 * Takes the data of events apart: a part that differs between events has a column, named after the objects that
 * contain it, such as `delta.content`; what all have in common is said once, and a part that repeats the names of the
 * events is left out. A part that a single event has stays in its `data`.
 *
 * @param redactor Masks the parts by the names above them, which a column does not have.
 */
export function arrangeEvents(rows: readonly EventRow[], redactor: Redactor): ArrangedEvents {
  const parts = rows.map(({ data }) => (isPlainObject(data) ? partsOf(data) : undefined));
  const records = parts.filter((part) => part !== undefined);
  if (records.length < 2) return { rows, shared: undefined };
  const values = new Map<string, string[]>();
  const others = new Set<string>();
  for (const [index, part] of parts.entries()) {
    for (const [name, { value }] of part ?? []) {
      const shown = compactJson(value, COMPARED, UNREDACTED);
      const text = shown.endsWith("…") ? String(index) : shown;
      values.set(name, [...(values.get(name) ?? []), text]);
      if (value !== rows[index]?.["event"]) others.add(name);
    }
  }
  const shared = new Set<string>();
  const repeated = new Set<string>();
  const differing: string[] = [];
  for (const [name, texts] of values) {
    const isShared = texts.length === records.length && new Set(texts).size === 1;
    if (isShared) shared.add(name);
    else if (!others.has(name)) repeated.add(name);
    else if (texts.length > 1) differing.push(name);
  }
  const titles = titlesOf(differing, new Set(rows.flatMap((row) => Object.keys(row))));
  const isSaid = (name: string): boolean => shared.has(name) || repeated.has(name);
  const [example] = rows.filter((_, index) => parts[index] !== undefined);
  return {
    rows: rows.map((row, index) => toRow(row, parts[index], { titles, isSaid, redactor })),
    shared: pick(example?.["data"], (name) => shared.has(name)),
  };
}

interface Arrangement {
  readonly titles: ReadonlyMap<string, string>;
  /** Whether a part is said once for all events, or by their names. */
  readonly isSaid: (name: string) => boolean;
  readonly redactor: Redactor;
}

function toRow(row: EventRow, parts: Parts | undefined, arrangement: Arrangement): EventRow {
  if (parts === undefined || parts.size === 0) return row;
  const { titles, isSaid, redactor } = arrangement;
  const { data, ...others } = row;
  const rest = pick(data, (name) => !titles.has(name) && !isSaid(name));
  const columns = [...titles].flatMap(([name, title]) => {
    const part = parts.get(name);
    return part === undefined ? [] : [[title, redactAt(part, redactor)] as const];
  });
  return {
    ...others,
    ...Object.fromEntries(columns),
    ...(rest === undefined ? {} : { data: rest }),
  };
}

/** The names of the columns: the members behind the last list, if no other column has that name. */
function titlesOf(names: readonly string[], taken: ReadonlySet<string>): Map<string, string> {
  const short = names.map((name) => name.replace(/^.*\[0\]\.|^\$\.?/, ""));
  const isFree = (title: string): boolean =>
    !taken.has(title) && short.indexOf(title) === short.lastIndexOf(title);
  return new Map(
    names.map((name, index) => {
      const title = short[index] ?? name;
      return [name, isFree(title) ? title : name.replace(/^\$/, "data")];
    }),
  );
}

/** A part of the data of an event. */
interface Part {
  readonly path: Path;
  readonly value: unknown;
}

/** The parts by their paths. */
type Parts = ReadonlyMap<string, Part>;

function partsOf(data: unknown): Parts | undefined {
  const parts = new Map<string, Part>();
  const add = (value: unknown, path: Path): boolean => {
    const members = membersOf(value, path.length);
    if (members !== undefined)
      return members.every(([step, member]) => add(member, [...path, step]));
    parts.set(pathText(path), { path, value });
    return parts.size <= MOST_PARTS;
  };
  return add(data, []) ? parts : undefined;
}

/** The members of an object, and that of a list of a single object. */
function membersOf(
  value: unknown,
  depth: number,
): readonly (readonly [step: string | number, member: unknown])[] | undefined {
  if (depth >= DEEPEST) return undefined;
  if (isPlainObject(value)) return Object.entries(value);
  const isOne = Array.isArray(value) && value.length === 1 && isPlainObject(value[0]);
  return isOne ? [[0, value[0]]] : undefined;
}

/** The data with some of its parts alone. */
function pick(value: unknown, isWanted: (name: string) => boolean, path: Path = []): unknown {
  const members = membersOf(value, path.length);
  if (members === undefined) return isWanted(pathText(path)) ? value : undefined;
  const picked = members
    .map(([step, member]) => [step, pick(member, isWanted, [...path, step])] as const)
    .filter(([, member]) => member !== undefined);
  if (picked.length === 0) return undefined;
  return Array.isArray(value) ? picked.map(([, member]) => member) : Object.fromEntries(picked);
}

function redactAt({ path, value }: Part, redactor: Redactor): unknown {
  const names = path.filter((step) => typeof step === "string");
  return redactValue(
    value,
    names.reduce((outer, name) => outer.at(name), redactor),
  );
}
