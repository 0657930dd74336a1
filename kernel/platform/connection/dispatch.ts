/** One request as it goes to its server; `lib/client` has the words for it. */
export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  /** One byte a character, no name twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | Upload | undefined;
  readonly cancellation: Cancellation;
}

/** What may end a request, the reading of its answer included. */
export interface Cancellation {
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
  stream(): ReadableStream<Uint8Array>;
}

/** The beginning of an answer, and its body to be read. */
export interface Incoming {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: IncomingBody | null;
}

/** A body to be read once, its compression taken off; it is its own reader. */
export interface IncomingBody {
  getReader(): IncomingBody;
  /** The next piece, in memory of its own; rejects where the body breaks off. */
  read(): Promise<Step>;
  /** Ends the connection, unless all has come. */
  cancel(): Promise<void>;
}

export type Step =
  | { readonly done: false; readonly value: Uint8Array<ArrayBuffer> }
  | { readonly done: true; readonly value?: undefined };

/** Sends a request; rejects where no answer comes. */
export type Dispatch = (outgoing: Outgoing) => Promise<Incoming>;
