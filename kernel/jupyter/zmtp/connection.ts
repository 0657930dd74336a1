import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import {
  checkGreeting,
  encodeCommand,
  encodeError,
  encodeGreeting,
  encodeReady,
  type Frame,
  FrameDecoder,
  GREETING_SIZE,
  latin1,
  ProtocolError,
  parseCommand,
  parseProperties,
} from "./frames.ts";

/** The type of our socket and the types of socket that may connect to it. */
export interface Role {
  readonly type: "ROUTER" | "PUB" | "REP";
  readonly peers: readonly string[];
}

/** The limits of a connection, in bytes and milliseconds. */
export interface Limits {
  /** Bytes of the largest message accepted from a peer, all frames together. */
  readonly messageSize: number;
  /** Bytes that may be queued for a peer. One message may exceed it. */
  readonly queueSize: number;
  /** Milliseconds from the connection of a peer to its READY. */
  readonly handshakeTimeout: number;
}

/** The events of a connection. */
interface ConnectionEvents {
  /**
   * The peer's READY was accepted; ours is sent after this.
   *
   * @throws ProtocolError to refuse the peer.
   */
  ready(connection: Connection): void;
  message(connection: Connection, frames: readonly Uint8Array[]): void;
  /** Called once, whether the connection became ready or not; without a reason if the peer disconnected. */
  closed(connection: Connection, reason: string | undefined): void;
}

/** No handshake needs more, and a peer gets no more memory before it. */
const HANDSHAKE_BYTES = 8192;
const MAXIMUM_PING_CONTEXT = 16;
/** What a frame costs beyond its bytes: many empty frames are a large message as well. */
const FRAME_COST = 64;

/** One peer: greeting, handshake, then messages until either side ends. */
export class Connection {
  /** The identity that the peer chose; empty if it chose none. */
  identity: Uint8Array = new Uint8Array();
  readonly #socket: Socket;
  readonly #role: Role;
  readonly #limits: Limits;
  readonly #events: ConnectionEvents;
  readonly #decoder = new FrameDecoder(HANDSHAKE_BYTES, (frame) => this.#onFrame(frame));
  readonly #handshakeTimer: NodeJS.Timeout;
  #unverified: UnverifiedPeers | undefined;
  #stage: "greeting" | "handshake" | "traffic" | "ending" | "closed" = "greeting";
  #greeting: Uint8Array = new Uint8Array();
  /** The frames of the message that is not complete yet, and what they cost. */
  #frames: Uint8Array[] = [];
  #cost = 0;
  #reason: string | undefined;

