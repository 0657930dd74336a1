import { createFault, type Fault, firstLineSpan, type Span } from "../../interpolation/mod.ts";
import type { Entry, RequestText, RunDraft } from "../draft/mod.ts";
import type { ParsedText } from "../parse/mod.ts";

/** The text of another file, and its faults that belong to none of its requests. */
interface OtherFile {
  readonly text: RequestText;
  readonly others: readonly Fault[];
}

/**
 * Marks the entries of a text with its file. A fault affects only the requests between the same `###` lines, as in a
 * file that is run, or its variable line.
 */
export function inOtherFile({ failure, ...text }: ParsedText, file: string): OtherFile {
  const faults = failure?.faults ?? [];
  const blockOf = createBlocks(text.source);
  const others = new Set(faults);
  const take = (isOwn: (fault: Fault) => boolean): readonly Fault[] => {
    const own = faults.filter(isOwn);
    for (const fault of own) others.delete(fault);
    return own;
  };
  const statements = text.statements.flatMap((statement): readonly (Entry | RunDraft)[] => {
    if (statement.kind === "run") return [statement];
    if (statement.kind === "script") {
      const span = firstLineSpan(statement.source, statement.span);
      others.add(createFault(statement, span, NOT_RUN, ITS_OWN_FILE));
      return [];
    }
    if (statement.kind === "assignment") {
      const own = take(({ span }) => isWithin(span, statement.span));
      return own.length === 0 ? [{ ...statement, file }] : [];
    }
    const { start } = statement.origin ?? statement.span;
    const own = take(({ span }) => blockOf(span.start) === blockOf(start));
    return [{ ...statement, file, ...(own.length === 0 ? {} : { faults: own }) }];
  });
  return {
    text: { ...text, statements },
    others: [...others].sort((one, other) => one.span.start - other.span.start),
  };
}

const NOT_RUN = "A script block outside of requests is not run in an imported file";
const ITS_OWN_FILE = "Write it above the requests of the file that is run";

function isWithin(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.start <= outer.end;
}

/** Numbers the parts of a text between `###` lines. */
function createBlocks(source: string): (offset: number) => number {
  const starts = Array.from(source.matchAll(/^[ \t]*###/gm), ({ index }) => index);
  return (offset) => starts.findLastIndex((start) => start <= offset);
}
