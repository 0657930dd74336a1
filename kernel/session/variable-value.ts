/** Parses the value of `--var NAME=VALUE`: JSON, or else text. */
export function parseVariableValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is text, as in `--var name=Ada`.
    return text;
  }
}
