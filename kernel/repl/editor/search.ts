import type { Key } from "../terminal/mod.ts";
import { type EditorState, moveTo, type Search } from "./state.ts";
import { before } from "./text.ts";

/** Starts a search with an empty query. */
export function startSearch(state: EditorState): EditorState {
  const origin = { text: state.text, cursor: state.cursor };
  return { ...state, search: { query: "", index: undefined, origin }, menu: undefined };
}

/** Applies a key to a search. A key that is not handled ends the search and keeps its meaning. */
export function editInSearch(
  state: EditorState,
  search: Search,
  key: Key,
  history: readonly string[],
): { readonly state: EditorState; readonly isHandled: boolean } {
  const handled = (next: EditorState): { state: EditorState; isHandled: true } => ({
    state: next,
    isHandled: true,
  });
  if (key.kind !== "key") {
    const query = search.query + key.text.replace(/\s*\n[\s\S]*$/, "");
    const from = search.index ?? history.length - 1;
    return handled(find(state, { ...search, query }, history, from, -1));
  }
  const step = STEPS[key.name];
  if (step !== undefined) {
    const from = (search.index ?? (step === -1 ? history.length : -1)) + step;
    return handled(search.query === "" ? state : find(state, search, history, from, step));
  }
  if (key.name === "backspace") {
    const { query } = search;
    const shorter = query.slice(0, before({ text: query, cursor: query.length }));
    return handled(find(state, { ...search, query: shorter }, history, history.length - 1, -1));
  }
  if (CANCEL.has(key.name)) {
    return handled({ ...moveTo(state, search.origin.cursor), ...search.origin, search: undefined });
  }
  return { state: { ...state, search: undefined }, isHandled: ACCEPT.has(key.name) };
}

const STEPS: Readonly<Record<string, -1 | 1>> = { "ctrl-r": -1, "ctrl-s": 1 };
const CANCEL: ReadonlySet<string> = new Set(["ctrl-c", "ctrl-g", "escape"]);
/** Enter does not send what was found: the person has to see a DELETE first. */
const ACCEPT: ReadonlySet<string> = new Set(["enter", "tab"]);

function find(
  state: EditorState,
  search: Search,
  history: readonly string[],
  from: number,
  step: -1 | 1,
): EditorState {
  const { query, origin } = search;
  if (query === "") return { ...state, ...origin, search: { ...search, index: undefined } };
  // A query in lower case ignores case.
  const isExact = query !== query.toLowerCase();
  for (let index = from; index >= 0 && index < history.length; index += step) {
    const entry = history[index] ?? "";
    const at = (isExact ? entry : entry.toLowerCase()).indexOf(query);
    if (at === -1 || (entry === state.text && index !== from)) continue;
    return {
      ...state,
      text: entry,
      cursor: Math.min(at, entry.length),
      search: { ...search, index },
    };
  }
  return { ...state, search };
}
