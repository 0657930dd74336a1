import { type Dict, type Header, PROTOCOL_VERSION } from "./protocol.ts";

export interface Message<Content = Dict> {
  /** The routing prefix: the sender or receiver, or the topic of a published message. */
  readonly identities: readonly Uint8Array[];
  readonly header: Header;
  /** The header of the message that caused this one, or empty. */
  readonly parentHeader: Header | Record<string, never>;
  readonly metadata: Dict;
  readonly content: Content;
  readonly buffers: readonly Uint8Array[];
}

/** Creates the messages of one kernel. */
export interface MessageFactory {
  /** Identifies this kernel process in every header. */
  readonly session: string;
  /** Creates a message; its topic is its type by default, `parent` is what caused it. */
  message<Content>(
    type: string,
    content: Content,
    parent: Pick<Message<unknown>, "header"> | undefined,
    identities?: readonly Uint8Array[],
  ): Message<Content>;
  /** Creates the reply to a request. */
  reply<Content>(request: Message<unknown>, content: Content): Message<Content>;
}

/**
 * Creates a message factory.
 *
 * @param session Unique for each kernel process: to a front end another one is a restart.
 * @param username The user who runs the kernel.
 * @param origin Distinguishes the identifiers of several factories with one session.
 */
export function createMessageFactory(
  session: string,
  username: string,
  origin = "",
): MessageFactory {
  let count = 0;

  function message<Content>(
    type: string,
    content: Content,
    parent: Pick<Message<unknown>, "header"> | undefined,
    identities: readonly Uint8Array[] = [new TextEncoder().encode(type)],
  ): Message<Content> {
    return {
      identities,
      header: {
        msg_id: `${session}_${origin}${count++}`,
        msg_type: type,
        session,
        username,
        date: new Date().toISOString(),
        version: PROTOCOL_VERSION,
      },
      parentHeader: parent?.header ?? {},
      metadata: {},
      content,
      buffers: [],
    };
  }

  return {
    session,
    message,
    reply: (request, content) =>
      message(
        request.header.msg_type.replace(/_request$/, "_reply"),
        content,
        request,
        request.identities,
      ),
  };
}
