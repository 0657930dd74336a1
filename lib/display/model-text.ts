import type { StreamEvent, StreamItem } from "../exchange/mod.ts";
import { isRecord } from "../interpolation/mod.ts";

/** Joins the pieces of a text that a language model sends as events. */
export interface TextJoiner {
  /** The text so far; empty unless it has arrived in pieces, one after the other. */
  readonly text: string;
  push(item: StreamItem): void;
}

/** The characters that are kept. */
const LONGEST = 1_048_576;

/** Where an interface of a language model has the next piece of its text, and the number of the text. */
interface Shape {
  readonly text: readonly (string | number)[];
  readonly index?: readonly (string | number)[];
  /** The member that tells it from other data. */
  readonly mark?: readonly [name: string, value: (value: unknown) => boolean];
}

const SHAPES: readonly Shape[] = [
  // OpenAI's Chat Completions, also of Mistral, DeepSeek, vLLM, Ollama and others, and its Completions.
  { text: ["choices", 0, "delta", "content"], index: ["choices", 0, "index"] },
  { text: ["choices", 0, "text"], index: ["choices", 0, "index"] },
  // OpenAI's Responses; the data streams of the AI SDK.
  {
    text: ["delta"],
    index: ["output_index"],
    mark: ["type", (type) => typeof type === "string" && /text[-.]delta$/.test(type)],
  },
  // Anthropic's Messages; Cohere's Chat.
  { text: ["delta", "text"], index: ["index"] },
  { text: ["delta", "message", "content", "text"], index: ["index"] },
  // Google's Gemini.
  { text: ["candidates", 0, "content", "parts", 0, "text"], index: ["candidates", 0, "index"] },
  // The server of llama.cpp.
  { text: ["content"], mark: ["stop", (stop) => typeof stop === "boolean"] },
];

/** What the JSON of such an event contains. */
const LIKELY = /"(?:delta|text|content)"\s*:/;

/** Creates a joiner. */
export function createTextJoiner(): TextJoiner {
  let text = "";
  let pieces = 0;
  let last = 0;
  let isOne = true;
  return {
    get text() {
      return isOne && pieces > 1 ? text : "";
    },
    push(item) {
      const found = isOne ? pieceOf(item) : undefined;
      if (found === undefined) return;
      // The texts of several answers may arrive at the same time.
      if (found.index < last) isOne = false;
      const gap = found.index > last && pieces > 0 ? "\n\n" : "";
      if (text.length < LONGEST) text += gap + found.text;
      pieces += 1;
      last = found.index;
    },
  };
}

function pieceOf(item: StreamItem): { readonly text: string; readonly index: number } | undefined {
  if (item.kind !== "event" || !LIKELY.test(item.data)) return undefined;
  const data = jsonOf(item);
  for (const { text: path, index = [], mark } of SHAPES) {
    const text = at(data, path);
    if (typeof text !== "string" || text === "") continue;
    if (mark !== undefined && !mark[1](at(data, [mark[0]]))) continue;
    return { text, index: Number(at(data, index)) || 0 };
  }
  return undefined;
}

function jsonOf(event: StreamEvent): unknown {
  try {
    return event.json;
  } catch {
    // Its data are no JSON.
    return undefined;
  }
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((outer, step) => {
    if (typeof step === "number") return Array.isArray(outer) ? outer[step] : undefined;
    return isRecord(outer) && Object.hasOwn(outer, step) ? outer[step] : undefined;
  }, value);
}
