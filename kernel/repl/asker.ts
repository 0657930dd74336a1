import process from "node:process";
import type { Question } from "../../lib/mod.ts";
import type { OutputStream, Platform } from "../platform/mod.ts";
import type { Answer, Asked } from "./editor/mod.ts";
import { openTerminal } from "./editor/mod.ts";

/** Asks the person at the terminal for values that requests need. */
export interface Asker {
  /**
   * Asks one question at a time.
   *
   * @returns The answer; `undefined` where there is none: nothing is sent then.
   */
  ask(question: Question): Promise<string | undefined>;
  /** Lets a prompt ask, in the place of the terminal itself. */
  use(read: (asked: Asked) => Promise<Answer>): void;
}

/**
 * Creates what asks.
 *
 * @param platform Tells of Ctrl-C.
 * @param stream Where questions are written as long as there is no prompt: standard output may be
 * a pipe.
 */
export function createAsker(
  { onInterrupt }: Pick<Platform, "onInterrupt">,
  stream: OutputStream,
): Asker {
  let read: ((asked: Asked) => Promise<Answer>) | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function askNow({ description, secret, defaultValue }: Question): Promise<Answer> {
    // Loaded when there is a question: the prompt must not wait for it.
    const { toVisibleLine } = await import("../../lib/display/mod.ts");
    read ??= await readPlainly();
    const isShown = defaultValue !== undefined && !secret;
    const label = isShown ? `${description} [${defaultValue}]` : description;
    return await read({ label: `${toVisibleLine(label)}: `, isHidden: secret });
  }

  async function readPlainly(): Promise<(asked: Asked) => Promise<Answer>> {
    const { createPlainReader } = await import("./plain-reader.ts");
    const reader = createPlainReader({ terminal: openTerminal(stream) });
    return async (asked) => {
      const unlisten = onInterrupt(reader.cancel);
      try {
        return await reader.ask(asked);
      } finally {
        unlisten();
        process.stdin.pause();
      }
    };
  }

  return {
    ask: (question) => {
      const answered = turn.then(async () => {
        const answer = await askNow(question);
        if (answer.kind === "answer") return answer.text;
        // To give up a question is to give up what asks it, as at any other moment.
        if (answer.kind === "cancel") process.emit("SIGINT", "SIGINT");
        return undefined;
      });
      turn = answered.catch(() => undefined);
      return answered;
    },
    use: (reader) => {
      read = reader;
    },
  };
}
