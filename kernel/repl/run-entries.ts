import { isKeepable, type Session } from "../session/mod.ts";
import { createTerminalPrinter } from "../terminal/mod.ts";
import { runCommandLine } from "./commands.ts";
import {
  commandOfBareWord,
  explainLateHeader,
  type Input,
  nameToExplain,
  type Submission,
} from "./entry/mod.ts";
import { explain } from "./help.ts";
import type { History } from "./history.ts";
import { CommandError, type Shell } from "./shell.ts";

const HEADERS_ADVICE =
  "press Alt-Enter (or Ctrl-O) after the request line to write headers below it";

/** Runs the entries of a text that was typed or pasted; stops at the first that fails. */
export async function runEntries(
  { text, entries }: Submission,
  shell: Shell,
  history: History,
): Promise<void> {
  const { client, platform } = shell;
  const { secrets } = client;
  secrets.learn({ kind: "source", text }, "person");
  history.add(text.trimEnd(), !isKeepable(text, secrets));
  const errors = createTerminalPrinter(platform.stderr, { secrets });
  for (const [index, entry] of entries.entries()) {
    if (await runEntry(entry.input, shell, errors)) continue;
    if (entries.length === 1) break;
    const left = entries.length - index - 1;
    const rest = left === 0 ? "" : `; ${left} after it ${left === 1 ? "was" : "were"} not run`;
    errors.line(`Entry ${index + 1} of ${entries.length} (line ${entry.line}) failed${rest}`);
    break;
  }
  reviewHistory(history, client);
}

/** Runs an entry; returns whether it succeeded. */
async function runEntry(
  input: Input,
  shell: Shell,
  errors: Pick<ReturnType<typeof createTerminalPrinter>, "line" | "value">,
): Promise<boolean> {
  const text = input.source;
  try {
    const command = commandOfBareWord(text);
    const asked = nameToExplain(text);
    if (command !== undefined && !shell.declares(text)) await runCommandLine(command, shell);
    else if (asked !== undefined) await explainName(asked, shell);
    else if (input.kind === "command") await runCommandLine(text, shell);
    else {
      const late = explainLateHeader(text, shell.lastCell(), HEADERS_ADVICE);
      if (late !== undefined) throw new CommandError(late);
      return await shell.run(input);
    }
    return true;
  } catch (error) {
    if (error instanceof CommandError) errors.line(error.message);
    else errors.value(error instanceof Error ? error : new Error(String(error)));
    return false;
  }
}

async function explainName(name: string, shell: Shell): Promise<void> {
  const about = await explain(name, shell);
  if (about === undefined) throw new CommandError(`There is no "${name}" to explain`);
  await shell.pageText(about);
}

/** A part of an earlier entry may have become a secret. */
export function reviewHistory(history: History, { secrets }: Session["client"]): void {
  history.review((text) => isKeepable(text, secrets), secrets.revision);
}
