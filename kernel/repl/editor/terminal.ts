import { spawnSync } from "node:child_process";
import process from "node:process";
import type { OutputStream } from "../../platform/mod.ts";

/** The terminal of the process. Whoever acquires it reads key by key, everyone else line by line. */
export interface Terminal {
  /** Starts raw mode: keys arrive as they are pressed, Ctrl-C is a key, pastes are bracketed. */
  acquire(handlers: TerminalHandlers): void;
  /** Starts raw mode and keeps the input for the first `acquire`. */
  bufferInput(): void;
  /** Ends raw mode: Ctrl-C is a signal again. */
  release(): void;
  /** Hides or shows what is typed outside of raw mode. */
  setEcho(isOn: boolean): void;
  write(text: string): void;
  columns(): number;
  rows(): number;
  /** Stops the process as Ctrl-Z does; resolves when it continues. */
  suspend(): Promise<void>;
}

export interface TerminalHandlers {
  readonly data: (chunk: string) => void;
  readonly end: () => void;
  readonly resize: () => void;
  /** The process continues after a stop; what was drawn has scrolled away. */
  readonly resume?: () => void;
}

const BRACKETED_PASTE_ON = "\u001b[?2004h";
const BRACKETED_PASTE_OFF = "\u001b[?2004l";

/** Opens the terminal of this process; standard input has to be one. */
export function openTerminal(stdout: OutputStream): Terminal {
  const { stdin } = process;
  let handlers: TerminalHandlers | undefined;
  let isEnded = false;
  let buffered = "";
  const rawMode = createRawMode(stdout, {
    data: (chunk) => {
      if (handlers === undefined) buffered += chunk;
      else handlers.data(chunk);
    },
    resize: () => handlers?.resize(),
    resume: () => handlers?.resume?.(),
  });
  const onEnd = (): void => {
    isEnded = true;
    handlers?.end();
  };
  stdin.setEncoding("utf8");
  // A terminal that is closed causes an error on some runtimes and an end on others.
  stdin.on("error", onEnd);
  stdin.on("end", onEnd);
  return {
    bufferInput: rawMode.start,
    acquire: (owner) => {
      handlers = owner;
      rawMode.start();
      const data = buffered;
      buffered = "";
      if (data !== "") owner.data(data);
      if (isEnded) owner.end();
    },
    release: () => {
      handlers = undefined;
      rawMode.end();
    },
    setEcho,
    write: stdout.write,
    columns: () => Math.max(1, stdout.columns() || 80),
    rows: () => Math.max(2, process.stdout.rows || 24),
    suspend,
  };
}

/** Shows or hides what is typed while the terminal is not in raw mode. */
export function setEcho(isOn: boolean): void {
  // At once: in raw mode it would restore what it read before. Without `stty`, as on Windows, keys stay visible.
  spawnSync("stty", [isOn ? "echo" : "-echo"], { stdio: ["inherit", "ignore", "ignore"] });
}

function createRawMode(
  stdout: OutputStream,
  { data, resize, resume }: Required<Omit<TerminalHandlers, "end">>,
): { readonly start: () => void; readonly end: () => void } {
  const { stdin } = process;
  const early = createEarlyInput();
  let isRaw = false;
  const onData = (chunk: string): void => data(early.decode(chunk));
  const onContinue = (): void => {
    // The shell has changed the mode since, and a runtime ignores a mode that it believes is set.
    stdin.setRawMode(false);
    stdin.setRawMode(true);
    stdout.write(BRACKETED_PASTE_ON);
    resume();
  };
  return {
    start: () => {
      if (isRaw) return;
      isRaw = true;
      early.begin();
      stdin.setRawMode(true);
      stdin.on("data", onData);
      process.stdout.on("resize", resize);
      process.on("SIGCONT", onContinue);
      stdin.resume();
      stdout.write(BRACKETED_PASTE_ON);
    },
    end: () => {
      if (!isRaw) return;
      isRaw = false;
      early.end();
      stdout.write(BRACKETED_PASTE_OFF);
      stdin.off("data", onData);
      process.stdout.off("resize", resize);
      process.off("SIGCONT", onContinue);
      stdin.pause();
      stdin.setRawMode(false);
    },
  };
}

/**
 * What was typed before raw mode arrives within this many turns of the event loop, this many
 * milliseconds apart. On a busy machine the time alone could pass before the input is read.
 */
const EARLY = { turns: 5, interval: 10 } as const;

interface EarlyInput {
  begin(): void;
  end(): void;
  decode(data: string): string;
}

/** Reads a NUL as Ctrl-D in early input: a terminal keeps a Ctrl-D as one until it is in raw mode. */
function createEarlyInput(): EarlyInput {
  let turns = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function count(left: number): void {
    turns = left;
    clearTimeout(timer);
    if (left > 0) timer = setTimeout(() => count(left - 1), EARLY.interval);
  }
  return {
    begin: () => count(EARLY.turns),
    end: () => count(0),
    decode: (data) => (turns > 0 ? data.replace(/\0/g, "\u0004") : data),
  };
}

async function suspend(): Promise<void> {
  // A listener for a signal does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  const continued = new Promise<void>((resolve) => process.once("SIGCONT", () => resolve()));
  // The whole process group, as a terminal does: npx may be between this process and the shell.
  process.kill(0, "SIGTSTP");
  await continued;
  clearInterval(alive);
}
