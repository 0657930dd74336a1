import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import type { HighWaterMark } from "./bound-socket.ts";
import { ProtocolError } from "./endpoint.ts";
import {
  type Command,
  type EncodedMessage,
  encodeCommand,
  encodeError,
  encodeReady,
  type Frame,
  FrameDecoder,
  latin1,
  parseCommand,
  parseProperties,
} from "./frame.ts";
import { encodeGreeting, GREETING_SIZE, parseGreeting } from "./greeting.ts";

/** The type of our socket and the types of socket that may connect to it. */
export interface Role {
  readonly type: "ROUTER" | "PUB" | "REP";
  readonly peers: readonly string[];
}

/** The limits of a connection, in bytes and milliseconds. */
export interface ConnectionLimits {
  readonly maximumMessageSize: number;
  /** The same until the peer is trusted. */
  readonly untrustedMessageSize: number;
  readonly highWaterMark: HighWaterMark;
  readonly handshakeTimeout: number;
}

/** The events of a connection. A handler may throw a ProtocolError, which ends the connection. */
export interface ConnectionHandlers {
  /** The peer's READY was accepted; ours is sent after this. */
  ready(connection: Connection): void;
  message(connection: Connection, frames: Uint8Array[]): void;
  command?(connection: Connection, command: Command): void;
  /** Bytes were read, and what they completed was passed on. */
  read(connection: Connection): void;
  /** The queue to the peer has become shorter. */
  drained?(connection: Connection): void;
  /**
   * Called once, whether the connection became ready or not. There is no reason if the peer
   * disconnected by itself.
   */
  closed(connection: Connection, reason: string | undefined): void;
}

/** No handshake needs more, and a peer gets no more memory before it. */
const HANDSHAKE_BYTES = 8192;
const MAXIMUM_PING_CONTEXT = 16;

/** One peer: greeting, handshake, then messages until either side ends. */
export class Connection {
  /** The identity that the peer chose; empty if it chose none. */
  identity: Uint8Array = new Uint8Array();
  readonly #socket: Socket;
  readonly #role: Role;
  readonly #limits: ConnectionLimits;
  readonly #handlers: ConnectionHandlers;
  readonly #queue: SendQueue;
  readonly #decoder = new FrameDecoder(HANDSHAKE_BYTES, (frame) => this.#onFrame(frame));
  readonly #assembler: MessageAssembler;
  readonly #handshakeTimer: NodeJS.Timeout;
  #stage: "greeting" | "handshake" | "traffic" | "ending" | "closed" = "greeting";
  #greeting: Uint8Array = new Uint8Array();
  #silenceTimer: NodeJS.Timeout | undefined;
  #reason: string | undefined;

