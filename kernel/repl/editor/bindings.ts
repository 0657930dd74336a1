import { walkDown, walkUp } from "./history-walk.ts";
import { startSearch } from "./search.ts";
import { change, type Edited, type EditorState, type Effect, moveTo, replace } from "./state.ts";
import {
  after,
  before,
  blankStart,
  lineEnd,
  lineStart,
  vertical,
  wordEnd,
  wordStart,
} from "./text.ts";

type Action = (state: EditorState, history: readonly string[]) => Edited;

const move =
  (to: (state: EditorState) => number): Action =>
  (state) => ({ state: moveTo(state, to(state)) });

/** Cuts what lies between the cursor and another place; it can be put back with Ctrl-Y. */
const kill =
  (to: (state: EditorState) => number): Action =>
  (state) => {
    const other = to(state);
    const start = Math.min(state.cursor, other);
    const end = Math.max(state.cursor, other);
    if (start === end) return { state };
    const killed = state.text.slice(start, end);
    return { state: { ...replace(state, start, end, ""), killed } };
  };

const erase =
  (to: (state: EditorState) => number): Action =>
  (state) => {
    const other = to(state);
    const start = Math.min(state.cursor, other);
    const end = Math.max(state.cursor, other);
    return { state: start === end ? state : replace(state, start, end, "") };
  };

const ask =
  (effect: Effect): Action =>
  (state) => ({ state, effect });

/** To the end of the line, or over its line break where the cursor stands there. */
const lineRest = (state: EditorState): number => {
  const end = lineEnd(state);
  return end === state.cursor ? Math.min(end + 1, state.text.length) : end;
};

const up: Action = (state, history) => {
  const cursor = vertical(state, -1, state.goal);
  if (cursor === undefined) return { state: walkUp(state, history) };
  return { state: moveTo(state, cursor, state.goal ?? state.cursor - lineStart(state)) };
};

const down: Action = (state, history) => {
  const cursor = vertical(state, 1, state.goal);
  if (cursor === undefined) return { state: walkDown(state, history) };
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
  // Where Alt-Enter does not get through, a backslash at the end asks for another line as well.
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

const leaveOrDelete: Action = (state, history) =>
  state.text === ""
    ? { state, effect: "leave" }
    : (BINDINGS["delete"]?.(state, history) ?? { state });

/** Keys as readline and IPython have them. */
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
  up,
  down,
  "ctrl-p": (state, history) => ({ state: walkUp(state, history) }),
  "ctrl-n": (state, history) => ({ state: walkDown(state, history) }),
  "page-up": (state, history) => ({ state: walkUp(state, history) }),
  "page-down": (state, history) => ({ state: walkDown(state, history) }),
  "ctrl-r": (state) => ({ state: startSearch(state) }),
  backspace: erase(before),
  delete: erase(after),
  "ctrl-d": leaveOrDelete,
  "ctrl-k": kill(lineRest),
  "ctrl-u": kill(lineStart),
  "ctrl-w": kill(blankStart),
  "alt-backspace": kill(wordStart),
  "ctrl-backspace": kill(wordStart),
  "alt-d": kill(wordEnd),
  "ctrl-delete": kill(wordEnd),
  "ctrl-y": (state) => ({ state: replace(state, state.cursor, state.cursor, state.killed) }),
  "ctrl-t": transpose,
  "ctrl-_": undo,
  tab,
  enter,
  "alt-enter": newline,
  "shift-enter": newline,
  "ctrl-enter": newline,
  "ctrl-o": newline,
  "ctrl-c": ask("cancel"),
  "ctrl-l": ask("clear"),
  "ctrl-z": ask("suspend"),
  "alt-e": ask("open-editor"),
};
