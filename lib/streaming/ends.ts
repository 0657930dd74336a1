/** The first and the last of a row that may have no end, and how many there were. */
export interface Ends<T> {
  readonly count: number;
  /** The first of them, in order. */
  readonly first: readonly T[];
  /** The last of them that are not among the first, in order. */
  readonly last: readonly T[];
  push(item: T): void;
}

/**
 * Creates a memory of both ends of a row.
 *
 * @param most How many of the first and how many of the last are kept.
 */
export function createEnds<T>(most: { readonly first: number; readonly last: number }): Ends<T> {
  const first: T[] = [];
  const ring: T[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    get first() {
      return first;
    },
    get last() {
      const seen = count - first.length;
      if (seen <= most.last) return ring.slice();
      const oldest = seen % most.last;
      return [...ring.slice(oldest), ...ring.slice(0, oldest)];
    },
    push(item) {
      if (count < most.first) first.push(item);
      else if (most.last > 0) ring[(count - first.length) % most.last] = item;
      count += 1;
    },
  };
}
