import type { Completion } from "../session/cell/mod.ts";
import type { Session } from "../session/mod.ts";
import { ALIASES, COMMANDS } from "./commands.ts";
import { languageOf } from "./entry/mod.ts";

/** What candidates are taken from. */
interface CompletionSource {
  readonly session: Pick<Session, "complete" | "client">;
  /** The working folder, for names of files. */
  readonly directory: string;
}

/** Candidates at a position of an entry: commands, their arguments, and those of the session. */
export async function completeEntry(
  text: string,
  position: number,
  source: CompletionSource,
): Promise<Completion> {
  const head = text.slice(0, position);
  if (/^\s*\.[\w-]*$/.test(head)) return completeCommand(head, position);
  if (languageOf(text) === "command") return await completeArgument(text, position, source);
  const [, lead] = /^([ \t]*https?[ \t]+(?:[A-Z]+[ \t]+)?)\S*$/.exec(head) ?? [];
  if (lead !== undefined)
    return await completeRest(text, position, source, { lead, head: "%%http\nGET " });
  return await source.session.complete(text, position);
}

function completeCommand(head: string, position: number): Completion {
  const start = head.indexOf(".");
  const typed = head.slice(start + 1).toLowerCase();
  const names = [...COMMANDS.values()].filter(({ name }) => name.startsWith(typed));
  const others =
    names.length > 0 ? [] : [...ALIASES.keys()].filter((name) => name.startsWith(typed));
  const candidates = [
    ...names.map(({ name, usage, summary }) => ({
      text: `.${name}${usage === "" ? "" : " "}`,
      kind: "command",
      detail: summary,
    })),
    ...others.map((name) => ({ text: `.${name}`, kind: "command" })),
  ];
  return { start, end: position, candidates };
}

/** Commands that take a request or a part of one, with the text that makes it a request. */
const REQUEST_HEADS: Readonly<Record<string, string>> = {
  preview: "",
  header: "GET http://localhost/\n",
};

async function completeArgument(
  text: string,
  position: number,
  source: CompletionSource,
): Promise<Completion> {
  const [, lead = "", name = ""] = /^(\s*\.(\S*)\s+)/.exec(text) ?? [];
  const nothing = { start: position, end: position, candidates: [] };
  if (position < lead.length) return nothing;
  const typedName = name.toLowerCase();
  const command = COMMANDS.get(ALIASES.get(typedName) ?? typedName);
  const head = REQUEST_HEADS[command?.name ?? ""];
  if (head !== undefined) {
    return await completeRest(text, position, source, { lead, head });
  }
  const words = text.slice(lead.length, position).split(/\s+/);
  const word = words.at(-1) ?? "";
  const { session, directory } = source;
  const typed = { word, before: words.slice(0, -1), client: session.client, directory };
  const found = (await command?.complete?.(typed)) ?? [];
  const candidates = found.map((choice) => ({ ...choice, kind: "" }));
  return { start: position - word.length, end: position, candidates };
}

/** Candidates behind the beginning of an entry, as if it had another one. */
async function completeRest(
  text: string,
  position: number,
  source: CompletionSource,
  { lead, head }: { readonly lead: string; readonly head: string },
): Promise<Completion> {
  const moved = lead.length - head.length;
  const request = head + text.slice(lead.length);
  const { start, end, candidates } = await completeEntry(request, position - moved, source);
  return { start: start + moved, end: end + moved, candidates };
}
