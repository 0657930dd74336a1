import process from "node:process";
import type { Question } from "../../lib/mod.ts";
import type { OutputStream, Platform } from "../platform/mod.ts";
import { type Answer, createEditorPaint, type InputQuestion, openTerminal } from "./editor/mod.ts";
import type { PromptOptions, PromptSession } from "./prompt.ts";

const WELCOME =
  "Requests or TypeScript. Try %demo, then GET /users\n.help lists commands and keys\n";
const PROMPT = "restlab> ";

/**
 * Reads entries and runs each as a cell or a command until the person leaves.
 *
 * The prompt appears, and accepts input, before the session is open and the rest is loaded.
 */
export async function prompt(
  opening: Promise<PromptSession>,
  platform: Platform,
  options: PromptOptions,
): Promise<void> {
  const { stdout } = platform;
  const terminal = openTerminal(stdout);
  const isPlain = platform.environment["TERM"] === "dumb" || !stdout.isTerminal;
  stdout.write(WELCOME);
  if (!isPlain) {
    stdout.write(createEditorPaint(stdout.color).prompt(PROMPT));
    terminal.bufferInput();
  }
  // It may fail before it is awaited, which would be an unhandled rejection.
  opening.catch(() => undefined);
  const { runPrompt } = await import("./prompt.ts");
  try {
    await runPrompt(opening, platform, { ...options, terminal, isPlain, prompt: PROMPT });
  } finally {
    terminal.release();
  }
}

/** Asks the person at the terminal for the values of prompts in requests. */
export interface Asker {
  /**
   * Asks one question at a time.
   *
   * @returns The answer, or `undefined` without one: the request is not sent.
   */
  ask(question: Question): Promise<string | undefined>;
  /**
   * Makes a prompt read the answers.
   *
   * @param begin Shows a question of a cell whose code waits for the answer.
   */
  useReader(
    read: (question: InputQuestion) => Promise<Answer>,
    begin: (message: string) => void,
  ): void;
  /** Begins a question that the code of a cell waits for. */
  begin(message: string): void;
}

/**
 * Creates an asker, which reads answers itself until a prompt does.
 *
 * @param stream Where it writes questions: standard output may be a pipe.
 */
export function createAsker(
  { onInterrupt }: Pick<Platform, "onInterrupt">,
  stream: OutputStream,
): Asker {
  let begin = (message: string): void => stream.write(message, true);
  let read: ((question: InputQuestion) => Promise<Answer>) | undefined;
  let previous: Promise<unknown> = Promise.resolve();

  async function askNow({ description, secret, defaultValue }: Question): Promise<Answer> {
    // Loaded late, so that the prompt appears without them.
    const { toVisibleLine } = await import("../../lib/display/mod.ts");
    const { holdProgress } = await import("../terminal/mod.ts");
    read ??= await readPlainly();
    const isShown = defaultValue !== undefined && !secret;
    const label = isShown ? `${description} [${defaultValue}]` : description;
    const resume = holdProgress();
    try {
      return await read({ label: `${toVisibleLine(label)}: `, isHidden: secret });
    } finally {
      resume();
    }
  }

  async function readPlainly(): Promise<(question: InputQuestion) => Promise<Answer>> {
    const { createPlainReader } = await import("./plain-reader.ts");
    const reader = createPlainReader({ terminal: openTerminal(stream) });
    return async (question) => {
      const unlisten = onInterrupt(() => reader.cancel());
      try {
        return await reader.ask(question);
      } finally {
        unlisten();
        process.stdin.pause();
      }
    };
  }

  return {
    ask: (question) => {
      const answered = previous.then(async () => {
        const answer = await askNow(question);
        if (answer.kind === "answer") return answer.text;
        // Ctrl-C at a question interrupts the cell that asks it.
        if (answer.kind === "cancel") process.emit("SIGINT", "SIGINT");
        return undefined;
      });
      previous = answered.catch(() => undefined);
      return answered;
    },
    useReader: (reader, beginQuestion) => {
      read = reader;
      begin = beginQuestion;
    },
    begin: (message) => begin(message),
  };
}
