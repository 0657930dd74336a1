import type { HeaderList } from "./exchange.ts";
import type { SendableBody } from "./prepare.ts";

/**
 * One request as it goes to its server: no redirect is followed, no status is a failure.
 *
 * Messages are what `lib/client` and whoever sends for it agree on; `kernel/platform`, which imports
 * nothing of ours, has the same in words of its own (`connection/dispatch.ts`), and the compiler
 * compares the two where one is handed to the other (`kernel/library.ts`).
 */
export interface RequestMessage {
  /** The method, as it goes out. */
  readonly method: string;
  /** The URL, without credentials. */
  readonly url: URL;
  /** One byte a character, no name twice. */
  readonly headers: HeaderList;
  /** The body: text, bytes, or what is read while it is sent. */
  readonly body: SendableBody | undefined;
  /** What ends it, the reading of the answer included. */
  readonly cancellation: Cancellation;
}

/** What may end a request: a signal, which is not made for those who are content with being called. */
export interface Cancellation {
  /** The same as a signal, made when it is asked for. */
  readonly signal: AbortSignal;
  /** Why, if it is to end already. */
  readonly reason: unknown;
  /** Calls the listener when it is to end; gives what takes the listener off again. */
  listen(listener: (reason: unknown) => void): () => void;
}

/** An answer as it comes: what a client needs of a `Response`, which is one. */
export interface ResponseMessage extends Pick<Response, "status" | "statusText" | "headers"> {
  /** Decompressed; `null` where there is none. It is read once. */
  readonly body: MessageBody | null;
}

/** What a client needs of a `ReadableStream`. */
export interface MessageBody {
  /** Begins to read. */
  getReader(): PieceReader;
  /** Nothing more is to come. */
  cancel(): Promise<void>;
}

/** What a client needs of a `ReadableStreamDefaultReader`. */
export interface PieceReader {
  /** The next piece, in memory of its own; rejects where the body breaks off. */
  read(): Promise<
    | { readonly done: false; readonly value: Uint8Array<ArrayBuffer> }
    | { readonly done: true; readonly value?: undefined }
  >;
  /** Nothing more is to come. */
  cancel(): Promise<void>;
}

/** What an error may say with which a request is rejected. */
export interface DispatchFailure {
  /** Whether the request went over a connection that had been kept, as Node calls it. */
  readonly reusedSocket?: boolean;
}

/** Sends a request, and gives its answer when its headers have come; rejects where none comes. */
export type SendMessage = (request: RequestMessage) => Promise<ResponseMessage>;

/**
 * Sends requests in the place of the runtime's fetch.
 *
 * @param byFetch Sends by that fetch, for what it is better at.
 */
export type Dispatch = (request: RequestMessage, byFetch: SendMessage) => Promise<ResponseMessage>;
