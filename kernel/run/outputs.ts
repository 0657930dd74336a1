import { shorten } from "../../lib/interpolation/mod.ts";
import type { MimeBundle, VerifyRule } from "../../lib/mod.ts";
import type { CellError, Shown } from "../session/cell/mod.ts";
import { outputMetadata } from "../session/mod.ts";

/** An output of a cell, as in nbformat 4.5. */
export type Output =
  | { output_type: "stream"; name: "stdout" | "stderr"; text: string }
  | { output_type: "display_data"; data: MimeBundle; metadata: object }
  | { output_type: "execute_result"; data: MimeBundle; metadata: object; execution_count: number }
  | { output_type: "error"; ename: string; evalue: string; traceback: readonly string[] };

/** Collects the outputs of a cell in order. */
interface OutputList {
  readonly outputs: readonly Output[];
  readonly stream: (name: "stdout" | "stderr", text: string) => void;
  readonly display: (shown: Shown) => void;
  readonly result: (shown: Shown, count: number) => void;
  readonly error: (error: CellError) => void;
}

// As much as a person would read: with its display data, a saved cell stays below 256 kB.
const MAX_PRINTED = 50_000;
const MAX_TAIL = 10_000;
const MAX_MESSAGE = 10_000;
/** Characters of the metadata of all outputs. */
const MAX_METADATA = 16_000;

interface OutputListOptions {
  /** Whether the outputs have no times and dates. */
  readonly stable?: boolean;
  /** What `restlab verify` compares of the responses of the cell. */
  readonly rule?: VerifyRule | undefined;
}

/**
 * Creates an empty list. Consecutive text of one stream becomes one output. Of long printed text the
 * beginning and the end are kept.
 */
export function createOutputList({ stable = false, rule }: OutputListOptions = {}): OutputList {
  const outputs: Output[] = [];
  let metadataRoom = MAX_METADATA;
  let room = MAX_PRINTED;
  const rest = { text: "", length: 0, output: { output_type: "stream", name: "stdout", text: "" } };

  function append(name: "stdout" | "stderr", text: string): void {
    const last = outputs.at(-1);
    if (last?.output_type === "stream" && last.name === name) last.text += text;
    else outputs.push({ output_type: "stream", name, text });
  }

  /** Keeps the end of the printed text and counts what was dropped before it. */
  function appendTail(text: string): void {
    if (rest.length === 0) outputs.push(rest.output as Output);
    rest.length += text.length;
    rest.text = (rest.text + text).slice(-MAX_TAIL);
    const left = rest.length - rest.text.length;
    const note = `\n… ${left} characters printed here were dropped …\n`;
    rest.output.text = `${left === 0 ? "" : note}${rest.text.replace(/^[\udc00-\udfff]/, "")}`;
  }

  function metadataOf(shown: Shown): object {
    const full = rule === undefined ? shown.metadata : outputMetadata(shown.value, rule);
    const isTooLong = savedLength(full) > metadataRoom;
    const metadata = isTooLong ? outputMetadata(shown.value, rule, { limit: 0 }) : full;
    metadataRoom -= savedLength(metadata);
    return metadata;
  }

  return {
    outputs,
    stream: (name, text) => {
      const end = /[\ud800-\udbff]$/.test(text.slice(0, room)) ? room - 1 : room;
      const [head, tail] = [text.slice(0, end), text.slice(end)];
      room -= head.length;
      if (head !== "") append(name, head);
      if (tail === "") return;
      room = 0;
      appendTail(tail);
    },
    display: (shown) => {
      const [data, metadata] = [shown.bundle({ stable }), metadataOf(shown)];
      outputs.push({ output_type: "display_data", data, metadata });
    },
    result: (shown, count) => {
      const [data, metadata] = [shown.bundle({ stable }), metadataOf(shown)];
      outputs.push({ output_type: "execute_result", data, metadata, execution_count: count });
    },
    error: ({ name, message, traceback }) => {
      outputs.push({
        output_type: "error",
        ename: name,
        evalue: shorten(message, MAX_MESSAGE),
        traceback: traceback.map((line) => shorten(line, MAX_MESSAGE)),
      });
    },
  };
}

/** The length in a notebook, which is indented. */
function savedLength(metadata: object): number {
  return JSON.stringify(metadata, undefined, 1).length;
}

/** The result of running a code cell. */
export interface CellRun {
  readonly count: number | null;
  readonly outputs: readonly Output[];
}
