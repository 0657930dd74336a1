import { isCompleteRequest, kindOfCell } from "../../session/mod.ts";
import type { Language } from "../editor/mod.ts";
import { commandOfBareWord } from "./bare-word.ts";
import { isBrokenAbove, withBlankLines } from "./request-head.ts";
import { type Scan, scanTypeScript } from "./typescript-scan.ts";

/** A command line such as `.vars`; `.5 + 1` is a number. */
const COMMAND = /^[ \t]*\.[a-z]/i;

/** What an entry is taken for, while it is typed and when it is run. */
export function languageOf(text: string): Language {
  if (COMMAND.test(text)) return "command";
  try {
    return kindOfCell(text).kind === "typescript" ? "typescript" : "request";
  } catch {
    // An unknown `%%` line: what is wrong with it is said when it is run.
    return "typescript";
  }
}

/** Commands that take an entry behind their name, which may need more lines. */
const WITH_ENTRY = /^[ \t]*\.(?:preview)\s+(?=\S)/i;

/**
 * What an entry becomes when Enter is pressed at its end: the empty line before a body may be left out.
 */
export function normalizeEntry(text: string): string {
  const head = WITH_ENTRY.exec(text)?.[0] ?? "";
  const rest = text.slice(head.length);
  return languageOf(rest) === "request" ? head + withBlankLines(rest) : text;
}

/**
 * Whether an entry is complete when Enter is pressed at its end.
 *
 * @param text The entry.
 * @param ask Asks the compiler, where a look at the tokens leaves a doubt.
 */
export function isEntryComplete(
  text: string,
  ask: (text: string) => Promise<boolean>,
): boolean | Promise<boolean> {
  // Nobody is to be caught in an entry: two empty lines end any.
  if (/\n[ \t]*\n[ \t]*$/.test(text)) return true;
  if (commandOfBareWord(text) !== undefined) return true;
  const language = languageOf(text);
  if (language === "command") {
    const head = WITH_ENTRY.exec(text)?.[0];
    return head === undefined || isEntryComplete(text.slice(head.length), ask);
  }
  // What is wrong in its head is told at once: no body behind it would mend that.
  if (language === "request") {
    return isCompleteRequest(text).status === "complete" || isBrokenAbove(kindOfCell(text).text);
  }
  if (/^\s*%%/.test(text)) return !/^\s*%%ts\s*$/.test(text);
  return ANSWERS[scanTypeScript(text)](text, ask);
}

const ANSWERS: Readonly<
  Record<
    Scan,
    (text: string, ask: (text: string) => Promise<boolean>) => boolean | Promise<boolean>
  >
> = {
  open: () => false,
  whole: () => true,
  unsure: (text, ask) => ask(text),
};
