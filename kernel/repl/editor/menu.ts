import type { Candidate, Completion } from "../../session/mod.ts";
import type { Key } from "./key.ts";
import { type EditorState, type Menu, replace } from "./state.ts";

/**
 * Puts a completion into an entry: a single candidate at once, of several what they have in
 * common, and then a menu.
 */
export function openMenu(state: EditorState, { start, end, candidates }: Completion): EditorState {
  const [only] = candidates;
  if (only === undefined) return state;
  if (candidates.length === 1) return replace(state, start, Math.max(end, state.cursor), only.text);
  const original = state.text.slice(start, state.cursor);
  const common = commonStart(candidates);
  const isLonger = common.length > original.length && common.startsWith(original);
  const next = isLonger ? replace(state, start, Math.max(end, state.cursor), common) : state;
  const typed = isLonger ? common : original;
  return { ...next, menu: { start, original: typed, candidates, selected: -1 } };
}

/** Keys while a menu is open; nothing where the key closes it and means what it always does. */
export function editInMenu(state: EditorState, menu: Menu, key: Key): EditorState | undefined {
  if (key.kind !== "key") return undefined;
  const step = STEPS[key.name];
  if (step !== undefined) {
    const count = menu.candidates.length;
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

const STEPS: Readonly<Record<string, number>> = { tab: 1, down: 1, "shift-tab": -1, up: -1 };

function select(state: EditorState, menu: Menu): EditorState {
  const text = menu.candidates[menu.selected]?.text ?? menu.original;
  return { ...replace(state, menu.start, state.cursor, text, true), menu };
}

function commonStart(candidates: readonly Candidate[]): string {
  let common = candidates[0]?.text ?? "";
  for (const { text } of candidates) {
    while (!text.startsWith(common)) common = common.slice(0, -1);
  }
  // Half a character is none.
  return /[\ud800-\udbff]$/.test(common) ? common.slice(0, -1) : common;
}
