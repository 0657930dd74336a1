import type { HeaderList } from "../../exchange/mod.ts";
import { createFault } from "../../interpolation/mod.ts";
import { InvalidHeaderError, isHeaderName } from "../../request/mod.ts";

/** Headers by name, or as pairs if a name occurs more than once. */
export type HeadersInput =
  | { readonly [name: string]: string }
  | Iterable<readonly [name: string, value: string]>;

/**
 * Converts headers to pairs.
 *
 * @throws {InvalidHeaderError} A name is not a token (RFC 9110, 5.6.2), or a value contains a line break or NUL.
 */
export function toHeaderList(input: HeadersInput | undefined): HeaderList {
  if (input === undefined) return [];
  const pairs: Iterable<readonly [string, string]> =
    Symbol.iterator in input
      ? (input as Iterable<readonly [string, string]>)
      : Object.entries(input);
  return Array.from(pairs, ([name, value]) => [checkName(name), checkValue(name, String(value))]);
}

/** The headers whose names do not occur in another list, in any letter case. */
export function excludeHeaders(headers: HeaderList, others: HeaderList): HeaderList {
  const names = new Set(others.map(([name]) => name.toLowerCase()));
  return headers.filter(([name]) => !names.has(name.toLowerCase()));
}

function checkName(name: string): string {
  if (isHeaderName(name)) return name;
  throw new InvalidHeaderError(name, [
    createFault(
      { source: name },
      { start: 0, end: name.length },
      `Cannot send the header ${JSON.stringify(name)}: its name is not a token`,
    ),
  ]);
}

function checkValue(name: string, value: string): string {
  const at = value.search(/[\r\n\0]/);
  if (at < 0) return value;
  throw new InvalidHeaderError(value, [
    createFault(
      { source: value },
      { start: at, end: at + 1 },
      `Cannot send the header "${name}": its value contains a line break or NUL`,
    ),
  ]);
}
