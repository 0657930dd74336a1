import type { Candidate, Completion } from "../../session/cell/mod.ts";
import { BINDINGS, editInSearch } from "./bindings.ts";
import type { Key } from "./keyboard.ts";
import {
  type Edited,
  type EditorState,
  lineStart,
  type Menu,
  replace,
  toEntryText,
} from "./state.ts";

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
  // A closing bracket is indented one level less than what it closes; keys that are typed fast arrive as one text.
  const isClosing = isTyping && /^[}\])][)\],;]*$/.test(text) && /^ {2,}$/.test(indent);
  const from = isClosing ? state.cursor - 2 : state.cursor;
  const isCharacter = isTyping && text.trim() !== "" && text.length < 3;
  return replace(state, from, state.cursor, text, isCharacter);
}

/**
 * Applies a completion to an entry: inserts a single candidate, or the common prefix of several, and
 * opens a menu of them. Below the signature of a call nothing is inserted, since any other argument may be meant.
 */
export function openMenu(
  state: EditorState,
  { start, end, candidates, signature }: Completion,
): EditorState {
  const [only] = candidates;
  if (only === undefined && signature === undefined) return state;
  if (only !== undefined && candidates.length === 1 && signature === undefined)
    return replace(state, start, Math.max(end, state.cursor), only.text);
  const original = state.text.slice(start, state.cursor);
  const common = commonPrefix(candidates);
  const isLonger =
    signature === undefined && common.length > original.length && common.startsWith(original);
  const next = isLonger ? replace(state, start, Math.max(end, state.cursor), common) : state;
  const typed = isLonger ? common : original;
  const menu = { start, original: typed, candidates, selected: -1 };
  return { ...next, menu: { ...menu, ...(signature !== undefined && { signature }) } };
}

/**
 * Applies a key to an open menu. Returns nothing for a key that closes the menu and keeps its meaning.
 *
 * @param page How many candidates the menu shows.
 */
function editInMenu(
  state: EditorState,
  menu: Menu,
  key: Key,
  page: number,
): EditorState | undefined {
  if (key.kind !== "key") return undefined;
  const count = menu.candidates.length;
  const pages = PAGES[key.name];
  if (pages !== undefined && count > 0) {
    const to = Math.max(menu.selected, 0) + pages * page;
    return select(state, { ...menu, selected: Math.min(Math.max(to, 0), count - 1) });
  }
  const step = STEPS[key.name];
  if (step !== undefined && count > 0) {
    const first = step > 0 ? 0 : count - 1;
    const selected = menu.selected === -1 ? first : (menu.selected + step + count) % count;
    return select(state, { ...menu, selected });
  }
  if (key.name === "escape" || key.name === "ctrl-g") {
    return { ...select(state, { ...menu, selected: -1 }), menu: undefined };
  }
  if (key.name === "enter" && menu.selected !== -1) return { ...state, menu: undefined };
  return undefined;
}

const PAGES: Readonly<Record<string, number>> = { "page-up": -1, "page-down": 1 };
const STEPS: Readonly<Record<string, number>> = { tab: 1, down: 1, "shift-tab": -1, up: -1 };

function select(state: EditorState, menu: Menu): EditorState {
  const text = menu.candidates[menu.selected]?.text ?? menu.original;
  return { ...replace(state, menu.start, state.cursor, text, true), menu };
}

function commonPrefix(candidates: readonly Candidate[]): string {
  let common = candidates[0]?.text ?? "";
  for (const { text } of candidates) {
    while (!text.startsWith(common)) common = common.slice(0, -1);
  }
  // A surrogate pair must not be split.
  return /[\ud800-\udbff]$/.test(common) ? common.slice(0, -1) : common;
}
