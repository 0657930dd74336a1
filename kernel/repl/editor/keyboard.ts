import type { Terminal, TerminalHandlers } from "./terminal.ts";

/** A queue of the keys of a terminal. Keys that one reader leaves are read by the next. */
export interface Keyboard {
  acquire(): void;
  next(): Key | undefined;
  /** The line that the next keys type; `undefined` if they do not end it. */
  receivedLine(): string | undefined;
  /**
   * Waits for the keys that were typed while this thread was busy.
   *
   * @returns Whether Ctrl-C is among them; it and the keys before it are dropped.
   */
  wasCancelled(): Promise<boolean>;
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
    wasCancelled: async () => {
      // The input is read between a timer and an immediate.
      await new Promise((resolve) => setTimeout(() => setImmediate(resolve)));
      const end = keys.findLastIndex((key) => key.kind === "key" && key.name === "ctrl-c");
      keys.splice(0, end + 1);
      return end >= 0;
    },
    press: (key) => {
      keys.push(key);
      pressed();
    },
    stopWaiting: () => clearTimeout(escapeTimer),
  };
}

/** A key, or text that was typed or pasted. */
export type Key =
  | { readonly kind: "text"; readonly text: string }
  /** Pasted text, which may have several lines. */
  | { readonly kind: "paste"; readonly text: string }
  /** A key by its name, for example `ctrl-a`, `alt-left`, `enter`. */
  | { readonly kind: "key"; readonly name: string };

/** Decodes what a terminal sends. A sequence may be split between chunks. */
interface KeyDecoder {
  decode(chunk: string): readonly Key[];
  /** Whether the input ends with an escape, which may be the Escape key or begin a sequence. */
  readonly isWaiting: boolean;
  /** Decodes the rest of the input as Escape and what follows it. */
  flush(): readonly Key[];
}

const ESCAPE = "\u001b";
const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** Longer input is not a sequence. */
const MAX_SEQUENCE_LENGTH = 64;

const CONTROL_SEQUENCE = new RegExp(`^${ESCAPE}\\[([\\d;:<=>?]*)[ -/]*([@-~])`);
const UNFINISHED = new RegExp(`^${ESCAPE}\\[[\\d;:<=>?]*[ -/]*$`);
const REPLY_END = new RegExp(`\u0007|${ESCAPE}\\\\`);

/** Creates a decoder for a terminal in raw mode; https://invisible-island.net/xterm/ctlseqs/ctlseqs.html */
export function createKeyDecoder(): KeyDecoder {
  let rest = "";
  let pasted: string[] | undefined;

  function decode(chunk: string): readonly Key[] {
    const keys: Key[] = [];
    let text = rest + chunk;
    rest = "";
    while (text !== "") {
      if (pasted !== undefined) text = readPaste(text, pasted, keys);
      else if (text.startsWith(ESCAPE)) text = readSequence(text, keys);
      else text = readPlain(text, keys);
    }
    return keys;
  }

  function readPaste(text: string, parts: string[], keys: Key[]): string {
    const end = text.indexOf(PASTE_END);
    if (end !== -1) {
      keys.push({ kind: "paste", text: parts.join("") + text.slice(0, end) });
      pasted = undefined;
      return text.slice(end + PASTE_END.length);
    }
    // The chunk may end inside the end marker.
    const kept = Math.max(0, text.length - PASTE_END.length);
    parts.push(text.slice(0, kept));
    rest = text.slice(kept);
    return "";
  }

  function readSequence(text: string, keys: Key[]): string {
    if (text.startsWith(PASTE_START)) {
      pasted = [];
      return text.slice(PASTE_START.length);
    }
    const found = sequenceAt(text);
    if (found === undefined) {
      if (text.length > MAX_SEQUENCE_LENGTH) return text.slice(1);
      rest = text;
      return "";
    }
    if (found.name !== "") keys.push({ kind: "key", name: found.name });
    return text.slice(found.length);
  }

  return {
    decode,
    get isWaiting() {
      return rest !== "" && pasted === undefined;
    },
    flush: () => {
      if (rest === "" || pasted !== undefined) return [];
      const text = rest.slice(1);
      rest = "";
      return [{ kind: "key", name: "escape" }, ...decode(text)];
    },
  };
}

