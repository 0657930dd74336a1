/** A request item of HTTPie: `name=value`, `Header:value` and their kin. */
export interface Item {
  readonly separator: Separator;
  readonly name: string;
  readonly value: string;
}

/** Of two that begin at the same place, the longer one counts. */
const SEPARATORS = [":=@", "==@", "=@", ":@", ":=", "==", "@", "=", ":", ";"] as const;

export type Separator = (typeof SEPARATORS)[number];

/**
 * Parses a request item as HTTPie does: the first separator that no backslash precedes counts.
 *
 * @returns `undefined` for a word without a separator.
 * @see https://httpie.io/docs/cli/request-items
 */
export function parseItem(word: string): Item | undefined {
  let name = "";
  for (let at = 0; at < word.length; at++) {
    const next = word[at + 1];
    if (word[at] === "\\" && next !== undefined && /[\\:=@;]/.test(next)) {
      name += next;
      at += 1;
      continue;
    }
    const separator = SEPARATORS.find((it) => word.startsWith(it, at));
    // A semicolon is one only at the end: `Header;`.
    if (separator === undefined || (separator === ";" && at < word.length - 1)) name += word[at];
    else return { separator, name, value: word.slice(at + separator.length) };
  }
  return undefined;
}
