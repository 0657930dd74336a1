import type { SessionHistory } from "../../platform/mod.ts";
import type { Session } from "../../session/mod.ts";
import type { KernelInfo, Message } from "../messages/mod.ts";
import type { Channels, RequestChannel } from "../sockets/mod.ts";
import type { History } from "./history.ts";

/** What the handlers work with. */
export interface Kernel {
  readonly channels: Channels;
  readonly info: KernelInfo;
  readonly history: History;
  /** What stays beyond this session, and what others have left; opened when it is first asked for. */
  kept(): Promise<SessionHistory>;
  /** The session; it is opened when it is first asked for. */
  session(): Promise<Session>;
  /** The count of executions that were kept, this one included where `next` is true. */
  executionCount(next: boolean): number;
  /** Whether a shutdown or a cell is ending the kernel. */
  isEnding(): boolean;
}

/** A request that is being handled. */
export interface Job {
  readonly request: Message;
  readonly channel: RequestChannel;
  /** Publish what belongs right before the reply. */
  readonly last: (() => void)[];
  /** Whether its reply gives up the requests that wait behind it. */
  abortsQueue: boolean;
  /**
   * What to reply where the handler was cut off in the middle and never comes back, as an
   * interrupt by force may do.
   */
  onLost: (() => object) | undefined;
}

/** Handles one request and gives the content of its reply; nothing where there is none. */
export type Handler = (
  job: Job,
  kernel: Kernel,
) => Promise<object | undefined> | object | undefined;
