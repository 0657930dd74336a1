import { type IsComplete, isCompleteRequest, kindOfCell } from "../../session/mod.ts";
import type { Language } from "../editor/mod.ts";
import { commandOfBareWord, nameToExplain } from "./bare-word.ts";
import { insertBlankLines, isInvalidAboveBody } from "./request-head.ts";
import { scanTypeScript } from "./typescript-scan.ts";

/** A command line such as `.vars`; `.5 + 1` is a number. */
const COMMAND = /^[ \t]*\.[a-z]/i;

/** The language of an entry, while it is typed and when it is run. */
export function languageOf(text: string): Language {
  if (COMMAND.test(text)) return "command";
  try {
    return kindOfCell(text).kind === "typescript" ? "typescript" : "request";
  } catch {
    // An unknown `%%` line is reported when the entry is run.
    return "typescript";
  }
}

/** Commands whose argument is an entry, which may need more lines. */
const WITH_ENTRY = /^[ \t]*\.(?:preview)\s+(?=\S)/i;

/** The entry in a command that takes one: `GET /a` of `.preview GET /a`. */
export function entryOfCommand(text: string): string | undefined {
  const head = WITH_ENTRY.exec(text)?.[0];
  return head === undefined ? undefined : text.slice(head.length);
}

/** Asks the compiler for the status of code. */
export type AskStatus = (code: string) => Promise<IsComplete["status"]>;

/** Inserts the empty line before a body where it was left out. */
export function normalizeEntry(text: string): string {
  const head = WITH_ENTRY.exec(text)?.[0] ?? "";
  const rest = text.slice(head.length);
  return languageOf(rest) === "request" ? head + insertBlankLines(rest) : text;
}

/**
 * Whether Enter at the end of an entry submits it.
 *
 * @param ask Asks the compiler, if the tokens alone do not decide.
 */
export async function isEntryComplete(text: string, ask: AskStatus): Promise<boolean> {
  // Two empty lines submit any entry, so that there is always a way out.
  if (/\n[ \t]*\n[ \t]*$/.test(text)) return true;
  if (commandOfBareWord(text) !== undefined || nameToExplain(text) !== undefined) return true;
  const language = languageOf(text);
  if (language === "command") {
    const entry = entryOfCommand(text);
    return entry === undefined || (await isEntryComplete(entry, ask));
  }
  if (language === "request") {
    // A body cannot repair a fault above it, so the fault is reported at once.
    const isInvalid = isInvalidAboveBody(kindOfCell(text).text);
    return isInvalid || isCompleteRequest(text).status === "complete";
  }
  if (/^\s*%%/.test(text)) return !/^\s*%%ts\s*$/.test(text);
  const scan = scanTypeScript(text);
  return scan === "unsure" ? (await ask(text)) !== "incomplete" : scan === "complete";
}
