import type { Platform } from "../platform/mod.ts";
import type { Session } from "../session/mod.ts";
import { createEditorPaint, openTerminal } from "./editor/mod.ts";
import type { Opening, PromptOptions } from "./prompt.ts";

const WELCOME = "Requests (GET {{base}}/users) or TypeScript; .help for commands, Ctrl-D leaves\n";
const PROMPT = "restlab> ";

/**
 * Reads entries and runs each as a cell or command until the person leaves.
 *
 * The prompt is there, and keeps what is typed, before anything else is loaded.
 *
 * @param opening The session, or a promise of it.
 */
export async function prompt(
  opening: Session | Opening,
  platform: Platform,
  options: PromptOptions,
): Promise<void> {
  const { stdout } = platform;
  const terminal = openTerminal(stdout);
  const isPlain = platform.environment["TERM"] === "dumb" || !stdout.isTerminal;
  stdout.write(WELCOME);
  if (!isPlain) {
    stdout.write(createEditorPaint(stdout.color).prompt(PROMPT));
    terminal.collect();
  }
  const opened = opening instanceof Promise ? opening : Promise.resolve({ session: opening });
  // It is awaited when the prompt is loaded; until then nobody may be there to hear of a failure.
  opened.catch(() => undefined);
  const { runPrompt } = await import("./prompt.ts");
  try {
    await runPrompt(opened, platform, { ...options, terminal, isPlain, prompt: PROMPT });
  } finally {
    terminal.release();
  }
}
