import process from "node:process";
import type { Answer, LineReader, LineReaderOptions, Terminal } from "./editor/mod.ts";
import type { Submission } from "./entry/mod.ts";

/** Questions need the terminal alone. */
type PlainReaderOptions = Pick<LineReaderOptions, "terminal"> &
  Partial<Pick<LineReaderOptions, "prompt" | "continuation" | "submit" | "continues">>;

/** A line, or Ctrl-D or Ctrl-C in its place. */
type Line = { readonly text: string } | "end" | "cancel";

/**
 * Creates a reader that leaves the editing of lines to the terminal: for a dumb terminal, or if the output is not a
 * terminal.
 */
export function createPlainReader(options: PlainReaderOptions): LineReader {
  const { terminal, prompt = "", continuation = "" } = options;
  const { submit = asWhole, continues = () => false } = options;
  const lines = readLines();
  let cancel: (() => void) | undefined;

  return {
    read: async (initial = "") => {
      let text = initial;
      let separator = "";
      terminal.write(prompt + initial.replaceAll("\n", `\n${continuation}`));
      cancel = () => {
        text = "";
        separator = "";
        terminal.write(`\n${prompt}`);
      };
      try {
        for (;;) {
          const line = await lines.next();
          if (line === "end") return text === "" ? undefined : await submit(text);
          if (line === "cancel") continue;
          const submission = await submit(text + separator + line.text);
          text = submission.text;
          separator = text === "" ? "" : "\n";
          const received = lines.received();
          const goesOn = received !== undefined && continues(text, received);
          if (submission.isComplete && !goesOn) return submission;
          terminal.write(continuation);
        }
      } finally {
        cancel = undefined;
      }
    },
    ask: async ({ label, isHidden }): Promise<Answer> => {
      terminal.write(label);
      cancel = lines.cancel;
      try {
        const line = await (isHidden ? readHidden(terminal, lines.next) : lines.next());
        if (line === "end") return { kind: "none" };
        return line === "cancel" ? { kind: "cancel" } : { kind: "answer", text: line.text };
      } finally {
        cancel = undefined;
      }
    },
    cancel: () => cancel?.(),
    printAbovePrompt: (text) => terminal.write(text),
  };
}

/** Any line is complete, and contains no entries. */
async function asWhole(text: string): Promise<Submission> {
  return { text, isComplete: true, entries: [] };
}

/** Reads a line in raw mode, in which the terminal does not show it. */
async function readHidden(
  terminal: Terminal,
  read: (isRaw: boolean) => Promise<Line>,
): Promise<Line> {
  const { stdin } = process;
  if (!stdin.isTTY) return await read(false);
  stdin.setRawMode(true);
  try {
    return await read(true);
  } finally {
    stdin.setRawMode(false);
    terminal.write("\n");
  }
}

interface Lines {
  /** @param isRaw Whether the terminal is in raw mode, so that control characters have to be handled. */
  next(isRaw?: boolean): Promise<Line>;
  /** The next line, if it has been received whole. */
  received(): string | undefined;
  /** Ends the pending `next` with `cancel`. */
  readonly cancel: () => void;
}

const INTERRUPT = "\u0003";
const END = "\u0004";
const LINES = /\r\n?|\n/;
const KEYS = new RegExp(`\\r\\n?|[\\n${INTERRUPT}${END}]`);

function readLines(): Lines {
  const { stdin } = process;
  let pending = "";
  let isEnded = false;
  let isCancelled = false;
  let wake = (): void => undefined;
  stdin.setEncoding("utf8");
  stdin.on("data", (chunk: string) => {
    pending += chunk;
    wake();
  });
  const end = (): void => {
    isEnded = true;
    wake();
  };
  stdin.on("end", end);
  stdin.on("error", end);

  function take(isRaw: boolean): Line | undefined {
    if (isCancelled) return "cancel";
    const found = (isRaw ? KEYS : LINES).exec(pending);
    if (found === null) {
      if (!isEnded) return undefined;
      const text = pending;
      pending = "";
      return text === "" ? "end" : { text };
    }
    const line = pending.slice(0, found.index);
    pending = pending.slice(found.index + found[0].length);
    if (found[0] === INTERRUPT) return "cancel";
    if (found[0] === END && line === "") return "end";
    return { text: isRaw ? applyErasures(line) : line };
  }

  return {
    next: async (isRaw = false) => {
      isCancelled = false;
      stdin.resume();
      for (;;) {
        const line = take(isRaw);
        if (line !== undefined) return line;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    received: () => {
      const end = LINES.exec(pending)?.index;
      return end === undefined ? undefined : pending.slice(0, end);
    },
    cancel: () => {
      isCancelled = true;
      wake();
    },
  };
}

/** The text that remains after Backspace and Ctrl-U. */
function applyErasures(keys: string): string {
  let text = "";
  for (const key of keys) {
    if (key === "\u007f" || key === "\b") text = [...text].slice(0, -1).join("");
    else if (key === "\u0015") text = "";
    else if (key >= " ") text += key;
  }
  return text;
}
