import type { Candidate } from "../../session/mod.ts";
import type { Place } from "./text.ts";

/** Moving through the history with Up and Down, by entries that begin like the draft. */
interface Walk {
  readonly prefix: string;
  /** The index of the shown entry; the draft has the index after the last one. */
  readonly index: number;
  readonly draft: string;
}

/** A search through the history with Ctrl-R. */
export interface Search {
  readonly query: string;
  /** The index of the entry that was found. */
  readonly index: number | undefined;
  /** The entry before the search, which returns when the search is cancelled. */
  readonly origin: Place;
}

/** An open completion menu. */
export interface Menu {
  readonly start: number;
  /** The text between `start` and the cursor before a candidate replaced it. */
  readonly original: string;
  readonly candidates: readonly Candidate[];
  /** The index of the selected candidate, or -1. */
  readonly selected: number;
  /** The signature of the function whose argument is being typed. */
  readonly signature?: string;
}

/** The state of an entry while it is typed. */
export interface EditorState extends Place {
  /** The column that Up and Down aim for. */
  readonly goal: number | undefined;
  /** The text that was cut last, for Ctrl-Y. */
  readonly killed: string;
  readonly undo: readonly Place[];
  /** Whether the last change typed one character: undo reverts a run of these at once. */
  readonly isTyping: boolean;
  readonly walk: Walk | undefined;
  readonly search: Search | undefined;
  readonly menu: Menu | undefined;
}

/** What a key asks the editor to do besides changing the state. */
export type Effect =
  | "submit"
  | "cancel"
  | "leave"
  | "complete"
  | "clear"
  | "suspend"
  | "open-editor";

export interface Edited {
  readonly state: EditorState;
  readonly effect?: Effect;
}

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
const MAX_UNDO_LENGTH = 100_000;

export function moveTo(state: EditorState, cursor: number, goal?: number): EditorState {
  return { ...state, cursor, goal, isTyping: false, menu: undefined };
}

/** Replaces the whole text; undo reverts it. */
export function change(
  state: EditorState,
  text: string,
  cursor: number,
  isTyping = false,
): EditorState {
  const { undo } = state;
  const isGrouped = isTyping && state.isTyping;
  const isKept = !isGrouped && state.text.length <= MAX_UNDO_LENGTH;
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

/** Replaces the text between two offsets and moves the cursor to the end of the new text. */
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
