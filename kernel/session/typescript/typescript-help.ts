import type { Completion, Inspection } from "../cell/mod.ts";
import type { CellProgram, Compiler } from "../compiler/mod.ts";

/** Completions of TypeScript at a UTF-16 offset of the cell that is open. */
export function complete(program: CellProgram, code: string, position: number): Completion {
  const { entries = [], optionalReplacementSpan: span } = program.complete(position) ?? {};
  if (span === undefined) {
    const sorted = entries.toSorted(
      (left, right) =>
        left.sortText.localeCompare(right.sortText) || left.name.localeCompare(right.name),
    );
    return {
      start: position,
      end: position,
      candidates: sorted.map(({ name, kind }) => ({ text: name, kind })),
    };
  }
  const end = span.start + span.length;
  const typed = code.slice(span.start, end);
  const ranked = entries
    .map(({ name, kind, sortText }) => ({ name, kind, rank: rankOf(name, typed), sortText }))
    .filter(({ rank }) => rank !== undefined)
    .sort((left, right) =>
      `${left.rank}${left.sortText}`.localeCompare(`${right.rank}${right.sortText}`),
    );
  return {
    start: span.start,
    end,
    candidates: ranked.map(({ name, kind }) => ({ text: name, kind })),
  };
}

/** Names that begin with the typed word come first, those that contain it last. */
function rankOf(name: string, typed: string): number | undefined {
  if (name.startsWith(typed)) return 0;
  const at = name.toLowerCase().indexOf(typed.toLowerCase());
  return at < 0 ? undefined : Math.min(at, 1) + 1;
}

/** The type and docstring of the name at a UTF-16 offset of the cell that is open. */
export function inspect(
  compiler: Compiler,
  program: CellProgram,
  position: number,
): Inspection | undefined {
  const info = program.inspect(position);
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
