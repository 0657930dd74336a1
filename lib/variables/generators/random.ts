/** A source of random numbers, repeatable if it was created with a seed. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** An integer from `from` up to, but not including, `to`. */
  integer(from: number, to: number): number;
  /** A version 4 UUID. */
  uuid(): string;
  /** A copy that continues from here without affecting this source. */
  fork(): Random;
}

/**
 * Creates a source of random numbers.
 *
 * @param seed The same seed gives the same numbers; without one they differ each time.
 */
export function createRandom(seed?: number | string): Random {
  return seed === undefined ? createUnseeded() : createSeeded(hash(String(seed)));
}

function createUnseeded(): Random {
  const random: Random = {
    next: Math.random,
    integer: (from, to) => from + Math.floor(Math.random() * (to - from)),
    uuid: () => crypto.randomUUID(),
    fork: () => random,
  };
  return random;
}

/** Mulberry32: 32 bits of state are enough for repeatable test data. */
function createSeeded(start: number): Random {
  let state = start;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from));
  const uuid = (): string =>
    "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (mark) =>
      (mark === "x" ? integer(0, 16) : integer(8, 12)).toString(16),
    );
  return { next, integer, uuid, fork: () => createSeeded(state) };
}

/** FNV-1a over UTF-16 code units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}