  constructor(socket: Socket, role: Role, limits: ConnectionLimits, handlers: ConnectionHandlers) {
    this.#socket = socket;
    this.#role = role;
    this.#limits = limits;
    this.#handlers = handlers;
    this.#queue = new SendQueue(socket, limits.highWaterMark, () => handlers.drained?.(this));
    this.#assembler = new MessageAssembler(limits.untrustedMessageSize);
    this.#handshakeTimer = setTimeout(
      () => this.destroy(`No handshake within ${limits.handshakeTimeout} ms`),
      limits.handshakeTimeout,
    );
    socket.on("data", (chunk) => this.#onData(chunk));
    // Half-closed is closed, as in libzmq: nobody reads what is still queued.
    socket.on("end", () => socket.destroy());
    socket.on("error", (error) => {
      if (this.#stage !== "closed") this.#reason ??= error.message;
    });
    socket.on("close", () => this.#onClose());
    socket.write(encodeGreeting());
  }

  /** How full the queue to the peer is; 1 and more is at the high-water mark. */
  get level(): number {
    return this.#queue.level;
  }

  /** Bytes in that queue. */
  get queued(): number {
    return this.#queue.bytes;
  }

  /** Bytes of the message that is not complete yet. */
  get held(): number {
    return this.#greeting.length + this.#assembler.held + this.#decoder.held;
  }

  send(message: EncodedMessage): void {
    this.#queue.push(message);
  }

  /** Allows the peer messages of the full size from now on. */
  trust(): void {
    this.#assembler.maximumSize = this.#limits.maximumMessageSize;
  }

  /** Starts or stops reading from the peer. */
  setReading(reading: boolean): void {
    if (this.#stage === "ending") return;
    if (reading) this.#socket.resume();
    else this.#socket.pause();
  }

  /** Ends the connection after what is queued. */
  end(): void {
    if (this.#stage === "closed") return;
    this.#stage = "ending";
    this.#queue.end();
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
    clearTimeout(this.#silenceTimer);
    try {
      this.#decoder.push(this.#stage === "greeting" ? this.#readGreeting(chunk) : chunk);
      this.#handlers.read(this);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.destroy(error.message);
    }
  }

  /** @returns The bytes after the greeting. */
  #readGreeting(chunk: Uint8Array): Uint8Array {
    const missing = GREETING_SIZE - this.#greeting.length;
    this.#greeting = Buffer.concat([this.#greeting, chunk.subarray(0, missing)]);
    if (parseGreeting(this.#greeting) !== undefined) {
      this.#stage = "handshake";
      this.#greeting = new Uint8Array();
    }
    return chunk.subarray(missing);
  }

  #onFrame(frame: Frame): void {
    if (this.#stage === "handshake") this.#finishHandshake(frame);
    else if (this.#stage !== "traffic") return;
    else if (frame.kind === "command") this.#onCommand(parseCommand(frame.body));
    else this.#onMessageFrame(frame);
  }

  #finishHandshake(frame: Frame): void {
    const { type, identity } = parseReady(frame);
    if (!this.#role.peers.includes(type)) {
      const name = type.slice(0, 20).replace(/[^!-~]/g, "?");
      this.#refuse(`Handshake failed: a ${this.#role.type} does not serve "${name}"`);
      return;
    }
    this.identity = identity;
    this.#handlers.ready(this);
    clearTimeout(this.#handshakeTimer);
    this.#decoder.maximumSize = this.#assembler.remaining;
    this.#stage = "traffic";
    this.#socket.write(encodeReady({ "Socket-Type": this.#role.type }));
  }

  /** ERROR, unlike a plain end, keeps a peer of the wrong type from reconnecting. */
  #refuse(reason: string): void {
    this.#reason = reason;
    this.#stage = "ending";
    // The handshake timer keeps running: it ends a peer that does not disconnect by itself.
    this.#socket.end(encodeError("Invalid socket type"));
  }

  #onMessageFrame(frame: Frame): void {
    const message = this.#assembler.add(frame);
    if (message !== undefined) this.#handlers.message(this, message);
    this.#decoder.maximumSize = this.#assembler.remaining;
  }

  #onCommand(command: Command): void {
    if (command.name === "PING") this.#onPing(command.data);
    else this.#handlers.command?.(this, command);
  }

  #onPing(data: Uint8Array): void {
    const ttl = (((data[0] ?? 0) << 8) | (data[1] ?? 0)) * 100;
    const pong = encodeCommand("PONG", data.subarray(2, 2 + MAXIMUM_PING_CONTEXT));
    // A peer that does not read gets no more replies: what is queued for it is as good as a PONG.
    if (this.level === 0) this.send({ chunks: [pong], size: pong.length });
    // A segment may contain several PINGs.
    clearTimeout(this.#silenceTimer);
    if (ttl === 0) return;
    this.#silenceTimer = setTimeout(() => {
      if (!this.#socket.isPaused())
        this.destroy(`Silent for longer than the ${ttl} ms it promised`);
    }, ttl);
    this.#silenceTimer.unref();
  }

  #onClose(): void {
    this.#stage = "closed";
    clearTimeout(this.#handshakeTimer);
    clearTimeout(this.#silenceTimer);
    this.#assembler.clear();
    this.#handlers.closed(this, this.#reason);
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

/** What a frame costs beyond its bytes: many empty frames are a large message as well. */
const FRAME_COST = 64;

/** Assembles the frames of one peer into messages of limited size. */
class MessageAssembler {
  /** Bytes of the largest message, all frames together. */
  maximumSize: number;
  #frames: Uint8Array[] = [];
  #cost = 0;

  constructor(maximumSize: number) {
    this.maximumSize = maximumSize;
  }

  /** What the frames of the unfinished message cost, in bytes. */
  get held(): number {
    return this.#cost;
  }

  /** The largest body that the next frame may have, in bytes. */
  get remaining(): number {
    return this.maximumSize - this.#cost;
  }

  /**
   * Adds a frame.
   *
   * @returns The message that the frame completes, if it does.
   * @throws ProtocolError if the message is too large.
   */
  add({ body, more }: Frame): Uint8Array[] | undefined {
    // The view would retain its whole chunk, which no limit counts, until the message is complete.
    this.#frames.push(more ? body.slice() : body);
    this.#cost += body.length + FRAME_COST;
    if (!more) return this.clear();
    if (this.remaining >= 0) return undefined;
    throw new ProtocolError(
      `Reading a message failed: it has more than the ${this.maximumSize} bytes allowed`,
    );
  }

  /** Removes and returns the frames so far. */
  clear(): Uint8Array[] {
    const frames = this.#frames;
    this.#frames = [];
    this.#cost = 0;
    return frames;
  }
}

/** Written at once before waiting for the peer: few system calls, little memory. */
const BATCH_BYTES = 262_144;

/** Queues whole messages for one peer and writes them as fast as the peer reads. */
class SendQueue {
  readonly #socket: Socket;
  readonly #mark: HighWaterMark;
  #waiting: EncodedMessage[] = [];
  /** Index of the first message not yet written: shift() would move a long array for each message. */
  #head = 0;
  #waitingBytes = 0;
  #blocked = false;
  #ending = false;

  /** @param onDrain Called whenever the queue has become shorter. */
  constructor(socket: Socket, mark: HighWaterMark, onDrain: () => void) {
    this.#socket = socket;
    this.#mark = mark;
    socket.on("drain", () => {
      this.#flush();
      onDrain();
    });
  }

  /** How full the queue is: 0 while the peer keeps up, 1 and more at the high-water mark. */
  get level(): number {
    if (!this.#blocked) return 0;
    const messages = this.#waiting.length - this.#head;
    return Math.max(this.bytes / this.#mark.bytes, messages / this.#mark.messages);
  }

  /** Bytes that are not written yet. */
  get bytes(): number {
    return this.#waitingBytes + this.#socket.writableLength;
  }

  push(message: EncodedMessage): void {
    if (this.#ending) return;
    this.#waiting.push(message);
    this.#waitingBytes += message.size;
    if (!this.#blocked) this.#flush();
  }

  /** Ends the stream once everything is written. */
  end(): void {
    this.#ending = true;
    if (!this.#blocked) this.#flush();
  }

  #flush(): void {
    this.#blocked = false;
    let written = 0;
    this.#socket.cork();
    while (!this.#blocked || written < BATCH_BYTES) {
      const message = this.#waiting[this.#head];
      if (message === undefined) break;
      this.#head += 1;
      this.#waitingBytes -= message.size;
      written += message.size;
      for (const chunk of message.chunks) {
        this.#blocked = !this.#socket.write(chunk) || this.#blocked;
      }
    }
    this.#socket.uncork();
    this.#compact();
    if (this.#ending && this.#waiting.length === 0) this.#socket.end();
  }

  #compact(): void {
    if (this.#head < 1024 && this.#head < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#head);
    this.#head = 0;
  }
}
