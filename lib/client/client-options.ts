import type { BodySource } from "../bodies/mod.ts";
import type { ManyProgress } from "./many/all.ts";
import type { Dispatch } from "./message.ts";
import type { ReachingOptions } from "./outgoing-options.ts";
import type { HeadersInput } from "./request-spec.ts";
import type { ScopeOptions } from "./scopes-options.ts";
import type { TransportOptions } from "./send-options.ts";
import type { OpenWebSocket } from "./sockets/web-socket.ts";
import type { OpenFileForWriting } from "./streams/download.ts";

/** Options of {@link createClient}. */
export interface ClientOptions extends TransportOptions, ScopeOptions, ReachingOptions {
  /** Headers for every request that does not write them itself. */
  readonly headers?: HeadersInput;
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * Sends requests where neither `fetch` nor `connection` says how, and no other global `fetch` was
   * put into the place of the runtime's after this was loaded; see `restlab/platform`.
   */
  readonly dispatch?: Dispatch;
  /** Reads the file of a body such as `< users.json`; without it such bodies are refused. */
  readonly readFile?: (path: string) => Promise<Uint8Array>;
  /**
   * Opens the file of a body to be streamed, a `Blob` for example; files above 1 MiB are not held in
   * memory then.
   */
  readonly openFile?: (path: string) => Promise<BodySource>;
  /**
   * Names whose values are secrets, in plain words, in the place of {@link SECRET_NAMES}:
   * `[...SECRET_NAMES, "pin"]` adds one, an empty list leaves only what is told.
   */
  readonly secretNames?: readonly string[];
  /** Opens the file of a download; without it downloads are refused. */
  readonly openFileForWriting?: OpenFileForWriting;
  /** Opens WebSockets in the place of the global constructor, which Node 20 does not have. */
  readonly openWebSocket?: OpenWebSocket;
  /** Called while `all` is at work, for front ends that show how far it is. */
  readonly onManyProgress?: (progress: ManyProgress) => void;
  /** How many exchanges `history` keeps, 100 by default. */
  readonly historyCount?: number;
  /** How many bytes of bodies `history` keeps, 64 MiB by default; the last exchange always stays. */
  readonly historyBytes?: number;
}

/** What `extend` may change. */
export type ExtendOptions = TransportOptions &
  ReachingOptions &
  Pick<ClientOptions, "headers" | "fetch" | "readFile" | "openFile">;
