import { HistoryFile } from "../platform/mod.ts";

const MAX_ENTRIES = 2_000;
const MAX_ENTRY_LENGTH = 50_000;

/** The entries of this session of the prompt and of earlier ones, which share a file. A start shortens it. */
export class History {
  /** Without duplicates, the latest last. */
  entries: readonly string[] = [];
  readonly #file: HistoryFile;

  constructor(options: ConstructorParameters<typeof HistoryFile>[0]) {
    this.#file = new HistoryFile(options);
  }

  /** Reads the entries of earlier sessions. */
  async load(): Promise<void> {
    const content = await this.#file.read();
    const { entries, hasBroken } = content;
    // A repeated entry has the position of its latest use.
    const latest = new Set(entries.map(({ input }) => input).toReversed());
    this.entries = [...latest].slice(0, MAX_ENTRIES).reverse();
    if (!hasBroken && entries.length <= MAX_ENTRIES * 2) return;
    const kept = this.entries.map((input) => ({ input }));
    await this.#file.rewrite(kept, content);
  }

  /** @param isPrivate Whether the entry stays out of the file. */
  add(entry: string, isPrivate = false): void {
    if (entry.trim() === "" || entry.length > MAX_ENTRY_LENGTH) return;
    const others = this.entries.filter((other) => other !== entry);
    this.entries = [...others, entry].slice(-MAX_ENTRIES);
    if (!isPrivate) this.#file.add({ input: entry });
  }

  /**
   * Removes entries of this session from the file that may no longer be in it.
   *
   * @param revision The revision of the rule; a review by the same revision does nothing.
   */
  review(isKeepable: (entry: string) => boolean, revision: number): void {
    this.#file.review(isKeepable, revision);
  }

  /** Writes all changes. */
  flush(): void {
    this.#file.flush();
  }
}
