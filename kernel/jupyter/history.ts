import type { Dict, HistoryEntry } from "./protocol.ts";

/** The inputs of this kernel, by execution count. */
export interface History {
  add(line: number, input: string): void;
  /** Adds what a cell's result looks like as text. */
  setOutput(line: number, output: string): void;
  /** What a `history_request` asks for. */
  select(request: Dict): readonly HistoryEntry[];
}

interface Entry {
  readonly line: number;
  readonly input: string;
  output: string | null;
}

/** This kernel knows itself alone; it is the first session. */
const SESSION = 1;
/** How many cells are kept, and how much of an output, in UTF-16 units. */
const KEPT = 10_000;
const LONGEST_OUTPUT = 10_000;

/** Creates an empty history. */
export function createHistory(): History {
  const entries: Entry[] = [];

  const ACCESS: Readonly<Record<string, (request: Dict) => readonly Entry[]>> = {
    tail: ({ n }) => last(entries, n),
    range: ({ session, start, stop }) =>
      session === undefined || session === 0 || session === SESSION
        ? range(entries, toInteger(start, 1), toInteger(stop, 0))
        : [],
    search: ({ pattern, unique, n }) => {
      const glob = toRegExp(typeof pattern === "string" ? pattern : "*");
      const found = entries.filter(({ input }) => glob.test(input));
      return last(unique === true ? newestOfEach(found) : found, n);
    },
  };

  return {
    add: (line, input) => {
      entries.push({ line, input, output: null });
      if (entries.length > KEPT) entries.shift();
    },
    setOutput: (line, output) => {
      const entry = entries.findLast((candidate) => candidate.line === line);
      if (entry !== undefined) entry.output = output.slice(0, LONGEST_OUTPUT);
    },
    select: (request) => {
      const access = ACCESS[String(request["hist_access_type"])];
      if (access === undefined) {
        throw new RangeError(
          `Reading the history failed: hist_access_type is ` +
            `${JSON.stringify(request["hist_access_type"])}, not "tail", "range" or "search"`,
        );
      }
      return access(request).map(({ line, input, output }) => [
        SESSION,
        line,
        request["output"] === true ? [input, output] : input,
      ]);
    },
  };
}

/** As a slice of Python's does it: negative numbers count from the end, 0 as a stop is the end. */
function range(entries: readonly Entry[], start: number, stop: number): readonly Entry[] {
  const end = (entries.at(-1)?.line ?? 0) + 1;
  const from = start < 0 ? start + end : start;
  const to = stop === 0 || stop > end ? end : stop < 0 ? stop + end : stop;
  return entries.filter(({ line }) => line >= from && line < to);
}

function last(entries: readonly Entry[], count: unknown): readonly Entry[] {
  const number = toInteger(count, entries.length);
  return number <= 0 ? [] : entries.slice(-number);
}

function newestOfEach(entries: readonly Entry[]): readonly Entry[] {
  const newest = new Map(entries.map((entry) => [entry.input, entry]));
  return entries.filter((entry) => newest.get(entry.input) === entry);
}

/** A glob as SQLite has it, which IPython searches with: `*`, `?` and sets in brackets. */
function toRegExp(glob: string): RegExp {
  const parts = glob.match(/\*+|\?|\[\^?\]?[^\]]*\]|[^*?[]+|\[/g) ?? [];
  const source = parts.map((part) => {
    if (part.startsWith("*")) return "[^]*";
    if (part === "?") return "[^]";
    if (part.length > 2 && part.startsWith("[")) return toSet(part);
    return part.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`, "u");
}

function toSet(part: string): string {
  const isNegated = part[1] === "^";
  const members = part.slice(isNegated ? 2 : 1, -1).replace(/[\\\][^]/g, "\\$&");
  try {
    const set = `[${isNegated ? "^" : ""}${members}]`;
    return new RegExp(set, "u").source;
  } catch {
    // A set such as `[z-a]` matches nothing.
    return "[]";
  }
}

function toInteger(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isInteger(value) ? value : fallback;
}
