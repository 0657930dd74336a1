import { XPATH } from "./path-hints.ts";

/** Why a placeholder that begins like a path is none, and where. Offsets are those of the text read. */
export interface BrokenPlaceholder {
  readonly kind: "broken";
  readonly reason: string;
  readonly at: number;
  readonly hint?: string;
}

/** What stands behind a dot and is no property. */
export function notProperty(text: string, at: number): BrokenPlaceholder {
  // `.//reply[1]/@id` selects in XML with VS Code's REST Client.
  const selects = text.charCodeAt(at) === 0x2f;
  return expected(text, at, 'a property name after "."', selects ? XPATH : undefined);
}

/** A placeholder that does not go on as one. */
export function notClosed(text: string, at: number): BrokenPlaceholder {
  return expected(text, at, '".", "[" or "}}"', String.raw`Write \{{ for literal braces`);
}

/** Something else was expected where a character stands. */
export function expected(
  text: string,
  at: number,
  expectation: string,
  hint?: string,
): BrokenPlaceholder {
  return broken(at, `expected ${expectation}, found ${describeCharacter(text, at)}`, hint);
}

/** What is broken, and where. */
export function broken(at: number, reason: string, hint?: string): BrokenPlaceholder {
  return { kind: "broken", reason, at, ...(hint === undefined ? {} : { hint }) };
}

function describeCharacter(text: string, at: number): string {
  const point = text.codePointAt(at);
  if (point === undefined) return "nothing";
  if (point === 0x0a || point === 0x0d) return "the end of the line";
  return JSON.stringify(String.fromCodePoint(point));
}
