import type { HookContext } from "../../transport/mod.ts";
import {
  createMessageFactory,
  createSigner,
  type Header,
  type Message,
  type MessageFactory,
  type Publications,
  parseMessage,
  type RenderedMessage,
  renderMessage,
  type Signer,
  toFrames,
} from "../messages/mod.ts";
import { createStreamBuffer, type StreamBuffer } from "./stream-buffer.ts";
import { SOCKETS, type SocketThreadOptions } from "./worker-messages.ts";

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
