import type { Completion, Inspection } from "../cell/mod.ts";
import type { Compiler, Converter } from "../compiler/mod.ts";

/** Completions of TypeScript at a UTF-16 offset. */
export function complete(
  _compiler: Compiler,
  converter: Converter,
  declarations: string,
  code: string,
  position: number,
): Completion {
  const found = converter.complete(declarations, code, position);
  if (found === undefined) return { start: position, end: position, candidates: [] };
  const kinds = new Map(found.original?.entries.map((entry) => [entry.name, entry.kind]));
  return {
    start: found.start,
    end: found.end,
    candidates: found.candidates.map((text) => ({ text, kind: kinds.get(text) ?? "" })),
  };
}

/** The type and docstring of the name at a UTF-16 offset. */
export function inspect(
  compiler: Compiler,
  converter: Converter,
  declarations: string,
  code: string,
  position: number,
): Inspection | undefined {
  const info = converter.inspect(declarations, code, position);
  if (info === undefined) return undefined;
  const tags = (info.tags ?? []).map(
    ({ name, text }) => `@${name} ${compiler.displayPartsToString(text)}`,
  );
  const documentation = [compiler.displayPartsToString(info.documentation), ...tags];
  return {
    signature: compiler.displayPartsToString(info.displayParts),
    documentation: documentation.filter((line) => line !== "").join("\n"),
  };
}
