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
      const isOpen =
        line.trim() !== "" && (await session.isComplete(pending)).status === "incomplete";
      if (isOpen) {
        lines.setPrompt(NEXT);
        lines.prompt();
        continue;
      }
      if (pending.trim() !== "") {
        // In raw mode Ctrl-C would be a character; while a cell runs it has to be a signal.
        lines.pause();
        if (stdinIsTerminal) process.stdin.setRawMode(false);
        yield pending;
        if (stdinIsTerminal) process.stdin.setRawMode(true);
        lines.resume();
      }
      restart();
    }
    if (pending.trim() !== "") yield pending;
  } finally {
    lines.close();
  }
}
