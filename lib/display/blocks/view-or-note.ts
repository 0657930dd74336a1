import { messageOf } from "../../exchange/mod.ts";
import type { Block, NoteBlock } from "./block.ts";
import { cutText } from "./compact.ts";
import type { ViewContext } from "./view-context.ts";

/** The note below an output with revealed secrets. */
export const REVEALED_NOTE: Block = {
  kind: "note",
  level: "warning",
  text: "This output contains secrets, revealed for this cell; clear it before you share it",
};

/**
 * Creates a view. If that fails, a note says why, and a simpler view replaces it: a response can be seen
 * whatever is wrong with one view of it.
 *
 * @param what What is viewed, in words.
 * @param instead Creates the simpler view; by default there is only the note.
 */
export function viewOrNote(
  what: string,
  context: ViewContext,
  view: () => readonly Block[],
  instead?: () => readonly Block[],
): readonly Block[] {
  try {
    return view();
  } catch (error) {
    const note = failureNote(what, error, context);
    return instead === undefined ? [note] : [note, ...viewOrNote("its text", context, instead)];
  }
}

function failureNote(what: string, error: unknown, { limits, redact }: ViewContext): NoteBlock {
  const text = `Showing ${what} failed`;
  try {
    const reason = redact(messageOf(error));
    return { kind: "note", level: "error", text: cutText(`${text}: ${reason}`, limits.line) };
  } catch {
    // A message that cannot be masked is not shown.
    return { kind: "note", level: "error", text };
  }
}
