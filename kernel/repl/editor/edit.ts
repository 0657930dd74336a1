import { BINDINGS } from "./bindings.ts";
import type { Key } from "./key.ts";
import { editInMenu } from "./menu.ts";
import { editInSearch } from "./search.ts";
import { type Edited, type EditorState, replace } from "./state.ts";
import { lineStart, toEntryText } from "./text.ts";

/**
 * What a key makes of an entry: the pure heart of the editor.
 *
 * @param state The entry before.
 * @param key What was done at the keyboard.
 * @param history Earlier entries, the latest last.
 */
export function edit(state: EditorState, key: Key, history: readonly string[]): Edited {
  if (state.search !== undefined) {
    const searched = editInSearch(state, state.search, key, history);
    if (searched.isTaken) return { state: searched.state };
    return editPlain(searched.state, key, history);
  }
  if (state.menu !== undefined) {
    const chosen = editInMenu(state, state.menu, key);
    if (chosen !== undefined) return { state: chosen };
    return editPlain({ ...state, menu: undefined }, key, history);
  }
  return editPlain(state, key, history);
}

function editPlain(state: EditorState, key: Key, history: readonly string[]): Edited {
  if (key.kind === "paste") return { state: insert(state, toEntryText(key.text), false) };
  if (key.kind === "text") return { state: insert(state, key.text, true) };
  return BINDINGS[key.name]?.(state, history) ?? { state };
}

function insert(state: EditorState, text: string, isTyping: boolean): EditorState {
  const start = lineStart(state);
  const indent = state.text.slice(start, state.cursor);
  // A closing bracket stands as far in as the line that opened it.
  const isClosing = isTyping && /^[}\])]$/.test(text) && /^ {2,}$/.test(indent);
  const from = isClosing ? state.cursor - 2 : state.cursor;
  const isCharacter = isTyping && text.trim() !== "" && text.length < 3;
  return replace(state, from, state.cursor, text, isCharacter);
}
