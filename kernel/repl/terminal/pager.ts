import { spawn } from "node:child_process";
import { Screens } from "./screens.ts";
import type { Terminal } from "./terminal.ts";

interface Pager {
  page(text: string): Promise<void>;
}

interface PagerOptions {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The options of `less` unless the user sets others: quit if one screen, keep colours, no clearing. */
const LESS = "FRX";

/** Creates a pager: `$PAGER` if it is set, else a simple one. An empty `$PAGER` or `cat` turns paging off. */
export function createPager({ terminal, environment }: PagerOptions): Pager {
  const { PAGER } = environment;
  return {
    page: async (text) => {
      const screens = new Screens(text, terminal);
      if (screens.fits || PAGER === "" || PAGER === "cat") return terminal.write(text);
      const isShown = PAGER !== undefined && (await runPager(PAGER, text, environment));
      if (!isShown) await screens.show();
    },
  };
}

/** @returns Whether the pager could be run. */
async function runPager(
  command: string,
  text: string,
  environment: PagerOptions["environment"],
): Promise<boolean> {
  const child = spawn(command, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...environment, LESS: environment["LESS"] ?? LESS },
  });
  // A pager that is left early closes its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  return await new Promise((resolve) => {
    child.on("error", () => resolve(false));
    // The statuses of a shell that cannot run the command.
    child.on("close", (status) => resolve(status !== 126 && status !== 127));
  });
}
