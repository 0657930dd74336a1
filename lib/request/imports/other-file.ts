import type { Fault, Span } from "../../interpolation/mod.ts";
import type { Entry, RequestText, RunDraft } from "../draft/mod.ts";
import type { ParsedText } from "../parse/mod.ts";

/** The text of another file, and its faults that belong to none of its requests. */
interface OtherFile {
  readonly text: RequestText;
  readonly others: readonly Fault[];
}

/**
 * Marks the entries of a text with its file. A fault spoils only the requests between the same `###` lines, as in a
 * file that is run, or its variable line.
 */
export function inOtherFile({ failure, ...text }: ParsedText, file: string): OtherFile {
  const faults = failure?.faults ?? [];
  const blockOf = createBlocks(text.source, faults.length > 0);
  const others = new Set(faults);
  const take = (isOwn: (fault: Fault) => boolean): readonly Fault[] => {
    const own = faults.filter(isOwn);
    for (const fault of own) others.delete(fault);
    return own;
  };
  const statements = text.statements.flatMap((statement): readonly (Entry | RunDraft)[] => {
    if (statement.kind === "run") return [statement];
    if (statement.kind === "assignment") {
      const own = take(({ span }) => isWithin(span, statement.span));
      return own.length === 0 ? [{ ...statement, file }] : [];
    }
    const { start } = statement.origin ?? statement.span;
    const own = take(({ span }) => blockOf(span.start) === blockOf(start));
    return [{ ...statement, file, ...(own.length === 0 ? {} : { faults: own }) }];
  });
  return { text: { ...text, statements }, others: [...others] };
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.start <= outer.end;
}

/** Numbers the parts of a text between `###` lines. */
function createBlocks(source: string, isNeeded: boolean): (offset: number) => number {
  const found = isNeeded ? source.matchAll(/^[ \t]*###/gm) : [];
  const starts = Array.from(found, ({ index }) => index);
  return (offset) => starts.findLastIndex((start) => start <= offset);
}
