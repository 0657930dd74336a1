import { type EditorState, moveTo } from "./state.ts";

/** The earlier entry that begins as the draft does up to the cursor; the state where there is none. */
export function walkUp(state: EditorState, history: readonly string[]): EditorState {
  const walk = state.walk ?? {
    prefix: state.text.slice(0, state.cursor),
    index: history.length,
    draft: state.text,
  };
  for (let index = walk.index - 1; index >= 0; index--) {
    const entry = history[index] ?? "";
    if (entry.startsWith(walk.prefix) && entry !== state.text) {
      return show(state, entry, { ...walk, index });
    }
  }
  return state;
}

/** The later entry, and behind the latest what was being typed. */
export function walkDown(state: EditorState, history: readonly string[]): EditorState {
  const { walk } = state;
  if (walk === undefined) return state;
  for (let index = walk.index + 1; index < history.length; index++) {
    const entry = history[index] ?? "";
    if (entry.startsWith(walk.prefix) && entry !== state.text) {
      return show(state, entry, { ...walk, index });
    }
  }
  return { ...show(state, walk.draft, walk), walk: undefined };
}

function show(
  state: EditorState,
  text: string,
  walk: NonNullable<EditorState["walk"]>,
): EditorState {
  return { ...moveTo(state, text.length), text, cursor: text.length, walk, undo: [] };
}
