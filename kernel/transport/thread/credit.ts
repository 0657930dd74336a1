import type { TransportPlan } from "./transport.ts";

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
