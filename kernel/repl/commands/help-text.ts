import type { Command } from "./shell.ts";

/** A name with what stands behind it, such as `.set [--secret] NAME VALUE`. */
export function usageOf({ name, usage }: Pick<Command, "name" | "usage">): string {
  return `.${name} ${usage}`.trimEnd();
}

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["Enter", "send, run, or continue what is incomplete"],
  [
    "Alt-Enter, Ctrl-O",
    'another line, for headers of a GET; " \\" at the end of a line does the same',
  ],
  ["Up, Down", "earlier and later entries that begin like this one"],
  ["Ctrl-R", "search the earlier entries"],
  ["Tab", "complete"],
  ["Alt-E", "edit the entry in $EDITOR"],
  ["Ctrl-C", "discard the entry, or interrupt what is running"],
  ["Ctrl-Y, Ctrl-_", "paste what was cut; undo"],
  ["Ctrl-D", "leave"],
];

const ENTRIES: readonly (readonly [entry: string, what: string])[] = [
  ["GET {{base}}/users", "a request, sent at Enter; {{base}} is a variable"],
  ["POST {{base}}/users", 'continues with headers, an empty line and the body: {"name": "Ada"}'],
  ["@base = http://h", "sets a variable, as .set does"],
  ["client.last.json", "TypeScript: the last answer; await client.send(`GET …`) sends"],
  [".help set", "a command; this one shows how .set is used"],
];

const RULES =
  "What is pasted is one entry, several requests with ### between them too. Entries that begin with a " +
  "blank or hold a secret are not kept in the history.";

/** Usages that are longer stand in a line of their own where there is little room. */
const NARROW = 72;
const NARROWEST = 20;
const WIDEST = 100;

/**
 * Renders what `.help` shows: what is an entry, the commands in their order, the keys.
 *
 * @param columns The width of the terminal; no line is longer, save for a word that is.
 */
export function helpText(commands: ReadonlyMap<string, Command>, columns: number): string {
  const width = widthOf(columns);
  const listed = [...commands.values()].map((it) => [usageOf(it), it.summary] as const);
  return [
    "Entries:",
    ...listOf(ENTRIES, width),
    "",
    "Commands:",
    ...listOf(listed, width),
    "",
    "Keys:",
    ...listOf(KEYS, width),
    "",
    ...wrap(RULES, width),
  ].join("\n");
}

/** Renders what `.help NAME` shows: how a command is used, and lines to try. */
export function commandHelp(command: Command, columns: number): string {
  const { summary, examples = [] } = command;
  const width = widthOf(columns);
  const rows = examples.map(([line, remark = ""]) => [line, remark] as const);
  return [...wrap(`${usageOf(command)}: ${summary}`, width), ...listOf(rows, width, 48)].join("\n");
}

/** A line that fills a row is followed by an empty one on some terminals. */
function widthOf(columns: number): number {
  return Math.max(NARROWEST, Math.min(columns || 80, WIDEST)) - 1;
}

/** @param most The width that the left column may have at most. */
function listOf(
  rows: readonly (readonly [string, string])[],
  width: number,
  most = 26,
): readonly string[] {
  const longest = Math.max(0, ...rows.map(([head]) => head.length));
  const column = width < NARROW ? 6 : Math.min(longest, most) + 4;
  return rows.flatMap(([head, text]) => {
    const isBeside = head.length + 4 <= column;
    const lines = text === "" ? [] : wrap(text, width - column);
    const [first = "", ...rest] = isBeside ? lines : [];
    const begin = isBeside
      ? [`  ${head}`.padEnd(column) + first]
      : wrap(head, width - 4).map((line, index) => `${index === 0 ? "  " : "    "}${line}`);
    const below = isBeside ? rest : lines;
    return [
      ...begin.map((line) => line.trimEnd()),
      ...below.map((line) => " ".repeat(column) + line),
    ];
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
