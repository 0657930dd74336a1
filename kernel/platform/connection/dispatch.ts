/** One request as it goes to its server: what `lib/client/message.ts` calls a `RequestMessage`. */
export interface Outgoing {
  /** The method, as it goes out. */
  readonly method: string;
  /** The URL, without credentials. */
  readonly url: URL;
  /** One byte a character, no name twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body: text, bytes, or what is read while it is sent. */
  readonly body: string | Uint8Array | Upload | undefined;
  /** What ends it. */
  readonly cancellation: Cancellation;
}

/** What may end a request, the reading of its answer included. */
export interface Cancellation {
  /** The same as a signal, made when it is asked for. */
  readonly signal: AbortSignal;
  /** Why, if it is to end already. */
  readonly reason: unknown;
  /** Calls the listener when it is to end; gives what takes the listener off again. */
  listen(listener: (reason: unknown) => void): () => void;
}

/** A body that is read while it is sent. */
export interface Upload {
  /** In bytes; unknown for what is compressed on the way. */
  readonly size: number | undefined;
  /** Begins reading. */
  stream(): ReadableStream<Uint8Array>;
}

/** The beginning of an answer, and its body to be read: a `ResponseMessage` there. */
export interface Incoming {
  /** The status code. */
  readonly status: number;
  /** The reason phrase. */
  readonly statusText: string;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** The body; `null` where there is none. */
  readonly body: IncomingBody | null;
}

/** A body to be read once, its compression taken off. */
export interface IncomingBody {
  /** Begins to read. */
  getReader(): PieceReader;
  /** Ends the connection, unless all has come. */
  cancel(): Promise<void>;
}

/** Reads a body. */
export interface PieceReader {
  /** The next piece, in memory of its own; rejects where the body breaks off. */
  read(): Promise<Step>;
  /** Ends the connection, unless all has come. */
  cancel(): Promise<void>;
}

/** A piece, or the end. */
export type Step =
  | { readonly done: false; readonly value: Uint8Array<ArrayBuffer> }
  | { readonly done: true; readonly value?: undefined };

/** Sends a request; rejects where no answer comes. */
export type Send = (outgoing: Outgoing) => Promise<Incoming>;

/** Sends requests in the place of the runtime's fetch, which is at hand for what it is better at. */
export type Dispatch = <O extends Outgoing>(
  outgoing: O,
  byFetch: (outgoing: O) => Promise<Incoming>,
) => Promise<Incoming>;
