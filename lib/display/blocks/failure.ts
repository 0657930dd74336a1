import type { Block, NoteBlock } from "./block.ts";
import { cutText } from "./compact.ts";
import type { ViewContext } from "./view-context.ts";

/**
 * Looks at a part of a value. Where that fails, a note says which view failed and why, and something
 * plainer takes its place: what has come is there to see, whatever is wrong with a view of it.
 *
 * @param what What the view is of, in words.
 * @param instead What is there to see then; nothing but the note unless told.
 */
export function lookOrSay(
  what: string,
  context: ViewContext,
  look: () => readonly Block[],
  instead?: () => readonly Block[],
): readonly Block[] {
  try {
    return look();
  } catch (error) {
    const note = failureNote(what, error, context);
    return instead === undefined ? [note] : [note, ...lookOrSay("its text", context, instead)];
  }
}

function failureNote(what: string, error: unknown, { limits, redact }: ViewContext): NoteBlock {
  const text = `Showing ${what} failed`;
  try {
    const reason = redact(error instanceof Error ? error.message : String(error));
    return { kind: "note", level: "error", text: cutText(`${text}: ${reason}`, limits.line) };
  } catch {
    // A message that cannot be masked is not shown.
    return { kind: "note", level: "error", text };
  }
}
