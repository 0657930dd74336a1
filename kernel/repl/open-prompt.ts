import type { Platform } from "../platform/mod.ts";
import { createEditorPaint } from "./editor/mod.ts";
import type { Opening, PromptOptions } from "./prompt.ts";
import { openTerminal } from "./terminal/mod.ts";

const WELCOME = "Requests (GET {{base}}/users) or TypeScript; .help for commands, Ctrl-D leaves\n";
const PROMPT = "restlab> ";

/**
 * Reads entries and runs each as a cell or a command until the person leaves.
 *
 * The prompt appears, and accepts input, before the session is open and the rest is loaded.
 */
export async function prompt(
  opening: Opening,
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
