import { contentOf } from "../../../lib/exchange/mod.ts";
import type { Exchange } from "../../../lib/mod.ts";
import { isJsonType } from "../../../lib/request/mod.ts";

/** Whether a text is the body of an answer, or a string in its JSON. */
export function isTextOfAnswer(text: string, answers: readonly Exchange[]): boolean {
  return answers.some((exchange) => {
    const { length } = contentOf(exchange);
    if (length < text.length) return false;
    // No encoding takes more than four bytes for a character, after a byte order mark.
    const mayBeWhole = length <= text.length * 4 + 4;
    return (mayBeWhole && exchange.text === text) || holds(jsonOf(exchange), text);
  });
}

function jsonOf(exchange: Exchange): unknown {
  if (!isJsonType(exchange.mediaType)) return undefined;
  try {
    return exchange.json;
  } catch {
    // Not JSON: it has no strings.
    return undefined;
  }
}

function holds(data: unknown, text: string): boolean {
  const waiting = [data];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (item === text) return true;
    if (typeof item === "object" && item !== null) {
      for (const inner of Object.values(item)) waiting.push(inner);
    }
  }
  return false;
}
