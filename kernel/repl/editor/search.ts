import type { Key } from "./key.ts";
import { type EditorState, moveTo, type Search } from "./state.ts";
import { before } from "./text.ts";

/** Begins a search; nothing is found before something is typed. */
export function startSearch(state: EditorState): EditorState {
  const origin = { text: state.text, cursor: state.cursor };
  return { ...state, search: { query: "", index: undefined, origin }, menu: undefined };
}

/** Keys during a search. One that is not taken ends the search, and is then to be obeyed. */
export function editInSearch(
  state: EditorState,
  search: Search,
  key: Key,
  history: readonly string[],
): { readonly state: EditorState; readonly isTaken: boolean } {
  const taken = (next: EditorState): { state: EditorState; isTaken: true } => ({
    state: next,
    isTaken: true,
  });
  if (key.kind !== "key") {
    const query = search.query + key.text.replace(/\s*\n[\s\S]*$/, "");
    const from = search.index ?? history.length - 1;
    return taken(find(state, { ...search, query }, history, from, -1));
  }
  const step = STEPS[key.name];
  if (step !== undefined) {
    const from = (search.index ?? (step === -1 ? history.length : -1)) + step;
    return taken(search.query === "" ? state : find(state, search, history, from, step));
  }
  if (key.name === "backspace") {
    const { query } = search;
    const shorter = query.slice(0, before({ text: query, cursor: query.length }));
    return taken(find(state, { ...search, query: shorter }, history, history.length - 1, -1));
  }
  if (GIVE_UP.has(key.name)) {
    return taken({ ...moveTo(state, search.origin.cursor), ...search.origin, search: undefined });
  }
  return { state: { ...state, search: undefined }, isTaken: TAKE_OVER.has(key.name) };
}

const STEPS: Readonly<Record<string, -1 | 1>> = { "ctrl-r": -1, "ctrl-s": 1 };
const GIVE_UP: ReadonlySet<string> = new Set(["ctrl-c", "ctrl-g", "escape"]);
/** What was found may delete something at a server: it is looked at before it is sent. */
const TAKE_OVER: ReadonlySet<string> = new Set(["enter", "tab"]);

function find(
  state: EditorState,
  search: Search,
  history: readonly string[],
  from: number,
  step: -1 | 1,
): EditorState {
  const { query, origin } = search;
  if (query === "") return { ...state, ...origin, search: { ...search, index: undefined } };
  // Small letters find capitals too, capitals themselves alone.
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
