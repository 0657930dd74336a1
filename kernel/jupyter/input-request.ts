import { InterruptedError } from "../session/cell/mod.ts";

const STATES = { none: 0, waiting: 1, answered: 2, interrupted: 3, tooLong: 4 } as const;
const LONGEST_ANSWER = 1024 * 1024;
/** The state and the length of the answer, before its bytes. */
const HEADER_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;
const STATE = 0;
const LENGTH = 1;

/** Creates the memory of an {@link InputRequest}. */
export function createInputMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + LONGEST_ANSWER);
}

/** A question to the user: the main thread waits for what the socket thread receives. */
export class InputRequest {
  readonly #header: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.#header = new Int32Array(memory, 0, 2);
    this.#bytes = new Uint8Array(memory, HEADER_BYTES);
  }

  /**
   * Asks and blocks the main thread until the answer arrives.
   *
   * @param send Sends the `input_request`.
   * @throws InterruptedError if the cell is interrupted instead.
   */
  ask(prompt: string, send: () => void): string {
    Atomics.store(this.#header, STATE, STATES.waiting);
    send();
    Atomics.wait(this.#header, STATE, STATES.waiting);
    const state = Atomics.exchange(this.#header, STATE, STATES.none);
    if (state === STATES.interrupted) {
      throw new InterruptedError();
    }
    if (state === STATES.tooLong) {
      throw new RangeError(`Asking "${prompt}" failed: the answer exceeds ${LONGEST_ANSWER} bytes`);
    }
    const length = Atomics.load(this.#header, LENGTH);
    // A decoder does not accept shared memory.
    return new TextDecoder().decode(this.#bytes.slice(0, length));
  }

  /** Takes an answer in the socket thread; one without a question is dropped. */
  answer(text: string): void {
    if (Atomics.load(this.#header, STATE) !== STATES.waiting) return;
    const bytes = new TextEncoder().encode(text);
    const fits = bytes.length <= LONGEST_ANSWER;
    if (fits) this.#bytes.set(bytes);
    Atomics.store(this.#header, LENGTH, bytes.length);
    this.#end(fits ? STATES.answered : STATES.tooLong);
  }

  /** Ends the question in the socket thread; false if there is none. */
  interrupt(): boolean {
    return this.#end(STATES.interrupted);
  }

  #end(state: number): boolean {
    const before = Atomics.compareExchange(this.#header, STATE, STATES.waiting, state);
    Atomics.notify(this.#header, STATE);
    return before === STATES.waiting;
  }
}
