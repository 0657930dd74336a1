import type { HeadersInput, HttpOptions, ReachingOptions, TransportOptions } from "../http/mod.ts";
import type { ScopeOptions } from "../variables/mod.ts";
import type { WebSocketOptions } from "../websocket/mod.ts";
import type { ManyProgress } from "./batch/mod.ts";
import type { OpenFileForWriting } from "./stream/mod.ts";

/** Options of {@link createClient}. */
export interface ClientOptions extends HttpOptions, ScopeOptions, WebSocketOptions {
  /** The clock, for what is generated and what is signed. */
  readonly now?: () => Date;
  /** Headers for every request that does not write them itself. */
  readonly headers?: HeadersInput;
  /**
   * Names whose values are secrets, in plain words, in the place of {@link SECRET_NAMES}:
   * `[...SECRET_NAMES, "pin"]` adds one, an empty list leaves only what is told.
   */
  readonly secretNames?: readonly string[];
  /** Opens the file of a download; without it downloads are refused. */
  readonly openFileForWriting?: OpenFileForWriting;
  /**
   * Gives what ends the code that is running, where several programs share a client: what that code
   * has on its way ends with it, and it sends nothing more.
   */
  readonly owner?: () => AbortSignal | undefined;
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
  Pick<ClientOptions, "headers" | "fetch" | "ky" | "readFile" | "openFile">;
