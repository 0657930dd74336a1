import { type Automaton, createAutomaton, type Pattern } from "./automaton.ts";
import { formsOf } from "./forms.ts";
import { HIDDEN } from "./hidden.ts";
import type { NameRule } from "./names.ts";
import { findInUrls, openUrl, type Stretch } from "./positions.ts";
import { openEscape, unescapeText } from "./unescape.ts";

/** A stretch of a text that holds a secret, and what stands in its place. */
export interface SecretRange extends Stretch {
  /** `{{auth.apiKey}}` where it came from a placeholder, else `•••`. */
  readonly shown: string;
}

/** What a masker knows. */
export interface Known {
  /** The secrets, each once. */
  readonly texts: ReadonlyMap<string, string>;
  readonly isSecretName: NameRule;
}

/** Finds secrets, in whatever form, in one pass over a text. */
export interface Masker {
  /** Where secrets stand, in order; none overlaps another. */
  locate(text: string): readonly SecretRange[];
  /** From where on a text may go on to be a secret: by how many characters, and how many are missing. */
  openEnd(text: string): {
    readonly from: number;
    readonly missing: number;
    readonly isKnown: boolean;
  };
}

/** `\\\\u0041`: no escape of one character is longer. */
const LONGEST_ESCAPE = 8;
/** So many secrets are searched for beside the others before all are built anew. */
const MOST_RECENT = 64;

/**
 * Creates a masker that follows a growing collection. Secrets that come one by one go into a small
 * automaton of their own, so that a session that learns a token does not build all of it again.
 */
export function createMasker(known: Known): Masker & { forget(): void } {
  let settled: Layer = EMPTY;
  let recent: Layer = EMPTY;

  function layers(): readonly Layer[] {
    const { texts } = known;
    const count = settled.texts.length + recent.texts.length;
    if (texts.size !== count) {
      const fresh = [...texts.keys()].filter((text) => !settled.known.has(text));
      if (fresh.length <= MOST_RECENT) recent = createLayer(fresh);
      else {
        settled = createLayer([...texts.keys()]);
        recent = EMPTY;
      }
    }
    return [settled, recent].filter((layer) => layer.texts.length > 0);
  }

  function locate(text: string): readonly SecretRange[] {
    const found: SecretRange[] = [];
    const all = layers();
    for (const layer of all) search(text, layer, found);
    const read = all.length === 0 ? undefined : unescapeText(text);
    if (read !== undefined) {
      const inside: SecretRange[] = [];
      for (const layer of all) search(read.text, layer, inside);
      for (const { start, end, shown } of inside) {
        found.push({ ...read.toWritten(start, end), shown });
      }
    }
    for (const range of cutShort(text, all)) found.push(range);
    for (const { start, end } of findInUrls(text, known.isSecretName)) {
      found.push({ start, end, shown: HIDDEN });
    }
    return found.length === 0 ? found : join(found, text);
  }

  function search(text: string, { automaton, texts }: Layer, found: SecretRange[]): void {
    automaton.scan(text, (end, length, owner) => {
      const shown = known.texts.get(texts[owner] ?? "") ?? HIDDEN;
      const last = found.at(-1);
      const start = end - length;
      // A longer match at the same place takes the place of a shorter one, in constant memory.
      if (last !== undefined && last.start >= start && last.end <= end) found.pop();
      found.push({ start, end, shown });
    });
  }

  /** Consoles cut long texts, in a secret as well: what is most of one is masked. */
  function cutShort(text: string, all: readonly Layer[]): SecretRange[] {
    const ranges: SecretRange[] = [];
    if (!text.includes("...")) return ranges;
    let left = MOST_CUT;
    for (const { index } of text.matchAll(CUT)) {
      if (left-- <= 0) break;
      for (const layer of all) {
        const tail = text.slice(Math.max(0, index - layer.automaton.longest), index);
        const depth = layer.automaton.depth(layer.automaton.scan(tail, () => undefined));
        const { from } = openEscaped(tail, layer);
        const start = Math.min(index - depth, index - tail.length + from);
        if (index - start > HARMLESS) ranges.push({ start, end: index, shown: HIDDEN });
      }
    }
    return ranges;
  }

  /** From where on the end of a text may be the beginning of a secret that is written with escapes. */
  function openEscaped(
    text: string,
    { automaton }: Layer,
  ): { readonly from: number; readonly missing: number } {
    const tail = text.slice(-automaton.longest * LONGEST_ESCAPE);
    const whole = tail.slice(0, openEscape(tail));
    // An escape may begin behind a beginning that has none.
    const read = unescapeText(whole);
    if (read === undefined && whole.length === tail.length)
      return { from: text.length, missing: 0 };
    const inside = read?.text ?? whole;
    const { depth, missing } = begunIn(inside, automaton);
    if (depth === 0) return { from: text.length, missing: 0 };
    const at = inside.length - depth;
    const start = read?.toWritten(at, inside.length).start ?? at;
    return { from: text.length - tail.length + start, missing };
  }

  return {
    locate,
    forget: () => {
      settled = EMPTY;
      recent = EMPTY;
    },
    openEnd: (text) => {
      let from = text.length;
      let missing = 0;
      const all = layers();
      for (const layer of all) {
        const { automaton } = layer;
        const plain = begunIn(text.slice(-automaton.longest), automaton);
        const open = { from: text.length - plain.depth, missing: plain.missing };
        for (const one of [open, openEscaped(text, layer)]) {
          if (one.from < from) ({ from, missing } = one);
        }
      }
      const begun = all.length === 0 ? text.length : openEscape(text);
      const url = Math.min(begun, openUrl(text, known.isSecretName));
      return { from: Math.min(from, url), missing, isKnown: from <= url && from < text.length };
    },
  };
}

