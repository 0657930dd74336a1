import { parseWrittenJson } from "../../../lib/exchange/mod.ts";
import type { Value } from "../../../lib/mod.ts";

/** Parses the value of `--var NAME=VALUE` as in a variable line: JSON, or else text. */
export function parseVariableValue(text: string): Value {
  try {
    return parseWrittenJson(text);
  } catch {
    // It is text, as in `--var name=Ada`.
    return text;
  }
}
