import { type BrokenPlaceholder, expected } from "./broken-placeholder.ts";
import { type JsonPath, JsonPathFault, parseJsonPath } from "./json-path.ts";
import { JSON_PATH } from "./path-hints.ts";

/** The JSONPath at a `$`, and where the closing braces of its placeholder stand. */
export function readQuery(
  text: string,
  dollar: number,
): { readonly path: JsonPath; readonly end: number } | BrokenPlaceholder {
  try {
    const { path, end } = parseJsonPath(text, dollar);
    if (text.startsWith("}}", end)) return { path, end };
    return expected(text, end, '".", "[" or "}}"', JSON_PATH);
  } catch (fault) {
    if (!(fault instanceof JsonPathFault)) throw fault;
    return expected(text, fault.at, fault.expected, JSON_PATH);
  }
}
