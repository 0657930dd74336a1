import { type BrokenPlaceholder, expected } from "./broken-placeholder.ts";
import { JsonPathFault, parseJsonPath } from "./json-path.ts";
import { JSON_PATH } from "./path-hints.ts";

/** Where a JSONPath ends that begins at a `$`: where the closing braces of its placeholder stand. */
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
