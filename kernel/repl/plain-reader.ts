import process from "node:process";
import { createInterface } from "node:readline";
import type { LineEditor, LineEditorOptions } from "./editor/line-editor.ts";

/**
 * Reads entries line by line where the cursor cannot be moved: on a terminal that calls itself dumb,
 * and where the output goes elsewhere. The terminal itself does what editing there is.
 */
export function createPlainReader(options: LineEditorOptions): LineEditor {
  const { terminal } = options;
  const input = createInterface({ input: process.stdin, terminal: false });
  const lines: string[] = [];
  let isEnded = false;
  let wake = (): void => undefined;
  let giveUp: (() => void) | undefined;
  input.on("line", (line) => {
    lines.push(line);
    wake();
  });
  input.on("close", () => {
    isEnded = true;
    wake();
  });
  process.on("SIGINT", () => giveUp?.());

  async function nextLine(): Promise<string | undefined> {
    while (lines.length === 0 && !isEnded) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return lines.shift();
  }

  return {
    read: async () => {
      let text = "";
      terminal.write(options.prompt);
      giveUp = () => {
        text = "";
        terminal.write(`\n${options.prompt}`);
      };
      try {
        for (;;) {
          const line = await nextLine();
          if (line === undefined) return text === "" ? undefined : text;
          text = text === "" ? line : `${text}\n${line}`;
          if (text.trim() === "" || (await options.isComplete(text))) return text;
          terminal.write(options.continuation);
        }
      } finally {
        giveUp = undefined;
      }
    },
    interject: (text) => terminal.write(text),
  };
}
