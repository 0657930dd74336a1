/** The value of `--var NAME=VALUE`: JSON where it is JSON, else text as it is. */
export function parseVariableValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // Not JSON is not a mistake here: `--var name=Ada` means the text.
  }
}
