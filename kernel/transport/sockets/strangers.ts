/** What peers may cost before somebody vouches for them. */
export interface StrangerLimits {
  /** Bytes of a message of one of them. */
  readonly messageSize: number;
  /** Bytes of the unfinished messages of all of them, on all sockets. */
  readonly totalSize: number;
  /** How many of them one socket serves. */
  readonly peers: number;
}

/** A peer that can be ended. */
export interface Stranger {
  /** Bytes of its unfinished message. */
  held(): number;
  destroy(reason: string): void;
}

/** The unfinished messages of peers that nobody has vouched for, on all sockets of a transport. */
export interface Strangers {
  readonly limits: StrangerLimits;
  /** Counts what a stranger holds now. Where all hold too much, those that hold the most are ended. */
  count(stranger: Stranger): void;
  /** The peer is no stranger any more, or no peer. */
  forget(stranger: Stranger): void;
}

/** Creates the count; nobody holds anything yet. */
export function createStrangers(limits: StrangerLimits): Strangers {
  const held = new Map<Stranger, number>();
  let total = 0;

  function count(stranger: Stranger): void {
    forget(stranger);
    const bytes = stranger.held();
    if (bytes === 0) return;
    held.set(stranger, bytes);
    total += bytes;
    while (total > limits.totalSize) endLargest();
  }

  function forget(stranger: Stranger): void {
    total -= held.get(stranger) ?? 0;
    held.delete(stranger);
  }

  /** A front end's first message is small: it stays while others take the memory. */
  function endLargest(): void {
    const [[largest] = []] = [...held].sort(([, one], [, other]) => other - one);
    if (largest === undefined) return;
    forget(largest);
    largest.destroy(
      `Its unfinished message and those of other untrusted peers exceed ${limits.totalSize} bytes`,
    );
  }

  return { limits, count, forget };
}
