import type { TransportPlan } from "./transport.ts";

/** The first message to the worker, which is started before the plan is known. */
export interface WorkerStart {
  readonly kind: "start";
  readonly plan: TransportPlan;
  readonly credit: SharedArrayBuffer;
}

/** Messages from the owner to the worker. The first frame of `send` is the identity. */
export type ToWorker =
  | {
      readonly kind: "send";
      readonly socket: string;
      readonly packed: readonly ArrayBuffer[];
      readonly cost: number;
    }
  | {
      readonly kind: "publish";
      readonly socket: string;
      readonly packed: readonly ArrayBuffer[];
      readonly cost: number;
    }
  | { readonly kind: "post"; readonly value: unknown; readonly cost: number }
  | { readonly kind: "resume"; readonly socket: string }
  | { readonly kind: "close"; readonly linger: number };

/** Messages from the worker to the owner. The first frame of `received` is the identity. */
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
      readonly packed: readonly ArrayBuffer[];
      readonly cost: number;
    }
  | { readonly kind: "posted"; readonly value: unknown }
  | { readonly kind: "log"; readonly line: string }
  | { readonly kind: "closed" };
