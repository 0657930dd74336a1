import type { Candidate, Completion } from "../../session/mod.ts";
import type { Key } from "../terminal/mod.ts";
import { type EditorState, type Menu, replace } from "./state.ts";

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
export function editInMenu(
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
