/** Hands values from one who writes to one who reads; the writer waits until a value is taken. */
export interface Channel<T> {
  /** Settles once all that was written before is taken; `false` when nobody reads any more. */
  write(values: readonly T[]): Promise<boolean>;
  /** Ends the row, with an error where there is one. */
  close(failure?: { readonly error: unknown }): void;
  /** What the reader iterates over; leaving the loop calls `onLeave`. */
  readonly reader: AsyncIterableIterator<T>;
}

/**
 * Creates a channel without a buffer beyond what was written at once: a slow reader slows the
 * writer down, and memory stays bounded.
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
    async next() {
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
          // An error is thrown once; from then on there is nothing more.
          ended = {};
          if (failure) throw failure.error;
          return { value: undefined, done: true };
        }
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
    },
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
