import { HIDDEN, isPlaceholder, marksIn, whyUnsafe } from "./names/mod.ts";
import type { Remarks } from "./remarks.ts";
import { createSearch, type Search } from "./search/mod.ts";
import type { Provenance } from "./secrets.ts";

/** The texts that are secret, and the placeholder that each of them came from. */
export interface KnownTexts {
  /** Finds the texts. */
  readonly search: Search;
  /** Grows with each change. */
  readonly revision: number;
  /** Adds a text unless it cannot be masked safely, or is a placeholder. */
  add(text: string, from: Provenance, placeholder?: string): void;
  /** Adds a text, whatever it is. */
  addUnchecked(text: string): void;
  /** Replaces the texts of a variable; the earlier ones stay secret, without a placeholder. */
  setVariable(name: string, texts: ReadonlyMap<string, string>): void;
  /** Removes the texts of a variable that is not secret, wherever else they came from. */
  publishVariable(name: string): void;
  /** Whether a variable has secret texts. */
  hasVariable(name: string): boolean;
}

/** How many secrets that servers sent are kept; the oldest are forgotten. */
const MOST_RECEIVED = 5_000;
const MOST_PLACEHOLDERS = 1_000;
const NO_TEXTS: ReadonlyMap<string, string> = new Map();

/** Creates an empty collection. */
export function createKnownTexts(remarks: Remarks): KnownTexts {
  const ofVariables = new Map<string, ReadonlyMap<string, string>>();
  /** Never forgotten: otherwise a server could make the client forget them. */
  const ofPerson = new Map<string, string>();
  const received = new Map<string, string>();
  /** Placeholders that a person wrote in the place of a secret. */
  const placeholders = new Set<string>();
  const texts = new Map<string, string>();
  const search = createSearch(texts);
  let revision = 0;

  /** Texts of variables take precedence: they have a name. */
  function rebuild(): void {
    revision += 1;
    texts.clear();
    for (const known of [received, ofPerson, ...ofVariables.values()]) {
      for (const [text, shown] of known) texts.set(text, shown);
    }
    search.forget();
  }

  function forgetOldest(): void {
    // A tenth at once, since the search is rebuilt each time.
    for (const old of [...received.keys()].slice(0, MOST_RECEIVED / 10)) received.delete(old);
    rebuild();
    remarks.add(
      `Servers have sent more than ${MOST_RECEIVED} secrets: the oldest of them are no longer masked`,
    );
  }

  /** A placeholder that a person wrote is not a secret; one that a server sends is, unless it echoes such a one. */
  function isWrittenPlaceholder(text: string, from: Provenance): boolean {
    if (!isPlaceholder(text)) return false;
    const marks = marksIn(text);
    if (from === "server") return marks.every((mark) => placeholders.has(mark));
    if (placeholders.size < MOST_PLACEHOLDERS) for (const mark of marks) placeholders.add(mark);
    return true;
  }

  return {
    search,
    get revision() {
      return revision;
    },
    add: (text, from, placeholder = HIDDEN) => {
      if (isWrittenPlaceholder(text, from) || whyUnsafe(text) !== undefined) return;
      const before = texts.get(text);
      const isNews = before === undefined || (before === HIDDEN && placeholder !== HIDDEN);
      const shown = !isNews ? before : placeholder.includes(text) ? HIDDEN : placeholder;
      // Deleted first, so that a text that is received again becomes the latest.
      received.delete(text);
      if (from === "person") ofPerson.set(text, shown);
      else if (!ofPerson.has(text)) received.set(text, shown);
      if (isNews) {
        texts.set(text, shown);
        revision += 1;
      }
      if (received.size > MOST_RECEIVED) forgetOldest();
    },
    addUnchecked: (text) => {
      ofPerson.set(text, HIDDEN);
      texts.set(text, HIDDEN);
      revision += 1;
    },
    setVariable: (name, found) => {
      const before = ofVariables.get(name);
      if (found.size > 0) ofVariables.set(name, found);
      else ofVariables.delete(name);
      if (before === undefined) {
        for (const [text, shown] of found) texts.set(text, shown);
        revision += 1;
        return;
      }
      // The history and other variables may contain a value that the variable no longer has.
      for (const text of before.keys()) if (!found.has(text)) ofPerson.set(text, HIDDEN);
      rebuild();
    },
    publishVariable: (name) => {
      for (const text of (ofVariables.get(name) ?? NO_TEXTS).keys()) {
        ofPerson.delete(text);
        received.delete(text);
      }
      if (ofVariables.delete(name)) rebuild();
    },
    hasVariable: (name) => ofVariables.has(name),
  };
}
