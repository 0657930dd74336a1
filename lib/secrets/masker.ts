import { readBase64 } from "./base64-runs.ts";
import { HIDDEN } from "./hidden.ts";
import { createLayer, EMPTY, type Layer } from "./layer.ts";
import type { NameRule } from "./names.ts";
import { closed, nearer, type OpenEnd, openEndOf } from "./open-end.ts";
import { findInUrls, openUrl, type Stretch } from "./positions.ts";
import { openEscape, type Unescaped, unescapeText } from "./unescape.ts";

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
  /** From where on a text may go on to be a secret. */
  openEnd(text: string): OpenEnd;
}

/** So many secrets are searched for beside the others before all are built anew. */
const MOST_RECENT = 64;
/** So often is base64 of base64 looked into. */
const DEEPEST_BASE64 = 2;

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
    const all = layers();
    const found = all.length === 0 ? [] : read(text, all, DEEPEST_BASE64);
    for (const { start, end } of findInUrls(text, known.isSecretName)) {
      found.push({ start, end, shown: HIDDEN });
    }
    return found.length === 0 ? found : join(found);
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

  /** As it is written, with its escapes read, and unpacked from base64 so many times. */
  function read(text: string, all: readonly Layer[], depth: number): SecretRange[] {
    const found = plain(text, all);
    const within = (other: Unescaped | undefined, find: (text: string) => SecretRange[]): void => {
      if (other === undefined) return;
      for (const { start, end, shown } of find(other.text)) {
        found.push({ ...other.toWritten(start, end), shown });
      }
    };
    within(unescapeText(text), (inside) => plain(inside, all));
    if (depth > 0) within(readBase64(text), (inside) => read(inside, all, depth - 1));
    return found;
  }

  function plain(text: string, all: readonly Layer[]): SecretRange[] {
    const found: SecretRange[] = [];
    for (const layer of all) search(text, layer, found);
    return found;
  }

  return {
    locate,
    forget: () => {
      settled = EMPTY;
      recent = EMPTY;
    },
    openEnd: (text) => {
      const all = layers();
      const open = all.map((layer) => openEndOf(text, layer)).reduce(nearer, closed(text));
      const begun = all.length === 0 ? text.length : openEscape(text);
      const url = Math.min(begun, openUrl(text, known.isSecretName));
      return open.from <= url ? open : { from: url, depth: 0, missing: 0 };
    },
  };
}

/** Ranges that overlap become one: half a secret is one, too. */
function join(found: SecretRange[]): readonly SecretRange[] {
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const joined: { start: number; end: number; shown: string }[] = [];
  for (const range of found) {
    const last = joined.at(-1);
    if (last === undefined || range.start >= last.end) {
      joined.push({ ...range });
      continue;
    }
    last.end = Math.max(last.end, range.end);
    if (last.shown === HIDDEN) last.shown = range.shown;
  }
  return joined;
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
