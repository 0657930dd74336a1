import type { Candidate } from "../../session/mod.ts";
import type { Place } from "./text.ts";

/** A walk through the history by Up and Down: entries that begin as the draft did. */
export interface Walk {
  readonly prefix: string;
  /** The entry that is shown; the length of the history stands for the draft. */
  readonly index: number;
  readonly draft: string;
}

/** A search through the history by Ctrl-R. */
export interface Search {
  readonly query: string;
  /** The entry that was found, or nothing that is. */
  readonly index: number | undefined;
  /** What was there before, for when the search is given up. */
  readonly origin: Place;
}

/** Candidates to choose from. */
export interface Menu {
  readonly start: number;
  /** What stood between `start` and the cursor before any candidate did. */
  readonly original: string;
  readonly candidates: readonly Candidate[];
  /** The chosen one, or -1. */
  readonly selected: number;
}

/** All that an entry is while it is typed. */
export interface EditorState extends Place {
  /** The column that Up and Down keep to. */
  readonly goal: number | undefined;
  /** What was cut last, for Ctrl-Y. */
  readonly killed: string;
  readonly undo: readonly Place[];
  /** Whether the last change was one typed character, which undo takes back with its neighbours. */
  readonly isTyping: boolean;
  readonly walk: Walk | undefined;
  readonly search: Search | undefined;
  readonly menu: Menu | undefined;
}

/** What a key asks for beside a new state; the one who draws and runs sees to it. */
export type Effect =
  | "submit"
  | "cancel"
  | "leave"
  | "complete"
  | "clear"
  | "suspend"
  | "open-editor";

/** The outcome of a key. */
export interface Edited {
  readonly state: EditorState;
  readonly effect?: Effect;
}

/** An empty entry, or one with a text to begin with. */
export function startEditing(text = "", killed = ""): EditorState {
  return {
    text,
    cursor: text.length,
    goal: undefined,
    killed,
    undo: [],
    isTyping: false,
    walk: undefined,
    search: undefined,
    menu: undefined,
  };
}

const UNDO_STEPS = 100;
const LONGEST_UNDO = 100_000;

/** The cursor elsewhere, the text as it was. */
export function moveTo(state: EditorState, cursor: number, goal?: number): EditorState {
  return { ...state, cursor, goal, isTyping: false, menu: undefined };
}

/** Another text, which undo takes back. */
export function change(
  state: EditorState,
  text: string,
  cursor: number,
  isTyping = false,
): EditorState {
  const { undo } = state;
  const isGrouped = isTyping && state.isTyping;
  const isKept = !isGrouped && state.text.length <= LONGEST_UNDO;
  const last = { text: state.text, cursor: state.cursor };
  return {
    ...state,
    text,
    cursor,
    goal: undefined,
    isTyping,
    undo: isKept ? [...undo.slice(1 - UNDO_STEPS), last] : undo,
    walk: undefined,
    menu: undefined,
  };
}

/** The text between two offsets replaced by another, the cursor behind it. */
export function replace(
  state: EditorState,
  start: number,
  end: number,
  inserted: string,
  isTyping = false,
): EditorState {
  const text = state.text.slice(0, start) + inserted + state.text.slice(end);
  return change(state, text, start + inserted.length, isTyping);
}
