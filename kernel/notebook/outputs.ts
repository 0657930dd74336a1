import type { MimeBundle } from "../../lib/mod.ts";
import type { CellError, Shown } from "../session/mod.ts";

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

/** Creates an empty list. Pieces of one stream that follow each other become one output. */
export function createOutputList(): OutputList {
  const outputs: Output[] = [];
  return {
    outputs,
    stream: (name, text) => {
      const last = outputs.at(-1);
      if (last?.output_type === "stream" && last.name === name) last.text += text;
      else outputs.push({ output_type: "stream", name, text });
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
      outputs.push({ output_type: "error", ename: name, evalue: message, traceback });
    },
  };
}
