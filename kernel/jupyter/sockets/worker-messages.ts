import { createLoopMemory } from "../../platform/mod.ts";
import type { Header, KernelInfo, RenderedMessage } from "../messages/mod.ts";

/** What the thread of the sockets is started with. */
export interface SeamStart {
  readonly runtime: string;
  /** Where the inspector of the cells' thread listens, where the user has opened it. */
  readonly inspector: string | undefined;
  readonly key: string;
  readonly hash: string;
  readonly session: string;
  readonly username: string;
  readonly info: KernelInfo;
  /** The process that asked for this kernel, where it said so. */
  readonly parentProcess: number | undefined;
  readonly shared: SharedArrayBuffer;
  /** What ends cells that compute works on it. */
  readonly loops: SharedArrayBuffer;
  readonly answer: SharedArrayBuffer;
}

/** From the thread of the cells to that of the sockets. */
export type ToSockets =
  | { readonly kind: "publish"; readonly message: RenderedMessage; readonly cost: number }
  | {
      readonly kind: "reply";
      readonly channel: "shell" | "control";
      readonly message: RenderedMessage;
      readonly cost: number;
    }
  /** A reply that gives up all that the shell has received before it. */
  | { readonly kind: "abort"; readonly message: RenderedMessage; readonly cost: number }
  | { readonly kind: "ask"; readonly message: RenderedMessage; readonly cost: number }
  | {
      readonly kind: "stream";
      readonly name: "stdout" | "stderr";
      readonly text: string;
      readonly parent: Header | Record<string, never>;
      readonly cost: number;
    }
  /** A request of the shell is being handled from now on, or none. */
  | { readonly kind: "running"; readonly parent: Header | undefined }
  /** The process was sent a SIGINT. */
  | { readonly kind: "signal" };

/** From the thread of the sockets to that of the cells. */
export type ToCells =
  | { readonly kind: "interrupt" }
  | { readonly kind: "shutdown"; readonly restart: boolean }
  /** Every shell message up to this one, counted from 1, was there when the reply was sent. */
  | { readonly kind: "boundary"; readonly arrivals: number };

/** Places in the memory that both threads see. */
export const PLACES = {
  /** What is on its way to the sockets, in characters. */
  pending: 0,
  /** One of ANSWERS. */
  answer: 1,
  /** Bytes of the answer. */
  answerLength: 2,
} as const;

/** The states of a question to the user. */
export const ANSWERS = { none: 0, waiting: 1, given: 2, interrupted: 3, tooLong: 4 } as const;

/** The longest answer to a question, in bytes. */
export const LONGEST_ANSWER: number = 1024 * 1024;

/** The sockets by the names of the plan. */
export const SOCKETS = {
  shell: "shell",
  control: "control",
  stdin: "stdin",
  iopub: "iopub",
  heartbeat: "heartbeat",
} as const;

/** The memory that both threads see. */
export function createSharedMemory(): Pick<SeamStart, "shared" | "loops" | "answer"> {
  return {
    shared: new SharedArrayBuffer(4 * Object.keys(PLACES).length),
    loops: createLoopMemory(),
    answer: new SharedArrayBuffer(LONGEST_ANSWER),
  };
}

/** A table of what to do for each kind of message. */
export type Actions<Union extends { readonly kind: string }> = {
  readonly [Kind in Union["kind"]]: (message: Extract<Union, { readonly kind: Kind }>) => void;
};

/** Calls the action of a message's kind. */
export function dispatch<Union extends { readonly kind: string }>(
  actions: Actions<Union>,
  message: Union,
): void {
  // The table has one entry for each kind, which the compiler cannot see through the index.
  (actions[message.kind as Union["kind"]] as (message: Union) => void)(message);
}
