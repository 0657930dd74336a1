import type { Strangers } from "./strangers.ts";

/** How much may wait for one peer that reads slowly; beyond either number the mark is reached. */
export interface HighWaterMark {
  readonly messages: number;
  readonly bytes: number;
}

/** What every socket is bound with. */
export interface SocketOptions {
  /** `tcp://host:port` (port 0 takes a free one; host `*` is every interface) or `ipc://path`. */
  readonly endpoint: string;
  /** Bytes of the largest message accepted from a peer, all frames together; 256 MiB by default. */
  readonly maximumMessageSize?: number;
  /** Kept for each peer; 100,000 messages or 64 MiB by default. One message may exceed it. */
  readonly highWaterMark?: HighWaterMark;
  /** Milliseconds that a peer has from its connection to its READY; 30,000 by default, as in libzmq. */
  readonly handshakeTimeout?: number;
  /** Limits peers until they are trusted; without it every peer is. */
  readonly strangers?: Strangers;
  /** Told, in a line, of each connection that was ended for what its peer did. */
  readonly log?: (line: string) => void;
}

/** What every bound socket can do. */
export interface BoundSocket {
  /** The endpoint with its real port. */
  readonly endpoint: string;
  /** Peers whose handshake is complete. */
  readonly peers: number;
  /**
   * Stops listening, sends what is queued and ends all connections.
   *
   * @param linger Milliseconds that peers have to take what is queued; 1,000 by default.
   */
  close(linger?: number): Promise<void>;
}

/** A message that a router received. */
export interface RoutedMessage {
  /** The name of the peer, to answer it by: its own, or five bytes made here that begin with 0. */
  readonly identity: Uint8Array;
  readonly frames: readonly Uint8Array[];
}

/**
 * Receives from many peers and answers each by its identity.
 *
 * A reply is never dropped from the middle of a conversation: where half of the high-water mark
 * waits for a peer, nothing more is read from it, so that it cannot cause more replies; a peer that
 * still lets the mark be reached is disconnected, which ends its queue. (libzmq drops single
 * messages there in silence, which leaves a front end waiting for ever for one reply.)
 */
export interface Router extends BoundSocket {
  /**
   * Queues a message for one peer. The frames must not be written to afterwards.
   *
   * @returns False where no such peer is connected (any more); the message is dropped then.
   */
  send(identity: Uint8Array, frames: readonly Uint8Array[]): boolean;
  /** Vouches for a peer, which was a stranger until now. */
  trust(identity: Uint8Array): void;
  /** Stops reading from every peer, present and to come; the network holds them back. */
  pause(): void;
  /** Reads again after `pause`. */
  resume(): void;
}

/**
 * Sends to all who subscribed to a prefix of the first frame. A subscriber that reads slowly loses
 * the messages beyond its high-water mark; the others are not held up (RFC 29).
 */
export interface Publisher extends BoundSocket {
  /** Queues a message for the subscribers. The frames must not be written to afterwards. */
  send(frames: readonly Uint8Array[]): void;
}

/** Answers each request at once, as a heartbeat does. */
export type Replier = BoundSocket;
