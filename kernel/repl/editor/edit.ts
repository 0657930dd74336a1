import type { Key } from "../terminal/mod.ts";
import { BINDINGS } from "./bindings.ts";
import { editInMenu } from "./menu.ts";
import { editInSearch } from "./search.ts";
import { type Edited, type EditorState, replace } from "./state.ts";
import { lineStart, toEntryText } from "./text.ts";

/**
 * Applies a key to the state of an entry.
 *
 * @param history Earlier entries, the latest last.
 * @param page How many candidates a menu shows.
 */
export function edit(state: EditorState, key: Key, history: readonly string[], page = 1): Edited {
  if (state.search !== undefined) {
    const searched = editInSearch(state, state.search, key, history);
    if (searched.isHandled) return { state: searched.state };
    return editPlain(searched.state, key, history);
  }
  if (state.menu !== undefined) {
    const edited = editInMenu(state, state.menu, key, page);
    if (edited !== undefined) return { state: edited };
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
  // A closing bracket is indented one level less than what it closes.
  const isClosing = isTyping && /^[}\])]$/.test(text) && /^ {2,}$/.test(indent);
  const from = isClosing ? state.cursor - 2 : state.cursor;
  const isCharacter = isTyping && text.trim() !== "" && text.length < 3;
  return replace(state, from, state.cursor, text, isCharacter);
}
