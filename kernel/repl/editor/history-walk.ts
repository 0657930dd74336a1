import { type EditorState, moveTo } from "./state.ts";

/**
 * Shows the next older (-1) or newer (1) entry that begins with the draft up to the cursor. After the
 * newest one the draft returns.
 */
export function walkHistory(
  state: EditorState,
  history: readonly string[],
  step: -1 | 1,
): EditorState {
  const walk = state.walk ?? {
    prefix: state.text.slice(0, state.cursor),
    index: history.length,
    draft: state.text,
  };
  for (let index = walk.index + step; index >= 0 && index < history.length; index += step) {
    const entry = history[index] ?? "";
    if (entry.startsWith(walk.prefix) && entry !== state.text) {
      return show(state, entry, { ...walk, index });
    }
  }
  return step === -1 || state.walk === undefined ? state : show(state, walk.draft, undefined);
}

function show(state: EditorState, text: string, walk: EditorState["walk"]): EditorState {
  return { ...moveTo(state, text.length), text, walk, undo: [] };
}
