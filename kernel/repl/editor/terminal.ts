import process from "node:process";
import type { OutputStream } from "../../platform/mod.ts";

/** A terminal that is read key by key while it is held, and line by line by whoever else while not. */
export interface Terminal {
  /** Takes the keyboard: every key comes at once, Ctrl-C is a key, and a paste is marked as one. */
  hold(handlers: TerminalHandlers): void;
  /** Takes the keyboard before there is anybody to tell; the first holder is told of it all. */
  collect(): void;
  /** Gives the keyboard back: Ctrl-C is a signal again. */
  release(): void;
  write(text: string): void;
  columns(): number;
  rows(): number;
  /** Stops the process as Ctrl-Z does anywhere; resolves when it goes on. */
  suspend(): Promise<void>;
}

/** What is told to the holder of a terminal. */
export interface TerminalHandlers {
  readonly data: (chunk: string) => void;
  /** Nothing more will come: the terminal is gone. */
  readonly end: () => void;
  readonly resize: () => void;
  /** The process goes on after a stop: what was drawn is somewhere above. */
  readonly proceed?: () => void;
}

/**
 * What was typed while nobody held the keyboard comes within so many turns of the loop, each so many
 * milliseconds behind the other: on a machine that is busy the time alone may pass before it is read.
 */
const EARLY = { turns: 5, apart: 10 } as const;
/** A Ctrl-D that a terminal has kept from the time before, when it ended the input of a reader. */
const KEPT_END = /\0/g;

const PASTE_MARKS_ON = "\u001b[?2004h";
const PASTE_MARKS_OFF = "\u001b[?2004l";

/** The terminal of this process; its standard input has to be one. */
export function openTerminal(stdout: OutputStream): Terminal {
  const { stdin } = process;
  let held: TerminalHandlers | undefined;
  let isRaw = false;
  let isEnded = false;
  let collected = "";
  let early = 0;
  let turn: ReturnType<typeof setTimeout> | undefined;
  const onData = (data: string): void => {
    const chunk = early > 0 ? data.replace(KEPT_END, "\u0004") : data;
    if (held === undefined) collected += chunk;
    else held.data(chunk);
  };
  const onEnd = (): void => {
    isEnded = true;
    held?.end();
  };
  const onResize = (): void => held?.resize();
  const onContinue = (): void => {
    // A shell has had the terminal meanwhile, and runtimes believe that it is as they left it.
    stdin.setRawMode(false);
    stdin.setRawMode(true);
    stdout.write(PASTE_MARKS_ON);
    held?.proceed?.();
  };
  stdin.setEncoding("utf8");
  // A terminal that was closed gives an error to some runtimes and an end to others.
  stdin.on("error", onEnd);
  stdin.on("end", onEnd);

  function countTurns(left: number): void {
    early = left;
    clearTimeout(turn);
    if (left > 0) turn = setTimeout(() => countTurns(left - 1), EARLY.apart);
  }

  function take(): void {
    if (isRaw) return;
    isRaw = true;
    countTurns(EARLY.turns);
    stdin.setRawMode(true);
    stdin.on("data", onData);
    process.stdout.on("resize", onResize);
    process.on("SIGCONT", onContinue);
    stdin.resume();
    stdout.write(PASTE_MARKS_ON);
  }

  return {
    collect: take,
    hold: (handlers) => {
      held = handlers;
      take();
      const early = collected;
      collected = "";
      if (early !== "") handlers.data(early);
      if (isEnded) handlers.end();
    },
    release: () => {
      held = undefined;
      if (!isRaw) return;
      isRaw = false;
      countTurns(0);
      stdout.write(PASTE_MARKS_OFF);
      stdin.off("data", onData);
      process.stdout.off("resize", onResize);
      process.off("SIGCONT", onContinue);
      stdin.pause();
      stdin.setRawMode(false);
    },
    write: stdout.write,
    columns: () => Math.max(1, stdout.columns() || 80),
    rows: () => Math.max(2, process.stdout.rows || 24),
    suspend: async () => {
      // A signal that is waited for keeps no process running.
      const alive = setInterval(() => undefined, 60_000);
      const isBack = new Promise<void>((resolve) => process.once("SIGCONT", () => resolve()));
      // The whole group, as the terminal itself would: npx and tasks stand between us and the shell.
      process.kill(0, "SIGTSTP");
      await isBack;
      clearInterval(alive);
    },
  };
}
