import type { Connection } from "./connection.ts";
import { encodeMessage, latin1, ProtocolError } from "./frames.ts";
import { BoundSocket, type SocketOptions } from "./socket.ts";

/** Options of {@link bindPublisher}. */
interface PublisherOptions extends SocketOptions {
  /**
   * Called for each subscription of a peer, which receives every message sent from then on. What it
   * returns is sent to that peer alone, unless the peer reads slowly.
   */
  readonly subscribed?: (prefix: Uint8Array) => readonly Uint8Array[] | undefined;
}

/** Subscribers send nothing but prefixes. */
const SUBSCRIBER_MESSAGE_SIZE = 65_536;

/**
 * Binds a PUB.
 *
 * @throws EndpointError if the endpoint cannot be bound.
 */
export async function bindPublisher(options: PublisherOptions): Promise<Publisher> {
  const publisher = new Publisher(options);
  await publisher.listen();
  return publisher;
}

/**
 * Sends to all who subscribed to a prefix of the first frame. A subscriber that reads slowly loses
 * the messages beyond its limit and does not delay the others (RFC 29).
 */
export class Publisher extends BoundSocket {
  readonly #subscribed: PublisherOptions["subscribed"];
  readonly #subscribers = new Map<Connection, Subscriptions>();

  constructor(options: PublisherOptions) {
    super(
      { type: "PUB", peers: ["SUB", "XSUB"] },
      { messageSize: SUBSCRIBER_MESSAGE_SIZE, ...options },
    );
    this.#subscribed = options.subscribed;
  }

  /** Queues a message for the subscribers. The frames must not be written to afterwards. */
  send(frames: readonly Uint8Array[]): void {
    const [topic] = frames;
    if (topic === undefined) return;
    let encoded: readonly Uint8Array[] | undefined;
    for (const [connection, subscriptions] of this.#subscribers) {
      if (!subscriptions.matches(topic) || connection.level >= 1) continue;
      encoded ??= encodeMessage(frames);
      connection.send(encoded);
    }
  }

  protected override onReady(connection: Connection): void {
    this.#subscribers.set(
      connection,
      new Subscriptions((prefix) => {
        const welcome = this.#subscribed?.(prefix);
        if (welcome !== undefined && connection.level === 0) {
          connection.send(encodeMessage(welcome));
        }
      }),
    );
  }

  protected override onMessage(connection: Connection, frames: readonly Uint8Array[]): void {
    this.#subscribers.get(connection)?.message(frames);
  }

  protected override onClosed(connection: Connection): void {
    this.#subscribers.delete(connection);
  }
}

/** Limits the memory that a broken subscriber can take. */
const MAXIMUM_SUBSCRIPTIONS = 1000;

/** The subscriptions of one peer: prefixes, with how often each was subscribed to. */
export class Subscriptions {
  readonly #prefixes = new Map<string, number>();
  readonly #onAdded: (prefix: Uint8Array) => void;

  /** @param onAdded Called for each subscription, repeated ones included. */
  constructor(onAdded: (prefix: Uint8Array) => void) {
    this.#onAdded = onAdded;
  }

  /** Whether the peer subscribed to a prefix of `topic`, the first frame of a message. */
  matches(topic: Uint8Array): boolean {
    const text = latin1(topic);
    for (const prefix of this.#prefixes.keys()) if (text.startsWith(prefix)) return true;
    return false;
  }

  /** Handles a message of 0x01 or 0x00 and a prefix; others are ignored. */
  message([first]: readonly Uint8Array[]): void {
    if (first === undefined || (first[0] !== 0 && first[0] !== 1)) return;
    const prefix = first.slice(1);
    const key = latin1(prefix);
    // Two subscriptions to one prefix need two cancellations (RFC 23, "The PUB Socket").
    const count = (this.#prefixes.get(key) ?? 0) + (first[0] === 1 ? 1 : -1);
    if (count > 0) this.#prefixes.set(key, count);
    else this.#prefixes.delete(key);
    if (this.#prefixes.size > MAXIMUM_SUBSCRIPTIONS) {
      throw new ProtocolError(
        `Subscribing failed: there are more than ${MAXIMUM_SUBSCRIPTIONS} subscriptions`,
      );
    }
    if (first[0] === 1) this.#onAdded(prefix);
  }
}
