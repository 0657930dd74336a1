import { type BrokenPlaceholder, expected } from "./broken-placeholder.ts";
import { JsonPathFault, parseJsonPath } from "./json-path.ts";
import { JSON_PATH } from "./path-hints.ts";

/** Finds the end of the JSONPath that begins at a `$`: the closing braces of its placeholder. */
export function readQuery(
  text: string,
  dollar: number,
): { readonly end: number } | BrokenPlaceholder {
  try {
    const { end } = parseJsonPath(text, dollar);
    if (text.startsWith("}}", end)) return { end };
    return expected(text, end, '".", "[" or "}}"', JSON_PATH);
  } catch (fault) {
    if (!(fault instanceof JsonPathFault)) throw fault;
    return expected(text, fault.at, fault.expected, JSON_PATH);
  }
}
