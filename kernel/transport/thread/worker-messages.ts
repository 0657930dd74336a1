import type { PackedFrames } from "./packed-frames.ts";
import type { TransportPlan } from "./transport.ts";

/** The first message to the worker: it runs before it is known what it shall bind. */
export interface WorkerStart {
  readonly kind: "start";
  readonly plan: TransportPlan;
  readonly credit: SharedArrayBuffer;
}

/** From the owner to the worker. The first frame of `send` is the identity. */
export type ToWorker =
  | {
      readonly kind: "send";
      readonly socket: string;
      readonly packed: PackedFrames;
      readonly cost: number;
    }
  | {
      readonly kind: "publish";
      readonly socket: string;
      readonly packed: PackedFrames;
      readonly cost: number;
    }
  | { readonly kind: "post"; readonly value: unknown }
  | { readonly kind: "resume"; readonly socket: string }
  | { readonly kind: "close"; readonly linger: number };

/** From the worker to the owner. The first frame of `received` is the identity. */
export type ToOwner =
  | { readonly kind: "bound"; readonly endpoints: Readonly<Record<string, string>> }
  | {
      readonly kind: "unbound";
      readonly endpoint: string;
      readonly reason: string;
      readonly code: string;
    }
  | {
      readonly kind: "received";
      readonly socket: string;
      readonly packed: PackedFrames;
      readonly cost: number;
    }
  | { readonly kind: "posted"; readonly value: unknown }
  | { readonly kind: "log"; readonly line: string }
  | { readonly kind: "closed" };

/** Bytes that may be on their way between the threads in one direction, for one socket. */
export const CREDIT_BYTES: number = 64 * 1024 * 1024;

/** What a message costs beyond its bytes. */
const MESSAGE_COST = 512;

/** How much of the credit a message takes. */
export function costOf(packed: PackedFrames): number {
  return packed.buffers.reduce((sum, buffer) => sum + buffer.byteLength, MESSAGE_COST);
}

/** The place of the bytes on their way to the worker, among the counters of the shared memory. */
export const TO_WORKER = 0;

/** The place of the bytes on their way from one socket to the owner. */
export function counterOf(plan: TransportPlan, socket: string): number {
  return 1 + Object.keys(plan.sockets).indexOf(socket);
}

/** An action for every kind of message. */
export type Actions<Message extends { readonly kind: string }> = {
  readonly [Kind in Message["kind"]]: (message: Extract<Message, { readonly kind: Kind }>) => void;
};

/** Runs the action for a message. */
export function dispatch<Message extends { readonly kind: string }>(
  actions: Actions<Message>,
  message: Message,
): void {
  // The compiler does not see that the action found by a kind takes a message of that kind.
  const action = actions[message.kind as Message["kind"]] as (message: Message) => void;
  action(message);
}
