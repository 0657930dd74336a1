/** The first and the last of a row that may have no end, and how many there were. */
export interface Ends<T> {
  readonly count: number;
  /** The first of them, in order. */
  readonly first: readonly T[];
  /** The last of them that are not among the first, in order. */
  readonly last: readonly T[];
  push(item: T): void;
}

/** How much of a row is kept. */
export interface EndsLimits<T> {
  readonly first: number;
  readonly last: number;
  /** How large the first of them may be together, and the last of them; however large unless told. */
  readonly size?: number;
  sizeOf?(item: T): number;
}

/**
 * Creates a memory of both ends of a row.
 *
 * @param most How many of the first and how many of the last are kept; of the last, one always is.
 */
export function createEnds<T>({
  first: mostFirst,
  last: mostLast,
  size: mostSize = Number.POSITIVE_INFINITY,
  sizeOf = () => 0,
}: EndsLimits<T>): Ends<T> {
  const first: T[] = [];
  const last: T[] = [];
  let count = 0;
  let firstSize = 0;
  let lastSize = 0;
  let isFull = false;
  return {
    get count() {
      return count;
    },
    get first() {
      return first;
    },
    get last() {
      return last.slice();
    },
    push(item) {
      count += 1;
      const size = sizeOf(item);
      // What comes behind one that found no place is not among the first.
      isFull ||= first.length >= mostFirst || firstSize + size > mostSize;
      if (!isFull) {
        first.push(item);
        firstSize += size;
        return;
      }
      if (mostLast === 0) return;
      last.push(item);
      lastSize += size;
      while (last.length > mostLast || (lastSize > mostSize && last.length > 1)) {
        lastSize -= sizeOf(last.shift() as T);
      }
    },
  };
}
