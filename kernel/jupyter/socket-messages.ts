import type { Header, KernelInfo } from "./protocol.ts";
import type { RenderedMessage } from "./wire.ts";

/** What the socket thread is started with. */
export interface SocketThreadOptions {
  readonly runtime: string;
  /** The inspector of the main thread, if the user has opened it. */
  readonly inspector: string | undefined;
  readonly key: string;
  readonly hash: string;
  readonly session: string;
  readonly username: string;
  readonly info: KernelInfo;
  /** The process that started this kernel, if it is known. */
  readonly parentProcess: number | undefined;
  /** The memory that ends cells that compute. */
  readonly loops: SharedArrayBuffer;
  /** The memory of questions to the user. */
  readonly input: SharedArrayBuffer;
}

/** Messages from the main thread to the socket thread. */
export type ToSocketThread =
  | { readonly kind: "publish"; readonly message: RenderedMessage }
  | {
      readonly kind: "reply";
      readonly channel: "shell" | "control";
      readonly message: RenderedMessage;
    }
  /** A reply that aborts the shell requests received before it is sent. */
  | { readonly kind: "abort"; readonly message: RenderedMessage }
  | { readonly kind: "ask"; readonly message: RenderedMessage }
  | {
      readonly kind: "stream";
      readonly name: "stdout" | "stderr";
      readonly text: string;
      readonly parent: Header;
    }
  /** The shell request that is being handled, or none. */
  | { readonly kind: "running"; readonly parent: Header | undefined }
  /** The process has received a SIGINT. */
  | { readonly kind: "signal" };

/** Messages from the socket thread to the main thread. */
export type ToMainThread =
  | { readonly kind: "interrupt" }
  | { readonly kind: "shutdown" }
  /** Aborts the shell requests up to this one, counted from 1. */
  | { readonly kind: "abort"; readonly upTo: number };

/** The sockets by their names in the plan. */
export const SOCKETS = {
  shell: "shell",
  control: "control",
  stdin: "stdin",
  iopub: "iopub",
  heartbeat: "heartbeat",
} as const;
