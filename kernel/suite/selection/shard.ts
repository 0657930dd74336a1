/** One part of a suite that several machines share: the second of five. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * Takes the items of a shard. All machines that are given the same items take disjoint parts of nearly the same
 * size, in whatever order the items are given.
 *
 * @param keyOf A text that identifies an item, the same on all machines.
 */
export function takeShard<T>(
  items: readonly T[],
  { index, count }: Shard,
  keyOf: (item: T) => string,
): readonly T[] {
  const keys = items.map(keyOf).sort((one, other) => (one < other ? -1 : 1));
  const taken = new Set(keys.filter((_key, at) => at % count === index - 1));
  return items.filter((item) => taken.has(keyOf(item)));
}
