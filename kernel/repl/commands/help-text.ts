import type { Command } from "./shell.ts";

/** A name with what stands behind it, such as `.set [--secret] NAME VALUE`. */
export function usageOf({ name, usage }: Pick<Command, "name" | "usage">): string {
  return `.${name} ${usage}`.trimEnd();
}

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["Enter", "send, run, or go on with what is not complete"],
  [
    "Alt-Enter, Ctrl-O",
    'another line, for headers of a GET; " \\" at the end of a line does the same',
  ],
  ["Up, Down", "earlier and later entries that begin like this one"],
  ["Ctrl-R", "search the earlier entries"],
  ["Tab", "complete"],
  ["Alt-E", "write the entry in $EDITOR"],
  ["Ctrl-C", "give up the entry, or end what runs"],
  ["Ctrl-Y, Ctrl-_", "put back what was cut; undo"],
  ["Ctrl-D", "leave"],
];

const RULES =
  "A line such as GET {{base}}/users is sent; one that takes a body (POST, PUT, PATCH) goes on with " +
  "headers, an empty line and the body. Anything else is TypeScript. Entries that begin with a blank " +
  "or hold a secret are not kept in the history.";

/** Usages that are longer stand in a line of their own where there is little room. */
const NARROW = 72;
const WIDEST = 100;

/**
 * Renders what `.help` shows: the commands in their order, the keys, what is an entry.
 *
 * @param columns The width of the terminal; no line is broken in a word where it is at least 40.
 */
export function helpText(commands: ReadonlyMap<string, Command>, columns: number): string {
  // A line that fills a row is followed by an empty one on some terminals.
  const width = Math.max(40, Math.min(columns || 80, WIDEST)) - 1;
  const listed = [...commands.values()].map((it) => [usageOf(it), it.summary] as const);
  return [
    "Commands:",
    ...listOf(listed, width),
    "",
    "Keys:",
    ...listOf(KEYS, width),
    "",
    ...wrap(RULES, width),
  ].join("\n");
}

function listOf(rows: readonly (readonly [string, string])[], width: number): readonly string[] {
  const longest = Math.max(...rows.map(([head]) => head.length));
  const column = width < NARROW ? 6 : Math.min(longest, 26) + 4;
  return rows.flatMap(([head, text]) => {
    const [first = "", ...rest] = wrap(text, width - column);
    const isBeside = head.length + 4 <= column;
    const begin = isBeside ? [`  ${head}`.padEnd(column) + first] : [`  ${head}`];
    const others = isBeside ? rest : [first, ...rest];
    return [...begin, ...others.map((line) => " ".repeat(column) + line)];
  });
}

/** Lines of whole words. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
