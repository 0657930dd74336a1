import { createKeyDecoder, type Key } from "./key.ts";
import type { Terminal, TerminalHandlers } from "./terminal.ts";

/** A queue of the keys of a terminal. Keys that one reader leaves are read by the next. */
export interface Keyboard {
  acquire(): void;
  next(): Key | undefined;
  /** The line that the next keys type; `undefined` if they do not end it. */
  receivedLine(): string | undefined;
  /** Adds a key that did not come from the terminal. */
  press(key: Key): void;
  /** Stops waiting for the rest of an escape sequence. */
  stopWaiting(): void;
}

interface KeyboardHandlers extends Omit<TerminalHandlers, "data"> {
  readonly pressed: () => void;
}

/** An escape that no sequence follows within this time is the Escape key, in milliseconds. */
const ESCAPE_TIMEOUT = 50;

export function createKeyboard(
  terminal: Pick<Terminal, "acquire">,
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
      }, ESCAPE_TIMEOUT);
    }
    pressed();
  };

  return {
    acquire: () => terminal.acquire({ ...handlers, data }),
    next: () => keys.shift(),
    receivedLine: () => {
      const end = keys.findIndex(({ kind }) => kind !== "text");
      const key = keys[end];
      if (key?.kind !== "key" || key.name !== "enter") return undefined;
      return keys
        .slice(0, end)
        .reduce((line, it) => line + (it.kind === "text" ? it.text : ""), "");
    },
    press: (key) => {
      keys.push(key);
      pressed();
    },
    stopWaiting: () => clearTimeout(escapeTimer),
  };
}