/**
 * How many characters at the end of a text may go on to be a secret, and how many it needs at least.
 * A secret that is whole and ends in a quote is open, too: of quotes in a row {@link unescapeText}
 * makes one, however they are written, and the next piece may bring another.
 */
function begunIn(text: string, automaton: Automaton): { depth: number; missing: number } {
  let whole = 0;
  const state = automaton.scan(text, (end, length) => {
    if (end === text.length) whole = length;
  });
  const depth = automaton.depth(state);
  return whole > depth && /["']$/.test(text)
    ? { depth: whole, missing: 0 }
    : { depth, missing: automaton.missing(state) };
}

/** `'some text'... 100 more characters` of Node, `"some text"...` of Deno. */
const CUT = /(?<=[^\s.])["'`]\.\.\.(?=[\s,}\])]|$)/g;
const MOST_CUT = 1_000;
/** So many characters of a secret may be seen where a text stops in the middle of it. */
export const HARMLESS = 3;

interface Layer {
  readonly texts: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly automaton: Automaton;
}

const EMPTY: Layer = { texts: [], known: new Set(), automaton: createAutomaton([]) };

function createLayer(texts: readonly string[]): Layer {
  if (texts.length === 0) return EMPTY;
  const patterns: Pattern[] = texts.flatMap((text, owner) =>
    formsOf(text).map((form) => ({ text: form, owner })),
  );
  return { texts, known: new Set(texts), automaton: createAutomaton(patterns) };
}

/** What joins two halves of one secret that was cut for the search. */
const SEAM = /^[\w+/=%-]{0,4}$/;

/** Ranges that overlap become one: half a secret is one, too. */
function join(found: SecretRange[], text: string): readonly SecretRange[] {
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const joined: { start: number; end: number; shown: string }[] = [];
  for (const range of found) {
    const last = joined.at(-1);
    if (last === undefined || !isOne(last, range, text)) {
      joined.push({ ...range });
      continue;
    }
    last.end = Math.max(last.end, range.end);
    if (last.shown === HIDDEN) last.shown = range.shown;
  }
  return joined;
}

function isOne(last: SecretRange, { start, end, shown }: SecretRange, text: string): boolean {
  if (start < last.end) return true;
  const isLong = last.end - last.start >= 256 || end - start >= 256;
  return isLong && shown === last.shown && SEAM.test(text.slice(last.end, start));
}

/** A text with what is to be shown in the place of its secrets. */
export function maskRanges(
  text: string,
  ranges: readonly SecretRange[],
  write: (shown: string) => string = (shown) => shown,
): string {
  if (ranges.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, shown } of ranges) {
    parts.push(text.slice(from, start), write(shown));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
