import { type EncodedMessage, encodeMessage } from "../zmtp/mod.ts";
import { bindSocket, DEFAULT_MARK } from "./bound-socket.ts";
import type { Connection } from "./connection.ts";
import type { Publisher, SocketOptions } from "./socket.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

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
