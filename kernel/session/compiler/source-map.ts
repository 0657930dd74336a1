import type { Compiler, Mapping } from "./files/mod.ts";

/** A place in a text, line and column from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Leads from a place in generated text to the place in the text that was written. */
export type PositionMap = (position: Position) => Position | undefined;

/** Reads a source map (JSON text) when it is first asked, because few cells ever fail. */
export function createPositionMap(compiler: Compiler, json: string): PositionMap {
  let lines: Map<number, Mapping[]> | undefined;
  return ({ line, column }) => {
    lines ??= readMappings(compiler, json);
    const entry = lines
      .get(line - 1)
      ?.findLast((mapping) => mapping.generatedCharacter <= column - 1);
    if (entry?.sourceLine === undefined || entry.sourceCharacter === undefined) return undefined;
    return { line: entry.sourceLine + 1, column: entry.sourceCharacter + 1 };
  };
}

function readMappings(compiler: Compiler, json: string): Map<number, Mapping[]> {
  const { mappings } = JSON.parse(json) as { mappings: string };
  const lines = new Map<number, Mapping[]>();
  const decoder = compiler.decodeMappings(mappings);
  for (let next = decoder.next(); next.done !== true; next = decoder.next()) {
    const { value } = next;
    if (value.sourceIndex === undefined) continue;
    const line = lines.get(value.generatedLine);
    if (line === undefined) lines.set(value.generatedLine, [value]);
    else line.push(value);
  }
  return lines;
}
