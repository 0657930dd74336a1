import type { HistoryEntry } from "../platform/mod.ts";
import type { Dict, HistoryItem } from "./protocol.ts";

/** The inputs of this kernel, by execution count. */
export interface History {
  add(line: number, input: string): void;
  /** Adds the result of a cell as text. */
  setOutput(line: number, output: string): void;
  /**
   * Selects the entries that a `history_request` asks for.
   *
   * @param request The content of the request.
   * @param former The cells of earlier sessions, which are counted from 1; the oldest first.
   * @returns Entries of the protocol: session, line and input, or input with output.
   * @throws {RangeError} If the protocol does not define the kind of access.
   */
  select(request: Dict, former?: readonly (readonly HistoryEntry[])[]): readonly HistoryItem[];
}

interface Entry extends Required<HistoryEntry> {
  /** Kept for this session only. */
  output: string | null;
}

interface Numbered {
  readonly session: number;
  readonly entry: Entry;
}

type Sessions = readonly (readonly Entry[])[];

/** How many cells are kept, and how much of an output, in UTF-16 units. */
const KEPT = 10_000;
const LONGEST_OUTPUT = 10_000;

/** Creates an empty history. */
export function createHistory(): History {
  const entries: Entry[] = [];

  return {
    add: (line, input) => {
      entries.push({ line, input, output: null });
      if (entries.length > KEPT) entries.shift();
    },
    setOutput: (line, output) => {
      const entry = entries.findLast((candidate) => candidate.line === line);
      if (entry !== undefined) entry.output = output.slice(0, LONGEST_OUTPUT);
    },
    select: (request, former = []) => {
      const type = String(request["hist_access_type"]);
      const access = Object.hasOwn(ACCESS, type) ? ACCESS[type] : undefined;
      if (access === undefined) {
        throw new RangeError(
          `Reading the history failed: hist_access_type is ` +
            `${JSON.stringify(request["hist_access_type"])}, not "tail", "range" or "search"`,
        );
      }
      const earlier = former.map((cells) =>
        cells.map(({ line = 0, input }) => ({ line, input, output: null })),
      );
      return access([...earlier, entries], request).map(({ session, entry }) => [
        session,
        entry.line,
        request["output"] === true ? [entry.input, entry.output] : entry.input,
      ]);
    },
  };
}

const ACCESS: Readonly<Record<string, (sessions: Sessions, request: Dict) => readonly Numbered[]>> =
  {
    tail: (sessions, { n }) => last(numberAll(sessions), n),
    range: (sessions, { session, start, stop }) => {
      const asked = toInteger(session, 0);
      // As in IPython: 0 is this session, -1 the one before it.
      const number = asked > 0 ? asked : sessions.length + asked;
      const found = range(sessions[number - 1] ?? [], toInteger(start, 1), toInteger(stop, 0));
      return found.map((entry) => ({ session: number, entry }));
    },
    search: (sessions, { pattern, unique, n }) => {
      const wildcards = [...(typeof pattern === "string" ? pattern : "*")];
      const found = numberAll(sessions).filter(({ entry }) => matches(wildcards, entry.input));
      return last(unique === true ? newestOfEach(found) : found, n);
    },
  };

function numberAll(sessions: Sessions): readonly Numbered[] {
  return sessions.flatMap((entries, index) =>
    entries.map((entry) => ({ session: index + 1, entry })),
  );
}

/** As a slice in Python: negative numbers count from the end, 0 as a stop is the end. */
function range(entries: readonly Entry[], start: number, stop: number): readonly Entry[] {
  const end = (entries.at(-1)?.line ?? 0) + 1;
  const from = start < 0 ? start + end : start;
  const to = stop === 0 || stop > end ? end : stop < 0 ? stop + end : stop;
  return entries.filter(({ line }) => line >= from && line < to);
}

function last(entries: readonly Numbered[], count: unknown): readonly Numbered[] {
  const number = toInteger(count, entries.length);
  return number <= 0 ? [] : entries.slice(-number);
}

function newestOfEach(entries: readonly Numbered[]): readonly Numbered[] {
  const newest = new Map(entries.map((numbered) => [numbered.entry.input, numbered]));
  return entries.filter((numbered) => newest.get(numbered.entry.input) === numbered);
}

function toInteger(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isInteger(value) ? value : fallback;
}

/**
 * Whether a whole text matches a pattern, in which `*` stands for any text and `?` for any character. The
 * first match of what follows a star is as good as any later one: no star is tried again once another was
 * reached.
 */
function matches(pattern: readonly string[], text: string): boolean {
  const characters = [...text];
  let at = 0;
  let star = -1;
  let from = 0;
  for (let position = 0; position < characters.length; ) {
    const wanted = pattern[at];
    if (wanted === "*") {
      star = at++;
      from = position;
    } else if (wanted === "?" || wanted === characters[position]) {
      at += 1;
      position += 1;
    } else if (star < 0) return false;
    else {
      at = star + 1;
      position = ++from;
    }
  }
  return pattern.slice(at).every((wanted) => wanted === "*");
}
