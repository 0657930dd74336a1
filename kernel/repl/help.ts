import { CURL_OPTIONS, HTTPIE_ITEMS, writeOption } from "../../lib/curl/mod.ts";
import { wrapText } from "../../lib/display/mod.ts";
import { CLIENT_MEMBERS, METHODS } from "../session/cell/mod.ts";
import type { Command, Shell } from "./shell.ts";

/** A command with its arguments, such as `.set [--secret] NAME VALUE`. */
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
  ["Tab", "complete; PageUp and PageDown turn the pages of a long menu"],
  ["Alt-E", "edit the entry in $EDITOR"],
  ["Ctrl-C", "discard the entry, or interrupt what is running"],
  ["Ctrl-Y, Ctrl-_", "paste what was cut; undo"],
  ["Ctrl-D", "leave"],
];

const ENTRIES: readonly (readonly [entry: string, what: string])[] = [
  ["GET {{base}}/users", "a request, sent at Enter; {{base}} is a variable"],
  ["POST {{base}}/users", 'continues with headers, an empty line and the body: {"name": "Ada"}'],
  ["@base = http://h", "sets a variable, as .set does"],
  ["?? status == 200", "an assertion about the last answer"],
  ["client.last.json", "TypeScript: the last answer; await client.send(`GET …`) sends"],
  ["_", "the last result"],
  ["client?", "explains a name, as .help client does"],
  [".help set", "a command; this one shows how .set is used"],
];

const RULES =
  "A paste may contain several entries, requests and TypeScript mixed: lines ### or %% separate them; otherwise " +
  "each ends when it is complete. Entries that begin with a space or contain a secret are not kept in the history.";

/** Below this width descriptions are on lines of their own. */
const NARROW = 72;
const MIN_WIDTH = 20;
const MAX_WIDTH = 100;

/**
 * Renders `.help`: entries, commands and keys.
 *
 * @param columns The width of the terminal; lines are wrapped between words.
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

/** Renders `.help NAME`: the usage of a command, with examples. */
export function commandHelp(command: Command, columns: number): string {
  const { summary, examples = [] } = command;
  const width = widthOf(columns);
  const rows = examples.map(([line, remark = ""]) => [line, remark] as const);
  return [...wrap(`${usageOf(command)}: ${summary}`, width), ...listOf(rows, width, 48)].join("\n");
}

const REQUEST_FORMS: readonly (readonly [written: string, what: string])[] = [
  ["GET {{base}}/users", "the method and the URL; /users is below base, :8787/users on localhost"],
  ["Accept: text/csv", "headers, on the lines below; Alt-Enter begins one after a GET"],
  ["", "an empty line, then the body"],
  ["?? status == 200", "assertions, on the lines below it all"],
];

/**
 * Explains what a request begins with: a method, `curl` or `http`.
 *
 * @returns `undefined` for any other word.
 */
function explainRequest(word: string, columns: number): string | undefined {
  const meaning = Object.hasOwn(METHODS, word) ? METHODS[word] : undefined;
  if (meaning !== undefined)
    return [`${word} ${meaning}.`, ...listRows(REQUEST_FORMS, columns)].join("\n");
  if (word === "curl") {
    const rows = CURL_OPTIONS.map((option) => [writeOption(option), option.about] as const);
    return ["curl [OPTIONS] URL", ...listRows(rows, columns)].join("\n");
  }
  if (word !== "http" && word !== "https") return undefined;
  return [`${word} [METHOD] URL [ITEM...], as in HTTPie`, ...listRows(HTTPIE_ITEMS, columns)].join(
    "\n",
  );
}

/** One column less than the terminal has: some add an empty line after a full row. */
function widthOf(columns: number): number {
  return Math.max(MIN_WIDTH, Math.min(columns || 80, MAX_WIDTH)) - 1;
}

/** Renders names with their descriptions beside them. */
function listRows(
  rows: readonly (readonly [string, string])[],
  columns: number,
): readonly string[] {
  return listOf(rows, widthOf(columns));
}

/** @param maxColumn The maximum width of the left column. */
function listOf(
  rows: readonly (readonly [string, string])[],
  width: number,
  maxColumn = 26,
): readonly string[] {
  const longest = Math.max(0, ...rows.map(([head]) => head.length));
  const column = width < NARROW ? 6 : Math.min(longest, maxColumn) + 4;
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

function wrap(text: string, width: number): readonly string[] {
  return wrapText(text, width).split("\n");
}

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/**
 * Explains what a request begins with, a name of TypeScript, a member of `client` or the path to a member: its type and
 * documentation, and for `client` itself its members.
 *
 * @returns `undefined` for an unknown name.
 */
export async function explain(
  name: string,
  { session, platform }: Pick<Shell, "session" | "platform">,
): Promise<string | undefined> {
  const inspect = (path: string): ReturnType<typeof session.inspect> =>
    session.inspect(path, path.length);
  if (!NAME.test(name)) return undefined;
  const request = explainRequest(name, platform.stdout.columns());
  if (request !== undefined) return request;
  const isMember = Object.hasOwn(CLIENT_MEMBERS, name);
  const found = (await inspect(name)) ?? (isMember ? await inspect(`client.${name}`) : undefined);
  if (found === undefined) return undefined;
  const lines = [found.signature, found.documentation].filter((text) => text !== "");
  if (name !== "client") return lines.join("\n");
  const members = listRows(Object.entries(CLIENT_MEMBERS), platform.stdout.columns());
  return [...lines, "", ...members, "", "client.send? explains a member"].join("\n");
}
