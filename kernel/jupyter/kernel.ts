import type { SessionHistory } from "../platform/mod.ts";
import { LANGUAGE_INFO } from "../session/cell/mod.ts";
import type { Session } from "../session/mod.ts";
import type { Channels, Job } from "./channels.ts";
import type { History } from "./history.ts";
import { type KernelInfo, PROTOCOL_VERSION } from "./protocol.ts";

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

/** The library's version, repeated because loading the library would take too long. */
export const KERNEL_VERSION = "2.3.0";

/**
 * Creates the `kernel_info_reply`.
 *
 * @param runtime The runtime's name as people write it.
 */
export function createKernelInfo(runtime: string): KernelInfo {
  return {
    status: "ok",
    protocol_version: PROTOCOL_VERSION,
    implementation: "restlab",
    implementation_version: KERNEL_VERSION,
    language_info: LANGUAGE_INFO,
    banner:
      `restlab ${KERNEL_VERSION} on ${runtime}: HTTP requests and TypeScript\n` +
      "Write GET https://example.com to send a request, or any TypeScript; client stores the variables",
    debugger: false,
    help_links: [
      { text: "TypeScript", url: "https://www.typescriptlang.org/docs/" },
      { text: "HTTP methods and status codes", url: "https://developer.mozilla.org/docs/Web/HTTP" },
    ],
    // The defined features are a debugger and subshells.
    supported_features: [],
  };
}

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
