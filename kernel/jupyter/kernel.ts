import type { SessionHistory } from "../platform/mod.ts";
import type { Session } from "../session/mod.ts";
import type { Channels, Job } from "./channels.ts";
import type { History } from "./history.ts";

/** What the handlers use. */
export interface Kernel {
  readonly channels: Channels;
  readonly history: History;
  /** The history of this and earlier sessions, on disk; opened on first use. */
  kept(): Promise<SessionHistory>;
  /** The session; opened on first use. */
  session(): Promise<Session>;
  /** The execution count; `next` increments it. */
  executionCount(next: boolean): number;
  /** Whether a shutdown or a cell is ending the kernel. */
  isEnding(): boolean;
}

/** A job that is being handled. */
export interface Run {
  readonly job: Job;
  /** Publish what comes right before the reply. */
  readonly beforeReply: (() => void)[];
  /** Whether its reply aborts the requests that wait. */
  abortsQueue: boolean;
  /** Creates the reply if the handler was terminated and never returns. */
  onLost: (() => object) | undefined;
}

/** Handles one request and returns the content of its reply, if it has one. */
export type Handler = (
  run: Run,
  kernel: Kernel,
) => Promise<object | undefined> | object | undefined;

type SessionModule = typeof import("../session/mod.ts");

let loaded: SessionModule | undefined;

/**
 * Loads the session and the library. That takes longer than the reply to `kernel_info_request`, so a
 * kernel loads them afterwards.
 */
export async function loadSessionModule(): Promise<SessionModule> {
  loaded ??= await import("../session/mod.ts");
  return loaded;
}
