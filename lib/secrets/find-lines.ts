import type { Found } from "./find.ts";
import { isBesideSecrets } from "./leaves.ts";
import type { NameRule } from "./names.ts";

const LINE =
  /^([ \t]*)((?:-[ \t]+){0,20})(?:export[ \t]+)?(?:"([^"\r\n]{1,100})"|'([^'\r\n]{1,100})'|([\w.$/-]{1,100}))[ \t]*[:=](?:[ \t]+|(?=[^\s:/])|$)([^\r\n]*)$/;
/** One by one: a list of all lines would be far larger than the text. */
const ANY_LINE = /[^\r\n]+/g;
const FLOW_PAIR =
  /[{,][ \t]{0,20}["']?([\w.-]{1,100})["']?[ \t]{0,20}:[ \t]{0,20}("[^"\r\n]{1,4000}"|'[^'\r\n]{1,4000}'|[^\s,{}[\]"'#]{1,4000})/g;
/** So many lines below one name are taken. */
const MOST_BELOW = 200;

/**
 * The secrets of lines that give a name a value: YAML with what is nested below such a name, TOML,
 * INI, properties and environment files.
 *
 * @param isProse Whether the lines may be sentences: then only what cannot be a word is taken.
 */
export function findInLines(
  text: string,
  isProse: boolean,
  isSecretName: NameRule,
  found: Found,
): void {
  const take = (written: string): boolean => {
    const value = scalarOf(written);
    if (value === undefined) return false;
    if (isProse && !isNoWord(value)) return true;
    found(value);
    // As it is written it is in the text that is shown.
    const raw = /^(["'])(.*)\1/.exec(written.trim())?.[2];
    if (raw !== undefined) found(raw);
    return true;
  };
  let depth: number | undefined;
  let left = 0;
  let block: string[] | undefined;
  const closeBlock = (): void => {
    if (block !== undefined && block.length > 0) found(block.join("\n"));
    block = undefined;
  };
  for (const [line] of text.matchAll(ANY_LINE)) {
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (depth !== undefined && line.trim() !== "") {
      const isBelow = indent > depth || (indent === depth && /^[ \t]*-[ \t]/.test(line));
      if (isBelow && left-- > 0) {
        if (block === undefined) takeBelow(line, take);
        else block.push(line.trim());
        continue;
      }
      closeBlock();
      depth = undefined;
    }
    if (line.length > 100_000) continue;
    const match = LINE.exec(line);
    if (match !== null) {
      const [, , dashes = "", double, single, bare, rest = ""] = match;
      const name = double ?? single ?? bare ?? "";
      if (isSecretName(name)) {
        if (!take(rest) && !isProse) {
          depth = indent + dashes.length;
          left = MOST_BELOW;
          if (/^[|>]/.test(rest)) block = [];
          for (const [, , inner = ""] of rest.matchAll(FLOW_PAIR)) take(inner);
          if (rest.startsWith("[")) for (const item of itemsOf(rest)) take(item);
        }
        continue;
      }
    }
    if (isProse || !line.includes("{")) continue;
    for (const [, name = "", value = ""] of line.matchAll(FLOW_PAIR)) {
      if (isSecretName(name)) take(value);
    }
  }
  closeBlock();
}

/** A line below a secret name: a pair, an item of a list, or a text that goes on. */
function takeBelow(line: string, take: (written: string) => unknown): void {
  const match = LINE.exec(line.slice(0, 100_000));
  if (match === null) {
    take(line.trim().replace(/^(?:-[ \t]+){1,20}/, ""));
    return;
  }
  const [, , , double, single, bare, rest = ""] = match;
  if (!isBesideSecrets(double ?? single ?? bare ?? "")) take(rest);
}

/** The value on a line, or nothing where it stands on the lines below or in brackets. */
function scalarOf(written: string): string | undefined {
  const text = written.trim().replace(/^(?:[&!][^\s]{0,100}[ \t]+){1,5}/, "");
  if (text === "" || /^(?:[|>][+\-\d]{0,3}(?:\s|$)|[{[#])/.test(text)) return undefined;
  const [quote] = text;
  if (quote === '"' || quote === "'") {
    const end = closing(text, quote);
    if (end > 0) {
      const inside = text.slice(1, end);
      return quote === '"' ? unescaped(inside) : inside.replaceAll("''", "'");
    }
  }
  return text.replace(/[ \t]+#.*$/, "").replace(/[ \t]*[,;]$/, "");
}

function closing(text: string, quote: string): number {
  for (let index = 1; index < text.length; index++) {
    if (quote === '"' && text[index] === "\\") index += 1;
    else if (text[index] === quote) {
      if (quote === "'" && text[index + 1] === "'") index += 1;
      else return index;
    }
  }
  return -1;
}

function unescaped(inside: string): string {
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    // An escape that JSON does not know is taken as it is written.
    return inside;
  }
}

function itemsOf(list: string): string[] {
  return list.replace(/^\[|\].*$/g, "").split(",");
}

/** `Password: incorrect` tells of a password and holds none. */
function isNoWord(value: string): boolean {
  return !/\s/.test(value) && ((value.length >= 8 && /\d/.test(value)) || value.length >= 20);
}
