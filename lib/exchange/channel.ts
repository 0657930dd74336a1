/** Passes values from a writer to a reader; the writer waits until its values are read. */
export interface Channel<T> {
  /** Resolves once the values have been read, to `false` when the reader has left. */
  write(values: readonly T[]): Promise<boolean>;
  /** Ends the channel, with an error if there is one. */
  close(failure?: { readonly error: unknown }): void;
  /** The values; leaving the loop calls `onLeave`. */
  readonly reader: AsyncIterableIterator<T>;
}

/**
 * Makes calls of `next` that wait at the same time take turns, as those of a generator do: each gets its own
 * value, in the order of the calls.
 */
export function inTurn<T>(
  next: () => Promise<IteratorResult<T>>,
): () => Promise<IteratorResult<T>> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const result = last.then(next, next);
    last = result;
    return result;
  };
}

/**
 * Creates a channel that buffers only the values of one write: a slow reader slows the writer down, so
 * that memory is bounded.
 *
 * @param onLeave Called once, when the reader leaves before the end.
 */
export function createChannel<T>(onLeave: () => void): Channel<T> {
  let values: readonly T[] = [];
  let at = 0;
  let ended: { readonly failure?: { readonly error: unknown } } | undefined;
  let hasLeft = false;
  let wakeReader = (): void => undefined;
  let wakeWriter = (): void => undefined;
  const reader: AsyncIterableIterator<T> = {
    next: inTurn<T>(async () => {
      for (;;) {
        if (at < values.length) {
          const value = values[at] as T;
          at += 1;
          return { value, done: false };
        }
        wakeWriter();
        if (hasLeft) return { value: undefined, done: true };
        if (ended) {
          const { failure } = ended;
          // The error is thrown once; after it, the iterator is done.
          ended = {};
          if (failure) throw failure.error;
          return { value: undefined, done: true };
        }
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
    }),
    async return() {
      if (!hasLeft && !ended) {
        hasLeft = true;
        onLeave();
      }
      hasLeft = true;
      values = [];
      at = 0;
      wakeWriter();
      wakeReader();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return reader;
    },
  };
  return {
    reader,
    async write(more) {
      if (hasLeft || more.length === 0) return !hasLeft;
      values = more;
      at = 0;
      wakeReader();
      while (at < values.length && !hasLeft) {
        await new Promise<void>((resolve) => {
          wakeWriter = resolve;
        });
      }
      return !hasLeft;
    },
    close(failure) {
      ended ??= failure ? { failure } : {};
      wakeReader();
    },
  };
}

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
