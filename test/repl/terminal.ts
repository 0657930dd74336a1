import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { RUNTIMES, type RuntimeName } from "../support/command.ts";
import { createScreen, type Screen } from "./screen.ts";

/** restlab in a pseudo-terminal of its own, and a person in front of it. */
export interface TerminalSession {
  readonly screen: Screen;
  type(text: string): void;
  /** Types as a terminal does that was asked to mark pastes. */
  paste(text: string): void;
  /** Resolves when the screen shows a text, or fails with what it shows instead. */
  shows(wanted: string | RegExp): Promise<void>;
  /** Resolves when a prompt waits behind all else, one that came after what was typed last. */
  prompts(): Promise<void>;
  /** Resolves when the program has drawn something after it. */
  resize(columns: number, rows: number): Promise<void>;
  kill(signal: string): void;
  /** Closes the terminal's other end, as a window that is closed does. */
  hangUp(): void;
  /** Whether the process that was started is still there. */
  isAlive(): boolean;
  /** Resolves with the exit status, or with the signal's number negated. */
  readonly ended: Promise<number>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What starts restlab, whose command line is put behind it; nothing for restlab itself. */
  readonly under?: readonly string[];
}

const PATIENCE = 90_000;
const STEP = 20;

/** Folders that tests have used; removed at the end. */
const folders: string[] = [];

/** An empty folder; {@link removeFolders} takes it away. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "restlab-repl-"));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

const running = new Set<IPty>();

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, STEP));

/** Ends whatever a failed test has left behind. */
export function endTerminals(): void {
  for (const terminal of running) terminal.kill("SIGKILL");
}

/** Starts restlab in a pseudo-terminal. */
export function openRestlab(
  runtime: RuntimeName,
  args: readonly string[],
  { columns = 100, rows = 40, env = {}, cwd = makeFolder(), under = [] }: TerminalOptions = {},
): TerminalSession {
  const [file = "", ...rest] = [...under, ...RUNTIMES[runtime], ...args];
  const terminal = spawn(file, rest, {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: cwd,
      // Deno and Bun keep compiled code there: without it each terminal would compile all code again.
      XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      PAGER: "cat",
      RESTLAB_HISTORY: join(cwd, "history"),
      ...env,
    },
  });
  running.add(terminal);
  const screen = createScreen(columns, rows);
  terminal.onData((data) => screen.write(data));
  const ended = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      running.delete(terminal);
      resolve(signal ? -signal : exitCode);
    });
  });

  let typedAt = 0;
  const type = (text: string): void => {
    typedAt = screen.raw().length;
    terminal.write(text);
  };

  async function until(isThere: () => boolean, wanted: string): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (!isThere()) {
      if (performance.now() > end) {
        throw new Error(`The terminal does not show ${wanted}, but:\n${screen.text()}`);
      }
      await moment();
    }
  }

  async function shows(wanted: string | RegExp): Promise<void> {
    const found = (text: string): boolean =>
      typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
    await until(() => found(screen.text()), String(wanted));
  }

  return {
    screen,
    ended,
    shows,
    prompts: async () => {
      // The prompt that a text was typed at is no answer to it.
      await until(() => screen.raw().length > typedAt, "anything after what was typed");
      await shows(/\nrestlab>$/);
      // The prompt is drawn a moment before the keyboard is taken.
      while (env["TERM"] !== "dumb" && !screen.marksPastes && running.has(terminal)) await moment();
    },
    type,
    paste: (text) => type(screen.marksPastes ? `\u001b[200~${text}\u001b[201~` : text),
    resize: (to, height) =>
      new Promise((resolve) => {
        const waiting = terminal.onData(() => {
          waiting.dispose();
          resolve();
        });
        screen.resize(to);
        terminal.resize(to, height);
      }),
    kill: (signal) => terminal.kill(signal),
    hangUp: () => (terminal as IPty & { destroy(): void }).destroy(),
    isAlive: () => {
      try {
        return process.kill(terminal.pid, 0);
      } catch {
        // There is no such process: that is the answer.
        return false;
      }
    },
  };
}
