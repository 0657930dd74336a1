import { EXPRESSION, XPATH } from "./path-hints.ts";

/** Why a placeholder that begins like a path is broken, and the index in the text that was read. */
export interface BrokenPlaceholder {
  readonly kind: "broken";
  readonly reason: string;
  readonly at: number;
  readonly hint?: string;
}

/** A dot without a property name after it. */
export function notProperty(text: string, at: number): BrokenPlaceholder {
  // `.//reply[1]/@id` selects in XML with VS Code's REST Client.
  const isXPath = text[at] === "/";
  return expected(text, at, 'a property name after "."', isXPath ? XPATH : undefined);
}

/** A path that neither continues nor ends. */
export function notClosed(text: string, at: number): BrokenPlaceholder {
  const isExpression = /^[-+*/%?!=<>&|(`,;]/.test(text.slice(at, at + 1));
  const hint = isExpression ? EXPRESSION : String.raw`Write \{{ for literal braces`;
  return expected(text, at, '".", "[" or "}}"', hint);
}

/** A character other than what was expected. */
export function expected(
  text: string,
  at: number,
  expectation: string,
  hint?: string,
): BrokenPlaceholder {
  return broken(at, `expected ${expectation}, found ${describeCharacter(text, at)}`, hint);
}

/** A placeholder that is broken for any other reason. */
export function broken(at: number, reason: string, hint?: string): BrokenPlaceholder {
  return { kind: "broken", reason, at, ...(hint === undefined ? {} : { hint }) };
}

function describeCharacter(text: string, at: number): string {
  const point = text.codePointAt(at);
  if (point === undefined) return "nothing";
  if (point === 0x0a || point === 0x0d) return "the end of the line";
  return JSON.stringify(String.fromCodePoint(point));
}
