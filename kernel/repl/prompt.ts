import type { Platform } from "../platform/mod.ts";
import { createSession, type Session } from "../session/mod.ts";
import { createTerminalPrinter } from "../terminal/mod.ts";
import { readEntries } from "./read-entries.ts";

/** `restlab`: a prompt with a session of its own. */
export async function replCommand(platform: Platform): Promise<number> {
  const session = await createSession({ platform });
  try {
    await prompt(session, platform);
    return 0;
  } finally {
    await session.close();
  }
}

/**
 * Reads entries and runs each as a cell until the input ends or `.quit`.
 *
 * Ctrl-C gives up the entry that is being typed, or ends the running one and keeps the session.
 */
export async function prompt(session: Session, platform: Platform): Promise<void> {
  const { stdout, stderr } = platform;
  const out = createTerminalPrinter(stdout);
  const errors = createTerminalPrinter(stderr);
  stdout.write("A request such as GET {{base}}/users, or TypeScript; Ctrl-D leaves.\n");
  for await (const entry of readEntries(session, platform)) {
    if (entry.trim() === ".quit") return;
    const release = platform.onInterrupt(() => session.interrupt());
    try {
      const outcome = await session.execute(entry, {
        stream: (name, text) => (name === "stdout" ? stdout : stderr).write(out.visible(text)),
        display: (shown) => out.value(shown.value),
      });
      if (outcome.status === "ok" && outcome.result !== undefined) out.value(outcome.result.value);
      if (outcome.status === "error") errors.error(outcome.error);
    } finally {
      release();
    }
  }
}