  constructor(
    socket: Socket,
    role: Role,
    limits: Limits,
    events: ConnectionEvents,
    unverified?: UnverifiedPeers,
  ) {
    this.#socket = socket;
    this.#role = role;
    this.#limits = limits;
    this.#events = events;
    this.#unverified = unverified;
    unverified?.peers.add(this);
    this.#handshakeTimer = setTimeout(
      () => this.destroy(`No handshake within ${limits.handshakeTimeout} ms`),
      limits.handshakeTimeout,
    );
    socket.on("data", (chunk) => this.#onData(chunk));
    socket.on("drain", () => socket.resume());
    // Half-closed is closed, as in libzmq: nobody reads what is still queued.
    socket.on("end", () => socket.destroy());
    socket.on("error", (error) => {
      if (this.#stage !== "closed") this.#reason ??= error.message;
    });
    socket.on("close", () => this.#onClose());
    socket.write(encodeGreeting());
  }

  /** How full the queue to the peer is: 0 while the peer keeps up, 1 and more at its limit. */
  get level(): number {
    const { writableNeedDrain, writableLength } = this.#socket;
    return writableNeedDrain ? writableLength / this.#limits.queueSize : 0;
  }

  /** Bytes of the message that is not complete yet. */
  get held(): number {
    return this.#greeting.length + this.#cost + this.#decoder.held;
  }

  /**
   * Queues an encoded message. At half of the limit nothing more is read from the peer until it has caught
   * up, so that it cannot cause more replies.
   */
  send(message: readonly Uint8Array[]): void {
    if (this.#stage === "ending" || this.#stage === "closed") return;
    this.#socket.cork();
    for (const chunk of message) this.#socket.write(chunk);
    this.#socket.uncork();
    if (this.level >= 0.5) this.#socket.pause();
  }

  /** The peer has sent a message that was verified: it is limited by itself from now on. */
  verified(): void {
    this.#unverified?.peers.delete(this);
    this.#unverified = undefined;
  }

  /** Ends the connection after what is queued. */
  end(): void {
    if (this.#stage === "closed") return;
    this.#stage = "ending";
    this.#socket.end();
    // A socket that is not read does not notice that its peer has disconnected.
    this.#socket.resume();
  }

  /** Ends the connection now. */
  destroy(reason: string): void {
    if (this.#stage === "closed") return;
    this.#stage = "closed";
    this.#reason = reason;
    this.#socket.destroy();
  }

  #onData(chunk: Uint8Array): void {
    if (this.#stage === "ending" || this.#stage === "closed") return;
    try {
      this.#decoder.push(this.#stage === "greeting" ? this.#readGreeting(chunk) : chunk);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.destroy(error.message);
    }
    this.#unverified?.endLargest();
  }

  /** @returns The bytes after the greeting. */
  #readGreeting(chunk: Uint8Array): Uint8Array {
    const missing = GREETING_SIZE - this.#greeting.length;
    this.#greeting = Buffer.concat([this.#greeting, chunk.subarray(0, missing)]);
    if (checkGreeting(this.#greeting)) {
      this.#stage = "handshake";
      this.#greeting = new Uint8Array();
    }
    return chunk.subarray(missing);
  }

  #onFrame(frame: Frame): void {
    if (this.#stage === "handshake") this.#finishHandshake(frame);
    else if (this.#stage !== "traffic") return;
    else if (frame.kind === "command") this.#onCommand(frame.body);
    else this.#onMessageFrame(frame);
    const { messageSize } = this.#limits;
    const limit = Math.min(messageSize, this.#unverified?.limit ?? messageSize);
    this.#decoder.maximumSize = limit - this.#cost;
    if (this.#decoder.maximumSize >= 0) return;
    throw new ProtocolError(
      `Reading a message failed: it has more than the ${limit} bytes allowed`,
    );
  }

  #finishHandshake(frame: Frame): void {
    const { type, identity } = parseReady(frame);
    if (!this.#role.peers.includes(type)) {
      const name = type.slice(0, 20).replace(/[^!-~]/g, "?");
      this.#reason = `Handshake failed: a ${this.#role.type} does not serve "${name}"`;
      this.#stage = "ending";
      // ERROR, unlike a plain end, keeps the peer from reconnecting. The handshake timer keeps running:
      // it ends a peer that does not disconnect by itself.
      this.#socket.end(encodeError("Invalid socket type"));
      return;
    }
    this.identity = identity;
    this.#events.ready(this);
    clearTimeout(this.#handshakeTimer);
    this.#stage = "traffic";
    this.#socket.write(encodeReady(this.#role.type));
  }

  #onCommand(body: Uint8Array): void {
    const { name, data } = parseCommand(body);
    // A peer that does not read gets no more replies: what is queued for it is as good as a PONG.
    if (name !== "PING" || this.level > 0) return;
    this.send([encodeCommand("PONG", data.subarray(2, 2 + MAXIMUM_PING_CONTEXT))]);
  }

  #onMessageFrame({ body, more }: Frame): void {
    this.#frames.push(body);
    this.#cost += body.length + FRAME_COST;
    if (more) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#cost = 0;
    this.#events.message(this, frames);
  }

  #onClose(): void {
    this.#stage = "closed";
    clearTimeout(this.#handshakeTimer);
    this.verified();
    this.#events.closed(this, this.#reason);
  }
}

function parseReady(frame: Frame): { readonly type: string; readonly identity: Uint8Array } {
  const command = frame.kind === "command" ? parseCommand(frame.body) : undefined;
  if (command?.name !== "READY") {
    throw new ProtocolError(
      `Handshake failed: expected READY, received ${command?.name.slice(0, 20) ?? "a message"}`,
    );
  }
  const properties = parseProperties(command.data);
  const identity = Uint8Array.from(properties.get("identity") ?? []);
  if (identity.length > 255) throw new ProtocolError("Handshake failed: identity too long");
  return { type: latin1(properties.get("socket-type") ?? new Uint8Array()), identity };
}

/** The peers none of whose messages was verified yet, on all sockets of a kernel. */
export class UnverifiedPeers {
  readonly peers: Set<Connection> = new Set();
  /** Bytes that the unfinished messages of all of them may take. */
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The largest, since the first message of a front end is small: it survives while others flood. */
  endLargest(): void {
    const held = [...this.peers].reduce((sum, peer) => sum + peer.held, 0);
    if (held <= this.limit) return;
    const [largest] = [...this.peers].sort((one, other) => other.held - one.held);
    largest?.verified();
    largest?.destroy(
      `Its unfinished message and those of other unverified peers exceed ${this.limit} bytes`,
    );
  }
}
