import type { Key } from "./keyboard.ts";
import {
  after,
  before,
  blankStart,
  change,
  type Edited,
  type EditorState,
  type Effect,
  lineEnd,
  lineStart,
  moveTo,
  replace,
  type Search,
  vertical,
  wordEnd,
  wordStart,
} from "./state.ts";

type Action = (state: EditorState, history: readonly string[]) => Edited;
type Target = (state: EditorState) => number;

const move =
  (to: Target): Action =>
  (state) => ({ state: moveTo(state, to(state)) });

/** Deletes the text between the cursor and a target; text that was cut can be pasted with Ctrl-Y. */
const erase =
  (to: Target, isCut = false): Action =>
  (state) => {
    const target = to(state);
    const start = Math.min(state.cursor, target);
    const end = Math.max(state.cursor, target);
    if (start === end) return { state };
    const erased = replace(state, start, end, "");
    return { state: isCut ? { ...erased, killed: state.text.slice(start, end) } : erased };
  };

const cut = (to: Target): Action => erase(to, true);

const request =
  (effect: Effect): Action =>
  (state) => ({ state, effect });

/** To the end of the line, or past its line break if the cursor is already there. */
const lineRest: Target = (state) => {
  const end = lineEnd(state);
  return end === state.cursor ? Math.min(end + 1, state.text.length) : end;
};

const walk =
  (step: -1 | 1): Action =>
  (state, history) => ({ state: walkHistory(state, history, step) });

const moveLine =
  (step: -1 | 1): Action =>
  (state, history) => {
    const cursor = vertical(state, step, state.goal);
    if (cursor === undefined) return walk(step)(state, history);
    return { state: moveTo(state, cursor, state.goal ?? state.cursor - lineStart(state)) };
  };

const newline: Action = (state) => {
  const line = state.text.slice(lineStart(state), state.cursor);
  const indent = /^ */.exec(line)?.[0] ?? "";
  const deeper = /[{([]\s*$/.test(line) ? "  " : "";
  return { state: replace(state, state.cursor, state.cursor, `\n${indent}${deeper}`) };
};

const enter: Action = (state, history) => {
  const { text, cursor } = state;
  if (text.includes("\n", cursor)) return newline(state, history);
  // For terminals that do not send Alt-Enter, a backslash at the end adds a line as well.
  if (cursor === text.length && /(?:^|\s)\\$/.test(text)) {
    const kept = text.slice(0, -1).trimEnd();
    return newline(change(state, kept, kept.length), history);
  }
  return { state, effect: "submit" };
};

const undo: Action = (state) => {
  const last = state.undo.at(-1);
  if (last === undefined) return { state };
  return {
    state: { ...state, ...last, undo: state.undo.slice(0, -1), isTyping: false, walk: undefined },
  };
};

const tab: Action = (state) => {
  const line = state.text.slice(lineStart(state), state.cursor);
  const isIndent = line.trim() === "" && state.text !== "";
  if (!isIndent) return { state, effect: "complete" };
  return { state: replace(state, state.cursor, state.cursor, "  ") };
};

const transpose: Action = (state) => {
  const middle = state.cursor === lineEnd(state) ? before(state) : state.cursor;
  const start = before({ text: state.text, cursor: middle });
  if (middle === 0 || start < lineStart(state)) return { state };
  const end = after({ text: state.text, cursor: middle });
  const swapped = state.text.slice(middle, end) + state.text.slice(start, middle);
  return { state: replace(state, start, end, swapped) };
};

const deleteNext = erase(after);

const leaveOrDelete: Action = (state, history) =>
  state.text === "" ? { state, effect: "leave" } : deleteNext(state, history);

/** The keys of readline and IPython. */
export const BINDINGS: Readonly<Record<string, Action>> = {
  left: move(before),
  "ctrl-b": move(before),
  right: move(after),
  "ctrl-f": move(after),
  home: move(lineStart),
  "ctrl-a": move(lineStart),
  end: move(lineEnd),
  "ctrl-e": move(lineEnd),
  "alt-b": move(wordStart),
  "alt-left": move(wordStart),
  "ctrl-left": move(wordStart),
  "alt-f": move(wordEnd),
  "alt-right": move(wordEnd),
  "ctrl-right": move(wordEnd),
  "ctrl-home": move(() => 0),
  "alt-<": move(() => 0),
  "ctrl-end": move(({ text }) => text.length),
  "alt->": move(({ text }) => text.length),
  up: moveLine(-1),
  down: moveLine(1),
  "ctrl-p": walk(-1),
  "ctrl-n": walk(1),
  "page-up": walk(-1),
  "page-down": walk(1),
  "ctrl-r": (state) => ({ state: startSearch(state) }),
  backspace: erase(before),
  delete: deleteNext,
  "ctrl-d": leaveOrDelete,
  "ctrl-k": cut(lineRest),
  "ctrl-u": cut(lineStart),
  "ctrl-w": cut(blankStart),
  "alt-backspace": cut(wordStart),
  "ctrl-backspace": cut(wordStart),
  "alt-d": cut(wordEnd),
  "ctrl-delete": cut(wordEnd),
  "ctrl-y": (state) => ({ state: replace(state, state.cursor, state.cursor, state.killed) }),
  "ctrl-t": transpose,
  "ctrl-_": undo,
  tab,
  enter,
  "alt-enter": newline,
  "shift-enter": newline,
  "ctrl-enter": newline,
  "ctrl-o": newline,
  "ctrl-c": request("cancel"),
  "ctrl-l": request("clear"),
  "ctrl-z": request("suspend"),
  "alt-e": request("open-editor"),
};

/**
 * Shows the next older (-1) or newer (1) entry that begins with the draft up to the cursor. After the
 * newest one the draft returns.
 */
function walkHistory(state: EditorState, history: readonly string[], step: -1 | 1): EditorState {
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
  const step = SEARCH_STEPS[key.name];
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

const SEARCH_STEPS: Readonly<Record<string, -1 | 1>> = { "ctrl-r": -1, "ctrl-s": 1 };
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
