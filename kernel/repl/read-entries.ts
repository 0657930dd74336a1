import process from "node:process";
import { createInterface } from "node:readline";
import type { Platform } from "../platform/mod.ts";
import type { Session } from "../session/mod.ts";

const FIRST = "restlab> ";
const NEXT = "     ... ";

/**
 * Reads entries of one or more lines. An entry goes on while the session finds it incomplete; an
 * empty line ends it all the same, so that nobody is caught in it.
 *
 * @returns The entries, until the input ends.
 */
export async function* readEntries(
  session: Pick<Session, "isComplete">,
  { stdout, stdinIsTerminal }: Platform,
): AsyncGenerator<string, void, undefined> {
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: stdinIsTerminal,
    prompt: FIRST,
  });
  let pending = "";
  const restart = (): void => {
    pending = "";
    lines.setPrompt(FIRST);
    lines.prompt();
  };
  lines.on("SIGINT", () => {
    stdout.write("\n");
    restart();
  });
  try {
    restart();
    for await (const line of lines) {
      pending = pending === "" ? line : `${pending}\n${line}`;
      const isOpen = line.trim() !== "" && (await session.isComplete(pending)).status === "incomplete";
      if (isOpen) {
        lines.setPrompt(NEXT);
        lines.prompt();
        continue;
      }
      if (pending.trim() !== "") {
        // The line editor is paused meanwhile: Ctrl-C then is a signal and reaches the session.
        lines.pause();
        yield pending;
        lines.resume();
      }
      restart();
    }
    if (pending.trim() !== "") yield pending;
  } finally {
    lines.close();
  }
}
