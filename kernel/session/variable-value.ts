import { parseWrittenJson } from "../../lib/exchange/mod.ts";
import type { Value } from "../../lib/mod.ts";

/** The value of `--var NAME=VALUE`, as of a variable line: JSON where it is JSON, else the text. */
export function parseVariableValue(text: string): Value {
  try {
    return parseWrittenJson(text);
  } catch {
    return text; // `--var name=Ada` means the text.
  }
}
