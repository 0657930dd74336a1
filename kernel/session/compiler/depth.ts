import { createFault } from "../../../lib/interpolation/mod.ts";
import type { SourceText } from "../../../lib/mod.ts";
import { TypeScriptError } from "../cell/mod.ts";

/** The compiler recurses into each bracket, and its stack is limited. */
const DEEPEST = 500;
// A string that is not closed is one token, up to the end of its line; otherwise it would be read again from
// each quote in it.
const TOKENS =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<code>["'](?:[^\\\n]|\\.)*|[()[\]{}])/g;

/**
 * Finds the place where the brackets of a TypeScript text are nested more deeply than the compiler
 * can follow.
 *
 * @returns The UTF-16 offset of the first bracket that is too deep; `undefined` if none is.
 */
export function findDepth(code: string): number | undefined {
  let depth = 0;
  for (const { groups, index } of code.matchAll(TOKENS)) {
    const { length } = groups?.["code"] ?? "";
    for (let at = index; at < index + length; at++) {
      const character = code[at] ?? "";
      if ("([{".includes(character)) depth += 1;
      else if (")]}".includes(character)) depth = Math.max(0, depth - 1);
      if (depth > DEEPEST) return at;
    }
  }
  return undefined;
}

/** @throws {TypeScriptError} The brackets of a text are nested too deeply to be compiled. */
export function checkDepth(text: SourceText): void {
  const at = findDepth(text.source);
  if (at === undefined) return;
  const message = `Cannot compile the cell: its brackets are nested more than ${DEEPEST} deep`;
  const hint = "Put data into a file or a string, and read it with JSON.parse";
  const fault = createFault(text, { start: at, end: at + 1 }, message, hint);
  throw new TypeScriptError("SyntaxError", text.source, [fault]);
}
