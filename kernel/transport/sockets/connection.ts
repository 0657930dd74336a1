import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import type { EncodedMessage } from "../zmtp/mod.ts";
import {
  type Command,
  createFrameDecoder,
  encodeCommand,
  encodeError,
  encodeGreeting,
  encodeReady,
  type Frame,
  GREETING_SIZE,
  latin1,
  ProtocolError,
  parseCommand,
  parseGreeting,
  parseProperties,
} from "../zmtp/mod.ts";
import { createSendQueue } from "./send-queue.ts";
import type { HighWaterMark } from "./socket.ts";

/** Which socket we are and what may connect to it. */
export interface Role {
  readonly type: "ROUTER" | "PUB" | "REP";
  readonly peers: readonly string[];
}

/** The bounds of a connection, in bytes and milliseconds. */
export interface ConnectionLimits {
  readonly maximumMessageSize: number;
  /** The same until the peer is trusted. */
  readonly strangerMessageSize: number;
  readonly highWaterMark: HighWaterMark;
  readonly handshakeTimeout: number;
}

/** What a socket does about its connections. Each may throw a ProtocolError, which ends the connection. */
export interface ConnectionHandlers {
  /** The handshake is done but for our READY. */
  ready(connection: Connection): void;
  message(connection: Connection, frames: Uint8Array[]): void;
  command(connection: Connection, command: Command): void;
  /** Something was read, and what it completed has been told. */
  read(connection: Connection): void;
  /** Something that waited for this peer was written. */
  drained(connection: Connection): void;
  /**
   * The connection is over; called once, whether it became ready or not. Without a reason the peer
   * has left of its own accord.
   */
  closed(connection: Connection, reason: string | undefined): void;
}

/** One peer. */
export interface Connection {
  /** The identity that the peer gave itself; empty where it gave none. */
  readonly identity: Uint8Array;
  /** How full the queue to the peer is; 1 and more is at the high-water mark. */
  level(): number;
  /** Bytes in that queue. */
  queued(): number;
  /** Bytes of the message that is not complete yet. */
  held(): number;
  send(message: EncodedMessage): void;
  /** The peer is no stranger: its messages may have the full size from now on. */
  trust(): void;
  /** Whether to read from the peer. */
  setReading(reading: boolean): void;
  /** Ends after what is queued. */
  end(): void;
  /** Ends now. */
  destroy(reason: string): void;
}

/** No handshake needs more, and who has not shaken hands gets no more memory. */
const HANDSHAKE_BYTES = 8192;
/** What a frame costs beyond its bytes: many empty ones are a large message as well. */
const FRAME_COST = 64;
const MAXIMUM_PING_CONTEXT = 16;

