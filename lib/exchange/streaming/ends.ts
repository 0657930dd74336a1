/** The first and the last items of a sequence of unknown length, and their number. */
export interface Ends<T> {
  /** The number of all items. */
  readonly count: number;
  /** The first items, in order. */
  readonly first: readonly T[];
  /** The last items that are not among the first, in order. */
  readonly last: readonly T[];
  push(item: T): void;
}

/** How many items are kept. */
interface EndsLimits<T> {
  readonly first: number;
  readonly last: number;
  /** The maximum total size of the first items, and of the last ones; unlimited by default. */
  readonly size?: number;
  sizeOf?(item: T): number;
}

/**
 * Creates a buffer for both ends of a sequence. The last item is always kept, whatever its size.
 *
 * @param limits How many items are kept.
 */
export function createEnds<T>({
  first: maxFirst,
  last: maxLast,
  size: maxSize = Number.POSITIVE_INFINITY,
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
      // After one item that did not fit, no further one is among the first.
      isFull ||= first.length >= maxFirst || firstSize + size > maxSize;
      if (!isFull) {
        first.push(item);
        firstSize += size;
        return;
      }
      if (maxLast === 0) return;
      last.push(item);
      lastSize += size;
      while (last.length > maxLast || (lastSize > maxSize && last.length > 1)) {
        lastSize -= sizeOf(last.shift() as T);
      }
    },
  };
}
