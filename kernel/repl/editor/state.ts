import { graphemes } from "../../../lib/display/mod.ts";
import type { Candidate } from "../../session/cell/mod.ts";

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

/** A text and a UTF-16 offset in it, which is never inside a grapheme. */
interface Place {
  readonly text: string;
  readonly cursor: number;
}

/** How much text is segmented around the cursor: graphemes are rarely longer. */
const LONGEST_GRAPHEME = 64;

/** Where the character before the cursor begins. */
export function before({ text, cursor }: Place): number {
  if (cursor === 0) return 0;
  const previous = text.charCodeAt(cursor - 1);
  if (previous < 0x80) return cursor - 1;
  const from = Math.max(lineStart({ text, cursor }), cursor - LONGEST_GRAPHEME);
  let last = from;
  for (const { index } of graphemes(text.slice(from, cursor))) last = from + index;
  return last;
}

/** Where the character at the cursor ends. */
export function after({ text, cursor }: Place): number {
  if (cursor >= text.length) return text.length;
  if (text.charCodeAt(cursor) < 0x80 && !(text.charCodeAt(cursor + 1) >= 0x80)) return cursor + 1;
  for (const { segment } of graphemes(text.slice(cursor, cursor + LONGEST_GRAPHEME))) {
    return cursor + segment.length;
  }
  return text.length;
}

/** Where the line of the cursor begins. */
export function lineStart({ text, cursor }: Place): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

/** Where the line of the cursor ends, before its line break. */
export function lineEnd({ text, cursor }: Place): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

/** Where the word before the cursor begins. */
export function wordStart({ text, cursor }: Place): number {
  const head = text.slice(0, cursor);
  const found = /[\p{L}\p{M}\p{N}_]+[^\p{L}\p{M}\p{N}_]*$/u.exec(head.slice(-2000));
  return found === null ? 0 : cursor - found[0].length;
}

/** Where the word after the cursor ends. */
export function wordEnd({ text, cursor }: Place): number {
  const found = /^[^\p{L}\p{M}\p{N}_]*[\p{L}\p{M}\p{N}_]+/u.exec(text.slice(cursor, cursor + 2000));
  return found === null ? text.length : cursor + found[0].length;
}

/** Where the run of non-blank characters before the cursor begins, for Ctrl-W. */
export function blankStart({ text, cursor }: Place): number {
  const found = /\S+\s*$/.exec(text.slice(Math.max(0, cursor - 2000), cursor));
  return found === null ? 0 : cursor - found[0].length;
}

/** The offset in the line above or below, in the same column; nothing beyond the first and the last line. */
export function vertical(place: Place, lines: -1 | 1, goal?: number): number | undefined {
  const { text } = place;
  const start = lineStart(place);
  const column = goal ?? place.cursor - start;
  const end = lineEnd(place);
  if (lines === -1 && start === 0) return undefined;
  if (lines === 1 && end === text.length) return undefined;
  const other = lines === -1 ? lineStart({ text, cursor: start - 1 }) : end + 1;
  const limit = lineEnd({ text, cursor: other });
  const target = Math.min(other + column, limit);
  // The column may be inside a character.
  return target === other || target === limit
    ? target
    : before({ text, cursor: after({ text, cursor: target }) });
}

/** Normalizes line breaks of pasted or edited text and removes control characters. */
export function toEntryText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");
}