/** Serves one peer over a stream: greeting, handshake, then messages until either side ends. */
export function openConnection(
  socket: Socket,
  role: Role,
  limits: ConnectionLimits,
  handlers: ConnectionHandlers,
): Connection {
  const queue = createSendQueue(socket, limits.highWaterMark, () => handlers.drained(connection));
  const decoder = createFrameDecoder(HANDSHAKE_BYTES, onFrame);
  const handshakeTimer = setTimeout(
    () => destroy(`No handshake within ${limits.handshakeTimeout} ms`),
    limits.handshakeTimeout,
  );
  let stage: "greeting" | "handshake" | "traffic" | "ending" | "closed" = "greeting";
  let greeting: Uint8Array = new Uint8Array();
  let identity: Uint8Array = new Uint8Array();
  let frames: Uint8Array[] = [];
  let messageCost = 0;
  let messageSize = limits.strangerMessageSize;
  let silenceTimer: NodeJS.Timeout | undefined;
  let reason: string | undefined;

  const connection: Connection = {
    get identity() {
      return identity;
    },
    level: queue.level,
    queued: queue.bytes,
    held: () => greeting.length + messageCost + decoder.held,
    send: queue.push,
    trust,
    setReading,
    end,
    destroy,
  };
  socket.on("data", onData);
  // Half-closed is closed, as in libzmq: what is queued has no reader any more.
  socket.on("end", () => socket.destroy());
  socket.on("error", (error) => {
    if (stage !== "closed") reason ??= error.message;
  });
  socket.on("close", onClose);
  socket.write(encodeGreeting());
  return connection;

  function onData(chunk: Uint8Array): void {
    if (stage === "ending" || stage === "closed") return;
    clearTimeout(silenceTimer);
    silenceTimer = undefined;
    try {
      decoder.push(stage === "greeting" ? withoutGreeting(chunk) : chunk);
      handlers.read(connection);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      destroy(error.message);
    }
  }

  function withoutGreeting(chunk: Uint8Array): Uint8Array {
    const missing = GREETING_SIZE - greeting.length;
    greeting = Buffer.concat([greeting, chunk.subarray(0, missing)]);
    if (parseGreeting(greeting) !== undefined) {
      stage = "handshake";
      greeting = new Uint8Array();
    }
    return chunk.subarray(missing);
  }

  function onFrame(frame: Frame): void {
    if (stage === "handshake") finishHandshake(frame);
    else if (stage !== "traffic") return;
    else if (frame.kind === "command") onCommand(parseCommand(frame.body));
    else onMessageFrame(frame);
  }

  function finishHandshake(frame: Frame): void {
    const command = frame.kind === "command" ? parseCommand(frame.body) : undefined;
    if (command?.name !== "READY") {
      throw new ProtocolError(
        `Handshake failed: ${command?.name.slice(0, 20) ?? "a message"} came, not READY`,
      );
    }
    const properties = parseProperties(command.data);
    const type = latin1(properties.get("socket-type") ?? new Uint8Array());
    if (!role.peers.includes(type)) {
      const name = type.slice(0, 20).replace(/[^!-~]/g, "?");
      refuse(`Handshake failed: a ${role.type} does not serve "${name}"`);
      return;
    }
    identity = Uint8Array.from(properties.get("identity") ?? []);
    if (identity.length > 255) throw new ProtocolError("Handshake failed: identity too long");
    handlers.ready(connection);
    clearTimeout(handshakeTimer);
    decoder.maximumSize = messageSize;
    stage = "traffic";
    socket.write(encodeReady({ "Socket-Type": role.type }));
  }

  function onMessageFrame({ body, more }: Frame): void {
    // A view would keep its whole chunk in memory, which nobody counts.
    frames.push(more && messageSize < limits.maximumMessageSize ? body.slice() : body);
    messageCost += body.length + FRAME_COST;
    decoder.maximumSize = messageSize - messageCost;
    if (more) {
      if (decoder.maximumSize >= 0) return;
      throw new ProtocolError(
        `Reading a message failed: it has more than the ${messageSize} bytes allowed`,
      );
    }
    const message = frames;
    frames = [];
    messageCost = 0;
    handlers.message(connection, message);
    decoder.maximumSize = messageSize;
  }

  function trust(): void {
    messageSize = limits.maximumMessageSize;
  }

  function onCommand(command: Command): void {
    if (command.name === "PING") answerPing(command.data);
    else handlers.command(connection, command);
  }

  function answerPing(data: Uint8Array): void {
    const ttl = ((data[0] ?? 0) << 8) | (data[1] ?? 0);
    const context = data.subarray(2, 2 + MAXIMUM_PING_CONTEXT);
    const pong = encodeCommand("PONG", context);
    // Whoever asks without reading gets no more answers: what waits for it says the same as a PONG.
    if (queue.level() === 0) queue.push({ chunks: [pong], size: pong.length });
    if (ttl === 0) return;
    silenceTimer = setTimeout(() => {
      if (!socket.isPaused()) destroy(`Silent for longer than the ${ttl * 100} ms it promised`);
    }, ttl * 100);
    silenceTimer.unref();
  }

  function setReading(reading: boolean): void {
    if (stage === "ending") return;
    if (reading) socket.resume();
    else socket.pause();
  }

  /** ERROR, unlike a plain end, keeps a peer of the wrong kind from connecting again and again. */
  function refuse(why: string): void {
    reason = why;
    stage = "ending";
    // The handshake timer goes on running: it ends a peer that does not leave by itself.
    socket.end(encodeError("Invalid socket type"));
  }

  function end(): void {
    if (stage === "closed") return;
    stage = "ending";
    queue.end();
    // A socket that is not read does not notice that its peer has left.
    socket.resume();
  }

  function destroy(why: string): void {
    if (stage === "closed") return;
    stage = "closed";
    reason = why;
    socket.destroy();
  }

  function onClose(): void {
    stage = "closed";
    clearTimeout(handshakeTimer);
    clearTimeout(silenceTimer);
    frames = [];
    handlers.closed(connection, reason);
  }
}