/** Reads a key that begins with an escape; the name of an unknown key is empty. */
function sequenceAt(text: string): { readonly name: string; readonly length: number } | undefined {
  const next = text[1];
  if (next === undefined) return undefined;
  if (next === "[") {
    const found = CONTROL_SEQUENCE.exec(text);
    if (found === null) return isUnfinished(text) ? undefined : { name: "", length: 2 };
    return { name: controlName(found[1] ?? "", found[2] ?? ""), length: found[0].length };
  }
  if (next === "O") {
    const letter = text[2];
    if (letter === undefined) return undefined;
    return { name: LETTERS[letter] ?? "", length: /[A-Za-z]/.test(letter) ? 3 : 2 };
  }
  if (next === "]" || next === "P" || next === "_") return replyAt(text);
  if (next === ESCAPE) return { name: "escape", length: 1 };
  const point = String.fromCodePoint(text.codePointAt(1) ?? 0);
  const name = CONTROLS[next] ?? controlLetter(next) ?? point.toLowerCase();
  return { name: `alt-${name}`, length: 1 + point.length };
}

/** Skips a reply of the terminal to a query of another program. */
function replyAt(text: string): { readonly name: string; readonly length: number } | undefined {
  const end = REPLY_END.exec(text);
  if (end === null) return text.length > MAX_SEQUENCE_LENGTH ? { name: "", length: 2 } : undefined;
  return { name: "", length: end.index + end[0].length };
}

function isUnfinished(text: string): boolean {
  return UNFINISHED.test(text) && text.length <= MAX_SEQUENCE_LENGTH;
}

const LETTERS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
  Z: "shift-tab",
};

const NUMBERS: Readonly<Record<string, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
};

/** The codes of `CSI code u` and of xterm's modifyOtherKeys. */
const CODES: Readonly<Record<string, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
};

function controlName(parameters: string, final: string): string {
  const [first = "", second = "", third = ""] = parameters.split(";");
  if (final === "~" && first === "27") return withModifier(second, codeName(third));
  if (final === "~") return withModifier(second, NUMBERS[first] ?? "");
  if (final === "u") return withModifier(second, codeName(first));
  if (final === "Z") return "shift-tab";
  return withModifier(second, LETTERS[final] ?? "");
}

function codeName(code: string): string {
  const point = Number(code);
  return CODES[code] ?? (point > 31 && point < 127 ? String.fromCharCode(point) : "");
}

function withModifier(modifier: string, name: string): string {
  if (name === "") return "";
  const bits = Math.max(0, (Number.parseInt(modifier, 10) || 1) - 1);
  const ctrl = bits & 4 ? "ctrl-" : "";
  const alt = bits & 2 ? "alt-" : "";
  const shift = bits & 1 ? "shift-" : "";
  return `${ctrl}${alt}${shift}${name}`;
}

const CONTROLS: Readonly<Record<string, string>> = {
  "\r": "enter",
  // Outside raw mode a terminal sends Enter as a line feed.
  "\n": "enter",
  "\t": "tab",
  "\u0008": "backspace",
  "\u007f": "backspace",
  "\u001f": "ctrl-_",
};

function controlLetter(character: string): string | undefined {
  const code = character.charCodeAt(0);
  return code < 27 ? `ctrl-${String.fromCharCode(code + 96)}` : undefined;
}

function readPlain(text: string, keys: Key[]): string {
  const run = /^\P{Cc}+/u.exec(text)?.[0];
  if (run !== undefined) {
    keys.push({ kind: "text", text: run });
    return text.slice(run.length);
  }
  const character = text[0] ?? "";
  const name = CONTROLS[character] ?? controlLetter(character);
  if (name !== undefined) keys.push({ kind: "key", name });
  return text.slice(1);
}
