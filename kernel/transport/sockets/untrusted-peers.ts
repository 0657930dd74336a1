/** What peers may cost until they are trusted. */
export interface UntrustedPeerLimits {
  /** Bytes of a message of one of them. */
  readonly messageSize: number;
  /** Bytes of the unfinished messages of all of them, on all sockets. */
  readonly totalSize: number;
  /** How many of them one socket serves. */
  readonly peers: number;
}

interface Peer {
  /** Bytes of its unfinished message. */
  readonly held: number;
  destroy(reason: string): void;
}

/** Limits the unfinished messages of untrusted peers, on all sockets of a transport. */
export class UntrustedPeers {
  readonly limits: UntrustedPeerLimits;
  readonly #held = new Map<Peer, number>();
  #total = 0;

  constructor(limits: UntrustedPeerLimits) {
    this.limits = limits;
  }

  /** Counts what a peer holds now. If the sum is too large, the peers that hold the most are ended. */
  count(peer: Peer): void {
    this.forget(peer);
    if (peer.held === 0) return;
    this.#held.set(peer, peer.held);
    this.#total += peer.held;
    while (this.#total > this.limits.totalSize) this.#endLargest();
  }

  /** Stops counting a peer that has become trusted or disconnected. */
  forget(peer: Peer): void {
    this.#total -= this.#held.get(peer) ?? 0;
    this.#held.delete(peer);
  }

  /** The largest, since the first message of a front end is small: it survives while others flood. */
  #endLargest(): void {
    const [[largest] = []] = [...this.#held].sort(([, one], [, other]) => other - one);
    if (largest === undefined) return;
    this.forget(largest);
    largest.destroy(
      `Its unfinished message and those of other untrusted peers exceed ${this.limits.totalSize} bytes`,
    );
  }
}
