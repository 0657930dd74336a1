import type { Client } from "../../../lib/mod.ts";
import type { Completion } from "../cell/mod.ts";
import { MAGICS, STRICT_VALUES } from "../words/mod.ts";

type Known = Pick<Client, "environment">;

/** What may come before a line `%env NAME` or `%%http`: other such lines, and blank ones. */
const BEFORE = String.raw`^\uFEFF?(?:[^\S\n]*(?:%(?:demo|env|strict)[^\n]*)?\n)*[^\S\n]*`;
const WORD = new RegExp(`${BEFORE}(%%?\\w*)$`);
const VALUE = new RegExp(`${BEFORE}%(env|strict)[^\\S\\n]+(\\S*)$`);

/** Completes the `%` lines that a cell begins with, and their values; nothing elsewhere. */
export function completeMagic(
  { environment }: Known,
  code: string,
  position: number,
): Completion | undefined {
  const before = code.slice(0, position);
  const [, word] = WORD.exec(before) ?? [];
  if (word !== undefined) return complete(MAGICS, "magic", word, position);
  const [, name, value] = VALUE.exec(before) ?? [];
  if (value === undefined) return undefined;
  if (name === "strict") return complete(STRICT_VALUES, "value", value, position);
  const names = Object.fromEntries((environment?.names ?? []).map((it) => [it, undefined]));
  return complete(names, "environment", value, position);
}

function complete(
  words: Readonly<Record<string, string | undefined>>,
  kind: string,
  typed: string,
  position: number,
): Completion {
  const candidates = Object.entries(words)
    .filter(([text]) => text.startsWith(typed))
    .map(([text, detail]) => ({ text, kind, ...(detail !== undefined && { detail }) }));
  return { start: position - typed.length, end: position, candidates };
}
