import { clearTimeout, setTimeout } from "node:timers";
import { createMessageFactory, type Message, type MessageFactory } from "./message.ts";
import type { Header, Publications } from "./protocol.ts";
import { SOCKETS, type SocketThreadOptions } from "./socket-messages.ts";
import {
  createSigner,
  parseMessage,
  type RenderedMessage,
  renderMessage,
  type Signer,
  toFrames,
} from "./wire.ts";
import type { HookContext } from "./zmtp/mod.ts";

/** Signs and sends messages in the socket thread, after the text that was written before them. */
export class MessageSender {
  readonly #context: HookContext;
  readonly #signer: Signer;
  readonly #messages: MessageFactory;
  readonly #streams: StreamBuffer;

  constructor(context: HookContext, { key, hash, session, username }: SocketThreadOptions) {
    this.#context = context;
    this.#signer = createSigner(key, hash);
    // The prefix keeps the identifiers of this thread apart from those of the main thread.
    this.#messages = createMessageFactory(session, username, "s");
    this.#streams = createStreamBuffer((name, text, header) => {
      const message = this.#messages.message("stream", { name, text }, { header });
      context.publish(SOCKETS.iopub, this.#sign(renderMessage(message)));
    });
  }

  /** Parses a message and checks its signature. */
  parse(frames: readonly Uint8Array[]): ReturnType<typeof parseMessage> {
    return parseMessage(frames, this.#signer);
  }

  stream(name: "stdout" | "stderr", text: string, parent: Header): void {
    this.#streams.write(name, text, parent);
  }

  publish<Type extends keyof Publications>(
    type: Type,
    content: Publications[Type],
    parent: Message | undefined,
  ): void {
    this.publishRendered(renderMessage(this.#messages.message(type, content, parent)));
  }

  publishRendered(message: RenderedMessage): void {
    this.#streams.flush();
    this.#context.publish(SOCKETS.iopub, this.#sign(message));
  }

  reply(socket: string, request: Message, content: object): void {
    this.send(socket, renderMessage(this.#messages.reply(request, content)));
  }

  send(socket: string, message: RenderedMessage): void {
    this.#streams.flush();
    const [identity = new Uint8Array(), ...frames] = this.#sign(message);
    this.#context.send(socket, identity, frames);
  }

  /** The `iopub_welcome` for a new subscriber. */
  welcome(prefix: Uint8Array): readonly Uint8Array[] {
    const content = { subscription: new TextDecoder().decode(prefix) };
    return this.#sign(
      renderMessage(this.#messages.message("iopub_welcome", content, undefined, [prefix])),
    );
  }

  #sign(message: RenderedMessage): readonly Uint8Array[] {
    return toFrames(message, this.#signer);
  }
}

/** Joins text that a cell writes in quick succession. */
interface StreamBuffer {
  write(name: "stdout" | "stderr", text: string, parent: Header): void;
  /** Sends what was written, except the first half of a character. */
  flush(): void;
}

/** Milliseconds within which text is sent. */
const DELAY = 10;
/** Longer text is sent at once, in UTF-16 units. */
const LONGEST = 128 * 1024;

/** Creates a buffer; `send` gets text that is never empty. */
export function createStreamBuffer(
  send: (name: "stdout" | "stderr", text: string, parent: Header) => void,
): StreamBuffer {
  const halves = new Map<string, string>();
  let waiting = "";
  let current: { readonly name: "stdout" | "stderr"; readonly parent: Header } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function write(name: "stdout" | "stderr", text: string, parent: Header): void {
    if (current?.name !== name || current.parent.msg_id !== parent.msg_id) flush();
    current ??= { name, parent };
    const key = keyOf(current);
    waiting += (halves.get(key) ?? "") + text;
    halves.delete(key);
    if (waiting.length >= LONGEST) flush();
    else timer ??= setTimeout(flush, DELAY);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (current === undefined) return;
    const { name, parent } = current;
    const whole = waiting;
    const key = keyOf(current);
    waiting = "";
    current = undefined;
    // A program may write the halves of a character one after the other.
    const isCut = /[\ud800-\udbff]$/.test(whole);
    if (isCut) halves.set(key, whole.slice(-1));
    const text = isCut ? whole.slice(0, -1) : whole;
    if (text !== "") send(name, text, parent);
  }

  return { write, flush };
}

function keyOf({ name, parent }: { readonly name: string; readonly parent: Header }): string {
  return `${name} ${parent.msg_id}`;
}
