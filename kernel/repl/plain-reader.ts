import process from "node:process";
import type { Answer, LineEditor, LineEditorOptions, Terminal } from "./editor/mod.ts";

/** What a plain reader needs; for questions alone the terminal is enough. */
export type PlainReaderOptions = Pick<LineEditorOptions, "terminal"> &
  Partial<Pick<LineEditorOptions, "prompt" | "continuation" | "isComplete" | "mend">>;

/** What a person may do instead of writing a line. */
type Refusal = "end" | "cancel";

/**
 * Reads entries line by line where the cursor cannot be moved: on a terminal that calls itself dumb,
 * and where the output goes elsewhere. The terminal itself does what editing there is.
 */
export function createPlainReader(options: PlainReaderOptions): LineEditor {
  const { terminal, prompt = "", continuation = "" } = options;
  const { isComplete = () => true, mend = String } = options;
  const lines = readLines();
  let giveUp: (() => void) | undefined;

  return {
    read: async () => {
      let text = "";
      terminal.write(prompt);
      giveUp = () => {
        text = "";
        terminal.write(`\n${prompt}`);
      };
      try {
        for (;;) {
          const line = await lines.next();
          if (line === "end") return text === "" ? undefined : text;
          if (line === "cancel") continue;
          text = mend(text === "" ? line.text : `${text}\n${line.text}`);
          if (text.trim() === "" || (await isComplete(text))) return text;
          terminal.write(continuation);
        }
      } finally {
        giveUp = undefined;
      }
    },
    ask: async ({ label, isHidden }): Promise<Answer> => {
      terminal.write(label);
      giveUp = lines.cancel;
      try {
        const line = await (isHidden ? hidden(terminal, lines.next) : lines.next());
        if (line === "end") return { kind: "none" };
        return line === "cancel" ? { kind: "cancel" } : { kind: "answer", text: line.text };
      } finally {
        giveUp = undefined;
      }
    },
    cancel: () => giveUp?.(),
    printAbovePrompt: (text) => terminal.write(text),
  };
}

/** Reads a line that the terminal does not show: it is out of its own editing then. */
async function hidden(
  terminal: Terminal,
  read: (isRaw: boolean) => Promise<{ readonly text: string } | Refusal>,
): Promise<{ readonly text: string } | Refusal> {
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
  /** @param isRaw Whether keys come as they are pressed, those that act among them. */
  next(isRaw?: boolean): Promise<{ readonly text: string } | Refusal>;
  /** Ends the wait for a line. */
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

  function take(isRaw: boolean): { readonly text: string } | Refusal | undefined {
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
    return { text: isRaw ? erased(line) : line };
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
    cancel: () => {
      isCancelled = true;
      wake();
    },
  };
}

/** What is left of keys when those that erase have done so. */
function erased(keys: string): string {
  let text = "";
  for (const key of keys) {
    if (key === "\u007f" || key === "\b") text = [...text].slice(0, -1).join("");
    else if (key === "\u0015") text = "";
    else if (key >= " ") text += key;
  }
  return text;
}
