import { whyUnsafe } from "./forms.ts";
import { HIDDEN, isPlaceholder, type SecretRange } from "./placeholders.ts";
import { CUT, type PartialMatch, Search } from "./search.ts";

/**
 * Who wrote a material. The secrets that a person wrote are masked for the whole session, those that servers
 * sent, or that were computed for a request, until a few thousand later ones have come.
 */
export type Provenance = "person" | "server";

interface Known {
  /** Its placeholder, or the mask. */
  readonly shown: string;
  readonly from: Provenance;
}

/** How many secrets that servers sent are kept; the oldest are forgotten. */
const MAX_RECEIVED = 5_000;

/** The texts that are secret, and the placeholder that each of them came from. */
export class KnownTexts {
  readonly #known = new Map<string, Known>();
  readonly #ofVariables = new Map<string, ReadonlyMap<string, string>>();
  readonly #onForgotten: (remark: string) => void;
  #received = 0;
  /** Removing texts drops it; {@link KnownTexts.#searchOfAll} makes it again when it is needed. */
  #search: Search | undefined;
  /** Grows with each change. */
  revision = 0;

  /** @param onForgotten Receives a remark when texts are forgotten. */
  constructor(onForgotten: (remark: string) => void) {
    this.#onForgotten = onForgotten;
  }

  /** The ranges of the texts in another text, unordered; they may overlap. */
  locate(text: string): readonly SecretRange[] {
    if (this.#known.size === 0) return [];
    const search = this.#searchOfAll();
    const cut = text.includes(CUT) ? search.locateCut(text) : [];
    return [...search.locate(text), ...cut].map(({ start, end, secret }) => {
      return { start, end, shown: this.#known.get(secret)?.shown ?? HIDDEN };
    });
  }

  /** The end of a text that may be the beginning of a secret. */
  partialMatch(text: string): PartialMatch {
    return this.#searchOfAll().partialMatch(text);
  }

  /** Adds a text unless it cannot be masked safely, or is a placeholder. */
  add(text: string, from: Provenance, placeholder: string = HIDDEN): void {
    if (isPlaceholder(text) || whyUnsafe(text) !== undefined) return;
    const before = this.#known.get(text);
    const shown = before === undefined || before.shown === HIDDEN ? placeholder : before.shown;
    this.#set(text, shown, before?.from === "person" ? "person" : from);
    if (this.#received > MAX_RECEIVED) this.#forgetOldest();
  }

  /** Adds a text without any check. */
  addUnchecked(text: string): void {
    this.#set(text, HIDDEN, "person");
  }

  /** Whether a variable has secret texts. */
  hasVariable(name: string): boolean {
    return this.#ofVariables.has(name);
  }

  /** Replaces the texts of a variable; the earlier ones stay secret, without a placeholder. */
  setVariable(name: string, placeholders: ReadonlyMap<string, string>): void {
    const before = this.#ofVariables.get(name);
    // The history may contain a value that the variable no longer has.
    for (const text of before?.keys() ?? []) this.addUnchecked(text);
    if (placeholders.size > 0) this.#ofVariables.set(name, placeholders);
    else this.#ofVariables.delete(name);
    this.#nameTexts(before === undefined ? [placeholders] : this.#ofVariables.values());
  }

  /** Removes the texts of a variable that is not secret, wherever else they came from. */
  publishVariable(name: string): void {
    this.#remove([...(this.#ofVariables.get(name)?.keys() ?? [])]);
    this.#ofVariables.delete(name);
    this.#nameTexts(this.#ofVariables.values());
  }

  /** Several variables may have the same text. */
  #nameTexts(variables: Iterable<ReadonlyMap<string, string>>): void {
    for (const texts of variables) {
      for (const [text, placeholder] of texts) this.#set(text, placeholder, "person");
    }
  }

  #set(text: string, placeholder: string, from: Provenance): void {
    const before = this.#known.get(text);
    // A placeholder that contains the secret itself is not shown.
    const shown = placeholder.includes(text) ? HIDDEN : placeholder;
    this.#received += Number(from === "server") - Number(before?.from === "server");
    // Deleted first, so that a text that is received again becomes the latest.
    this.#known.delete(text);
    this.#known.set(text, { shown, from });
    if (before === undefined) this.#search?.add(text);
    if (before?.shown !== shown) this.revision += 1;
  }

  #remove(texts: readonly string[]): void {
    if (texts.length === 0) return;
    for (const text of texts) {
      if (this.#known.get(text)?.from === "server") this.#received -= 1;
      this.#known.delete(text);
    }
    this.revision += 1;
    this.#search = undefined;
  }

  #searchOfAll(): Search {
    if (this.#search === undefined) {
      this.#search = new Search();
      for (const text of this.#known.keys()) this.#search.add(text);
    }
    return this.#search;
  }

  #forgetOldest(): void {
    const received = [...this.#known].filter(([, { from }]) => from === "server");
    // A tenth at once, since the next search has to be made again.
    this.#remove(received.slice(0, MAX_RECEIVED / 10).map(([text]) => text));
    this.#onForgotten(
      `Servers have sent more than ${MAX_RECEIVED} secrets: the oldest of them are no longer masked`,
    );
  }
}
