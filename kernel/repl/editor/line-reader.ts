import type { Completion } from "../../session/cell/mod.ts";
import type { Language, Submission } from "../entry/mod.ts";
import type { EditorPaint } from "./paint.ts";
import type { Terminal } from "./terminal.ts";

/** Reads entries and answers at a terminal. */
export interface LineReader {
  /**
   * Reads a text until Enter submits it.
   *
   * @param initial The text to start with.
   * @returns What was submitted, or `undefined` if the person leaves or the terminal is gone.
   */
  read(initial?: string): Promise<Submission | undefined>;
  /** Reads an answer, which stays out of the history. The answer is `none` while an entry is being read. */
  ask(question: InputQuestion): Promise<Answer>;
  /** Does what the key Ctrl-C does, for a SIGINT. */
  cancel(): void;
  /** Prints whole lines above the entry that is being typed. */
  printAbovePrompt(text: string): void;
}

export interface LineReaderOptions {
  readonly terminal: Terminal;
  readonly prompt: string;
  readonly continuation: string;
  readonly paint: EditorPaint;
  readonly color: boolean;
  /** Earlier entries, the latest last. */
  history(): readonly string[];
  languageOf(text: string): Language;
  /** Reads the entries of a text at whose end Enter is pressed. */
  submit(text: string): Promise<Submission>;
  /** Whether a line that has been received already belongs to a text that is complete without it. */
  continues(text: string, line: string): boolean;
  complete(text: string, position: number): Promise<Completion>;
  /** Opens the text in an external editor and returns what was saved. */
  openEditor(text: string): Promise<string>;
  /** Called when the person pauses, before an entry or while typing it. */
  onPause(): void;
}

/** A question to the person at the terminal. */
export interface InputQuestion {
  readonly label: string;
  /** Whether the answer is hidden while it is typed. */
  readonly isHidden: boolean;
}

/** An answer; `cancel` is Ctrl-C, `none` is Ctrl-D or a terminal that is gone. */
export type Answer =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "cancel" }
  | { readonly kind: "none" };
