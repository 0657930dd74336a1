import { type EncodedMessage, encodeMessage } from "../zmtp/mod.ts";
import { bindSocket, DEFAULT_MARK } from "./bound-socket.ts";
import type { Connection } from "./connection.ts";
import type { Publisher, SocketOptions } from "./socket.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

/** What a publisher is bound with. */
export interface PublisherOptions extends SocketOptions {
  /**
   * Told of each subscription that a peer makes; a message sent from here on reaches that peer. What it
   * gives is sent to that peer and nobody else, if it reads.
   */
  readonly subscribed?: (prefix: Uint8Array) => readonly Uint8Array[] | undefined;
}

/** Subscribers say prefixes and nothing else. */
const SUBSCRIBER_MESSAGE_SIZE = 65_536;
/** So many times the high-water mark wait for all subscribers together. */
const SLOW_SUBSCRIBERS = 4;

/**
 * Binds a PUB.
 *
 * @throws EndpointError where the endpoint cannot be bound.
 */
export async function bindPublisher(options: PublisherOptions): Promise<Publisher> {
  const subscribers = new Map<Connection, Subscriptions>();
  const socket = await bindSocket(
    { maximumMessageSize: SUBSCRIBER_MESSAGE_SIZE, ...options },
    { type: "PUB", peers: ["SUB", "XSUB"] },
    {
      ready: (connection) =>
        void subscribers.set(
          connection,
          createSubscriptions((prefix) => {
            const welcome = options.subscribed?.(prefix);
            if (welcome !== undefined && connection.level() === 0) {
              connection.send(encodeMessage(welcome));
            }
          }),
        ),
      message: (connection, frames) => subscribers.get(connection)?.message(frames),
      command: (connection, command) => subscribers.get(connection)?.command(command),
      drained: () => undefined,
      closed: (connection) => void subscribers.delete(connection),
    },
  );

  return {
    endpoint: socket.endpoint,
    get peers() {
      return socket.peers;
    },
    close: socket.close,
    send,
  };

  function send(frames: readonly Uint8Array[]): void {
    const [topic] = frames;
    if (topic === undefined) return;
    let encoded: EncodedMessage | undefined;
    for (const [connection, subscriptions] of subscribers) {
      if (!subscriptions.matches(topic) || connection.level() >= 1) continue;
      encoded ??= encodeMessage(frames);
      connection.send(encoded);
    }
    if (encoded !== undefined) endSlowest();
  }

  /** Those that do not read hold what was published at many times: together that is no small matter. */
  function endSlowest(): void {
    let [waiting, most]: [number, Connection | undefined] = [0, undefined];
    for (const connection of subscribers.keys()) {
      waiting += connection.queued();
      if (connection.queued() > (most?.queued() ?? 0)) most = connection;
    }
    const allowed = SLOW_SUBSCRIBERS * (options.highWaterMark ?? DEFAULT_MARK).bytes;
    if (waiting <= allowed || most === undefined) return;
    subscribers.delete(most);
    most.destroy(`More than ${allowed} bytes wait for all subscribers, and most for this one`);
  }
}
