import { type Dict, type Header, PROTOCOL_VERSION } from "./protocol.ts";

/** One message of the protocol, as it is on either side of the wire. */
export interface Message<Content = Dict> {
  /** The routing prefix: who sent it or shall get it; on the published channel the topic. */
  readonly identities: readonly Uint8Array[];
  readonly header: Header;
  /** The header of the message that caused this one; empty where there is none. */
  readonly parentHeader: Header | Record<string, never>;
  readonly metadata: Dict;
  readonly content: Content;
  readonly buffers: readonly Uint8Array[];
}

/** Makes the messages of one kernel. */
export interface MessageFactory {
  /** Identifies this kernel process in every header. */
  readonly session: string;
  /** Makes a message with the topic or prefix given; `parent` is what caused it. */
  message<Content>(
    type: string,
    content: Content,
    parent: Pick<Message<unknown>, "header"> | undefined,
    identities?: readonly Uint8Array[],
  ): Message<Content>;
  /** Makes the answer to a request: back to where it came from. */
  reply<Content>(request: Message<unknown>, content: Content): Message<Content>;
}

/**
 * Creates a maker of messages.
 *
 * @param session Unique for each kernel process: a front end takes another one for a restart.
 * @param username Who runs the kernel.
 * @param origin Part of the identifiers, where several makers share a session.
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
