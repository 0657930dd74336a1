import type { Message, MessageFactory } from "../messages/mod.ts";
import { sessionModule } from "./session-module.ts";
import { ANSWERS, LONGEST_ANSWER, PLACES, type SeamStart } from "./worker-messages.ts";

/** Questions to the person at the front end. */
export interface Questions {
  /**
   * Asks for a line of text and holds this thread up until it is there, as `prompt()` does
   * everywhere; heartbeat and interrupts are answered meanwhile.
   *
   * @throws InterruptedError where the cell is interrupted instead.
   */
  ask(request: Message, prompt: string, password: boolean): string;
}

/** Creates the asking side; `send` hands the message to the thread of the sockets. */
export function createQuestions(
  memory: Pick<SeamStart, "shared" | "answer">,
  messages: MessageFactory,
  send: (message: Message<unknown>) => void,
): Questions {
  const shared = new Int32Array(memory.shared);
  const bytes = new Uint8Array(memory.answer);

  function ask(request: Message, prompt: string, password: boolean): string {
    const content = { prompt, password };
    Atomics.store(shared, PLACES.answer, ANSWERS.waiting);
    send(messages.message("input_request", content, request, request.identities));
    Atomics.wait(shared, PLACES.answer, ANSWERS.waiting);
    const state = Atomics.exchange(shared, PLACES.answer, ANSWERS.none);
    if (state === ANSWERS.interrupted) {
      const { InterruptedError } = sessionModule();
      throw new InterruptedError();
    }
    if (state === ANSWERS.tooLong) {
      throw new RangeError(`Asking "${prompt}" failed: the answer exceeds ${LONGEST_ANSWER} bytes`);
    }
    const length = Atomics.load(shared, PLACES.answerLength);
    // A decoder refuses memory that another thread may write to.
    return new TextDecoder().decode(bytes.slice(0, length));
  }

  return { ask };
}
