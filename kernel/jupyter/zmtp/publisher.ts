import { bindSocket, DEFAULT_MARK, type Publisher, type SocketOptions } from "./bound-socket.ts";
import type { Connection } from "./connection.ts";
import { ProtocolError } from "./endpoint.ts";
import { type Command, type EncodedMessage, encodeMessage, latin1 } from "./frame.ts";

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
/** How many times the high-water mark may be queued for all subscribers together. */
const MARKS_OF_ALL = 4;

/**
 * Binds a PUB.
 *
 * @throws EndpointError if the endpoint cannot be bound.
 */
export async function bindPublisher(options: PublisherOptions): Promise<Publisher> {
  const subscribers = new Map<Connection, Subscriptions>();
  const socket = await bindSocket(
    { maximumMessageSize: SUBSCRIBER_MESSAGE_SIZE, ...options },
    { type: "PUB", peers: ["SUB", "XSUB"] },
    {
      ready: (connection) => {
        const onAdded = (prefix: Uint8Array): void => {
          const welcome = options.subscribed?.(prefix);
          if (welcome !== undefined && connection.level === 0)
            connection.send(encodeMessage(welcome));
        };
        subscribers.set(connection, createSubscriptions(onAdded));
      },
      message: (connection, frames) => subscribers.get(connection)?.message(frames),
      command: (connection, command) => subscribers.get(connection)?.command(command),
      closed: (connection) => void subscribers.delete(connection),
    },
  );

  return {
    endpoint: socket.endpoint,
    get peers() {
      return socket.peers;
    },
    close: (linger) => socket.close(linger),
    send,
  };

  function send(frames: readonly Uint8Array[]): void {
    const [topic] = frames;
    if (topic === undefined) return;
    let encoded: EncodedMessage | undefined;
    for (const [connection, subscriptions] of subscribers) {
      if (!subscriptions.matches(topic) || connection.level >= 1) continue;
      encoded ??= encodeMessage(frames);
      connection.send(encoded);
    }
    if (encoded !== undefined) endSlowest();
  }

  /** The queues of all slow subscribers together are limited as well. */
  function endSlowest(): void {
    const connections = [...subscribers.keys()];
    const waiting = connections.reduce((sum, { queued }) => sum + queued, 0);
    const allowed = MARKS_OF_ALL * (options.highWaterMark ?? DEFAULT_MARK).bytes;
    if (waiting <= allowed) return;
    const [most] = connections.sort((one, other) => other.queued - one.queued);
    if (most === undefined) return;
    subscribers.delete(most);
    most.destroy(
      `More than ${allowed} bytes are queued for all subscribers, most of them for this one`,
    );
  }
}

/** The subscriptions of one peer. */
interface Subscriptions {
  /** Whether the peer subscribed to a prefix of `topic`, the first frame of a message. */
  matches(topic: Uint8Array): boolean;
  /** Handles a SUBSCRIBE or CANCEL command (ZMTP 3.1); others are ignored. */
  command(command: Command): void;
  /** Handles a message of 0x01 or 0x00 and a prefix (ZMTP 3.0 and XSUB); others are ignored. */
  message(frames: readonly Uint8Array[]): void;
}

/** Limits the memory that a hostile subscriber can take. */
const MAXIMUM_BYTES = 1 << 16;
/** What a prefix costs beyond its own bytes, roughly. */
const ENTRY_BYTES = 64;

/**
 * Creates an empty set of subscriptions: nothing matches.
 *
 * @param onAdded Called for each subscription, repeated ones included.
 */
export function createSubscriptions(onAdded: (prefix: Uint8Array) => void): Subscriptions {
  // Prefixes by length: a topic is looked up once for each length in use, however many there are.
  const byLength = new Map<number, Map<string, number>>();
  let bytes = 0;
  return { matches, command, message };

  function matches(topic: Uint8Array): boolean {
    for (const [length, prefixes] of byLength) {
      if (length === 0) return true;
      if (length <= topic.length && prefixes.has(latin1(topic.subarray(0, length)))) return true;
    }
    return false;
  }

  function command({ name, data }: Command): void {
    if (name === "SUBSCRIBE") add(data);
    if (name === "CANCEL") remove(data);
  }

  function message(frames: readonly Uint8Array[]): void {
    const [first] = frames;
    if (first?.[0] === 1) add(first.subarray(1));
    if (first?.[0] === 0) remove(first.subarray(1));
  }

  /** Two subscriptions to one prefix need two cancellations (RFC 37, "Publish-Subscribe"). */
  function add(prefix: Uint8Array): void {
    const prefixes = byLength.get(prefix.length) ?? new Map<string, number>();
    const key = latin1(prefix);
    const count = prefixes.get(key) ?? 0;
    if (count === 0) bytes += prefix.length + ENTRY_BYTES;
    if (bytes > MAXIMUM_BYTES) {
      throw new ProtocolError(
        `Subscribing failed: the subscriptions take more than ${MAXIMUM_BYTES} bytes`,
      );
    }
    byLength.set(prefix.length, prefixes.set(key, count + 1));
    onAdded(prefix.slice());
  }

  function remove(prefix: Uint8Array): void {
    const prefixes = byLength.get(prefix.length);
    const key = latin1(prefix);
    const count = prefixes?.get(key) ?? 0;
    if (prefixes === undefined || count === 0) return;
    if (count > 1) {
      prefixes.set(key, count - 1);
      return;
    }
    bytes -= prefix.length + ENTRY_BYTES;
    prefixes.delete(key);
    if (prefixes.size === 0) byLength.delete(prefix.length);
  }
}
