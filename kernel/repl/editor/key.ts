/** What a person did at the keyboard. */
export type Key =
  /** Characters to be inserted. */
  | { readonly kind: "text"; readonly text: string }
  /** What was pasted, as one piece whatever its lines are. */
  | { readonly kind: "paste"; readonly text: string }
  /** A key by its name, for example `ctrl-a`, `alt-left`, `enter`. */
  | { readonly kind: "key"; readonly name: string };

/** Turns what a terminal sends into keys. Sequences may come in pieces. */
export interface KeyDecoder {
  decode(chunk: string): readonly Key[];
  /** Whether the last character was an escape that may be a key of its own. */
  readonly isWaiting: boolean;
  /** Takes what is waited for as it stands: nothing more has come. */
  flush(): readonly Key[];
}

const ESCAPE = "\u001b";
const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** A sequence that never ends is no sequence. */
const LONGEST_SEQUENCE = 64;

const CONTROL_SEQUENCE = new RegExp(`^${ESCAPE}\\[([\\d;:<=>?]*)[ -/]*([@-~])`);
const UNFINISHED = new RegExp(`^${ESCAPE}\\[[\\d;:<=>?]*[ -/]*$`);
const ANSWER_END = new RegExp(`\u0007|${ESCAPE}\\\\`);

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
    // The end may have come in part.
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
      if (text.length > LONGEST_SEQUENCE) return text.slice(1);
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

/** A key that begins with an escape; its name is empty where it means nothing here. */
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
  if (next === "]" || next === "P" || next === "_") return answerAt(text);
  if (next === ESCAPE) return { name: "escape", length: 1 };
  const point = String.fromCodePoint(text.codePointAt(1) ?? 0);
  const name = CONTROLS[next] ?? controlLetter(next) ?? point.toLowerCase();
  return { name: `alt-${name}`, length: 1 + point.length };
}

/** Answers of a terminal to questions that somebody else has asked: read to their end, and over. */
function answerAt(text: string): { readonly name: string; readonly length: number } | undefined {
  const end = ANSWER_END.exec(text);
  if (end === null) return text.length > LONGEST_SEQUENCE ? { name: "", length: 2 } : undefined;
  return { name: "", length: end.index + end[0].length };
}

function isUnfinished(text: string): boolean {
  return UNFINISHED.test(text) && text.length <= LONGEST_SEQUENCE;
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

/** Codes of `CSI code u` and of xterm's modifyOtherKeys. */
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
  // What was typed while the terminal was not in raw mode has line feeds for its Enter.
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
