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

/** Bytes that may be in flight between the threads in one direction, for one socket. */
const CREDIT_BYTES = 64 * 1024 * 1024;
/** What a message costs beyond its bytes. */
const MESSAGE_COST = 512;
/** Milliseconds after which a worker that handles nothing is not waited for. */
const STALL = 5000;
/** The counter of the bytes in flight to the worker; those of the sockets follow it. */
const TO_WORKER = 0;

/** How much of the credit a message takes. */
export function costOf(packed: readonly ArrayBuffer[]): number {
  return packed.reduce((sum, buffer) => sum + buffer.byteLength, MESSAGE_COST);
}

/** The memory of the counters, shared by both threads. */
export function createCreditMemory(plan: TransportPlan): SharedArrayBuffer {
  const counters = 1 + Object.keys(plan.sockets).length;
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * counters);
}

/** Limits the bytes in flight between the threads, so that neither fills the memory of the other. */
export class Credit {
  readonly #counters: Int32Array;
  readonly #sockets: readonly string[];
  #stalled = false;

  constructor(plan: TransportPlan, memory: SharedArrayBuffer) {
    this.#counters = new Int32Array(memory);
    this.#sockets = Object.keys(plan.sockets);
  }

  /** Counts what is posted to the worker, and waits for the worker while it is too much. */
  spend(cost: number): void {
    let inFlight = Atomics.add(this.#counters, TO_WORKER, cost) + cost;
    this.#stalled &&= inFlight > CREDIT_BYTES;
    while (inFlight > CREDIT_BYTES && !this.#stalled) {
      this.#stalled = Atomics.wait(this.#counters, TO_WORKER, inFlight, STALL) === "timed-out";
      inFlight = Atomics.load(this.#counters, TO_WORKER);
    }
  }

  /** Called by the worker for what it has handled. */
  release(cost: number): void {
    Atomics.sub(this.#counters, TO_WORKER, cost);
    Atomics.notify(this.#counters, TO_WORKER);
  }

  /** Counts what the worker posts; true if no more should be read from the socket. */
  received(socket: string, cost: number): boolean {
    return Atomics.add(this.#counters, this.#counterOf(socket), cost) + cost > CREDIT_BYTES;
  }

  /** Called by the owner for what it takes; true if reading from the socket may resume. */
  taken(socket: string, cost: number): boolean {
    const before = Atomics.sub(this.#counters, this.#counterOf(socket), cost);
    return before > CREDIT_BYTES / 2 && before - cost <= CREDIT_BYTES / 2;
  }

  #counterOf(socket: string): number {
    return 1 + this.#sockets.indexOf(socket);
  }
}

/**
 * Prepares frames for a transfer to another thread.
 *
 * @param give Whether a frame that fills its buffer is not copied; it cannot be read here after the
 * transfer.
 */
export function packFrames(frames: readonly Uint8Array[], give: boolean): ArrayBuffer[] {
  return frames.map((frame) => {
    const { buffer, length } = frame;
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === length;
    return give && isWhole ? buffer : new Uint8Array(frame).buffer;
  });
}

/** Restores the frames. */
export function unpackFrames(packed: readonly ArrayBuffer[]): Uint8Array[] {
  return packed.map((buffer) => new Uint8Array(buffer));
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
