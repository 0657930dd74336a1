import { createKeyDecoder, type Key } from "./key.ts";
import type { Terminal, TerminalHandlers } from "./terminal.ts";

/** The keys of a terminal in the order in which they were pressed, those of an earlier holder too. */
export interface Keyboard {
  /** Takes the keyboard. */
  hold(): void;
  /** The next key, where one was pressed. */
  next(): Key | undefined;
  /** Adds a key that came another way. */
  press(key: Key): void;
  /** Waits no longer for the rest of a sequence. */
  rest(): void;
}

/** What is told to whoever reads the keys. */
export interface KeyboardHandlers extends Omit<TerminalHandlers, "data"> {
  /** There may be keys. */
  readonly pressed: () => void;
}

/** An escape that no sequence follows within this time is a key, in milliseconds. */
const ESCAPE_PATIENCE = 50;

/** Creates the keyboard of a terminal. */
export function createKeyboard(
  terminal: Pick<Terminal, "hold">,
  { pressed, ...handlers }: KeyboardHandlers,
): Keyboard {
  const decoder = createKeyDecoder();
  const keys: Key[] = [];
  let escapeTimer: ReturnType<typeof setTimeout> | undefined;

  const data = (chunk: string): void => {
    clearTimeout(escapeTimer);
    for (const key of decoder.decode(chunk)) keys.push(key);
    if (decoder.isWaiting) {
      escapeTimer = setTimeout(() => {
        keys.push(...decoder.flush());
        pressed();
      }, ESCAPE_PATIENCE);
    }
    pressed();
  };

  return {
    hold: () => terminal.hold({ ...handlers, data }),
    next: () => keys.shift(),
    press: (key) => {
      keys.push(key);
      pressed();
    },
    rest: () => clearTimeout(escapeTimer),
  };
}
