import { spawn } from "node:child_process";
import { textWidth } from "../../../lib/display/mod.ts";
import { createKeyDecoder } from "./key.ts";
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
      const rows = rowsOf(text, terminal.columns());
      if (rows < terminal.rows() || PAGER === "" || PAGER === "cat") return terminal.write(text);
      const isShown = PAGER !== undefined && (await runPager(PAGER, text, environment));
      if (!isShown) await showScreens(text, terminal);
    },
  };
}

const ESCAPE = "\u001b";
const COLORS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g");

function rowsOf(text: string, columns: number): number {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .reduce((rows, line) => rows + heightOf(line, columns), 0);
}

function heightOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(textWidth(line.replace(COLORS, "")) / columns));
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

async function showScreens(text: string, terminal: Terminal): Promise<void> {
  const lines = text.replace(/\n$/, "").split("\n");
  let shown = 0;
  const show = (rows: number): void => {
    let left = rows;
    while (shown < lines.length && left > 0) {
      const line = lines[shown] ?? "";
      left -= heightOf(line, terminal.columns());
      terminal.write(`${line}\r\n`);
      shown += 1;
    }
  };
  show(terminal.rows() - 1);
  while (shown < lines.length) {
    const more = `-- ${lines.length - shown} more lines: space, Enter for one, a for all, q to leave --`;
    terminal.write(more.slice(0, terminal.columns() - 1));
    const name = await readKey(terminal);
    terminal.write("\r\u001b[K");
    const step = STEPS[name];
    if (step === undefined) continue;
    const rows = step(terminal.rows() - 1);
    if (rows === 0) return;
    show(rows);
  }
}

const STEPS: Readonly<Record<string, (screen: number) => number>> = {
  " ": (screen) => screen,
  f: (screen) => screen,
  "page-down": (screen) => screen,
  enter: () => 1,
  down: () => 1,
  j: () => 1,
  a: () => Number.POSITIVE_INFINITY,
  end: () => Number.POSITIVE_INFINITY,
  q: () => 0,
  Q: () => 0,
  escape: () => 0,
  "ctrl-c": () => 0,
  "ctrl-d": () => 0,
};

async function readKey(terminal: Terminal): Promise<string> {
  const decoder = createKeyDecoder();
  try {
    return await new Promise((resolve) => {
      terminal.acquire({
        data: (chunk) => {
          const [key] = [...decoder.decode(chunk), ...decoder.flush()];
          if (key !== undefined) resolve(key.kind === "key" ? key.name : (key.text[0] ?? ""));
        },
        end: () => resolve("q"),
        resize: () => undefined,
      });
    });
  } finally {
    terminal.release();
  }
}
