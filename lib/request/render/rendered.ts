/** A request with every value put in: what would be sent. Header order and repeats are kept. */
export interface RenderedRequest {
  /** From `# @name login`. */
  readonly name?: string;
  /** In upper case where it is a known one. */
  readonly method: string;
  /** The URL as text, before any URL parser has seen it. */
  readonly url: string;
  /** Names and values in the order in which they are written. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Names of headers that were not written but added, for example `Content-Type`. */
  readonly added: readonly string[];
  /** The text, a file still to be read, text with files in it, or nothing. */
  readonly body: string | BodyFile | BodyMixture | undefined;
  /** Of a WebSocket request: its messages, and where it waits for the server. */
  readonly messages?: readonly MessageStep[];
  /** The file that the body of the answer goes to. */
  readonly saveTo?: { readonly path: string; readonly replace: boolean };
  /** What looks wrong but is sent all the same, for example a JSON body that does not parse. */
  readonly warnings: readonly string[];
}

/** A message to be sent, or a message of the server to be waited for. */
export type MessageStep =
  | { readonly kind: "send"; readonly text: string }
  | { readonly kind: "wait" };

/** A body that stands in a file. */
export interface BodyFile {
  /** As rendered; what it is relative to is for the reader to say. */
  readonly path: string;
  /** Whether placeholders inside the file are to be filled. */
  readonly interpolated: boolean;
  /** As written after `<@`; UTF-8 where it is left out. */
  readonly encoding?: string;
}

/** A body of text and files in turn, as multipart bodies are. */
export interface BodyMixture {
  /** In order. */
  readonly pieces: readonly (string | BodyFile)[];
}
