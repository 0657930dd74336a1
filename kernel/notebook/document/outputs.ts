import type { MimeBundle } from "../../../lib/mod.ts";
import type { CellError, Shown } from "../../session/mod.ts";

/** A cell's outputs as nbformat 4.5 stores them. */
export type Output =
  | { output_type: "stream"; name: "stdout" | "stderr"; text: string }
  | { output_type: "display_data"; data: MimeBundle; metadata: object }
  | { output_type: "execute_result"; data: MimeBundle; metadata: object; execution_count: number }
  | { output_type: "error"; ename: string; evalue: string; traceback: readonly string[] };

/** Gathers the outputs of one cell in the order in which they came. */
export interface OutputList {
  readonly outputs: readonly Output[];
  readonly stream: (name: "stdout" | "stderr", text: string) => void;
  readonly display: (shown: Shown) => void;
  readonly result: (shown: Shown, count: number) => void;
  readonly error: (error: CellError) => void;
}

// What a program prints is kept as far as a person would read it, and so is a message; with what is
// shown a saved cell stays below 256 kB, three bytes a character.
const MOST_PRINTED = 50_000;
const LAST_PRINTED = 10_000;
const LONGEST_MESSAGE = 10_000;

/**
 * Creates an empty list. Pieces of one stream that follow each other become one output. Of a cell that
 * prints without end the beginning and the end are kept.
 */
export function createOutputList(): OutputList {
  const outputs: Output[] = [];
  let room = MOST_PRINTED;
  const rest = { text: "", length: 0, output: { output_type: "stream", name: "stdout", text: "" } };

  function put(name: "stdout" | "stderr", text: string): void {
    const last = outputs.at(-1);
    if (last?.output_type === "stream" && last.name === name) last.text += text;
    else outputs.push({ output_type: "stream", name, text });
  }

  /** The end of what is printed, and how much stands before it. */
  function putLast(text: string): void {
    if (rest.length === 0) outputs.push(rest.output as Output);
    rest.length += text.length;
    rest.text = (rest.text + text).slice(-LAST_PRINTED);
    const left = rest.length - rest.text.length;
    const note = `\n… ${left} characters printed here were dropped …\n`;
    rest.output.text = `${left === 0 ? "" : note}${rest.text.replace(/^[\udc00-\udfff]/, "")}`;
  }

  return {
    outputs,
    stream: (name, text) => {
      const end = /[\ud800-\udbff]$/.test(text.slice(0, room)) ? room - 1 : room;
      const [head, tail] = [text.slice(0, end), text.slice(end)];
      room -= head.length;
      if (head !== "") put(name, head);
      if (tail === "") return;
      room = 0;
      putLast(tail);
    },
    display: (shown) => {
      const { metadata } = shown;
      outputs.push({ output_type: "display_data", data: shown.bundle(), metadata });
    },
    result: (shown, count) => {
      const { metadata } = shown;
      const data = shown.bundle();
      outputs.push({ output_type: "execute_result", data, metadata, execution_count: count });
    },
    error: ({ name, message, traceback }) => {
      outputs.push({
        output_type: "error",
        ename: name,
        evalue: shorten(message),
        traceback: traceback.map(shorten),
      });
    },
  };
}

function shorten(text: string): string {
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
}
