import type { Completion } from "../../session/mod.ts";
import { createDrawnEntry } from "./drawn-entry.ts";
import { edit } from "./edit.ts";
import { highlight, type Language } from "./highlight.ts";
import type { Key } from "./key.ts";
import { createKeyboard } from "./keyboard.ts";
import { type EditorPaint, layOut } from "./lay-out.ts";
import { openMenu } from "./menu.ts";
import { change, type Edited, type Effect, moveTo, startEditing } from "./state.ts";
import type { Terminal } from "./terminal.ts";
import { toEntryText } from "./text.ts";

/** What an editor is made with. */
export interface LineEditorOptions {
  readonly terminal: Terminal;
  readonly prompt: string;
  readonly continuation: string;
  readonly paint: EditorPaint;
  /** Whether stretches are coloured. */
  readonly color: boolean;
  /** Earlier entries, the latest last. */
  history(): readonly string[];
  languageOf(text: string): Language;
  /** What the entry becomes when Enter is pressed at its end, before it is asked whether it is complete. */
  mend(text: string): string;
  /** Whether Enter at the end ends the entry. */
  isComplete(text: string): boolean | Promise<boolean>;
  complete(text: string, position: number): Promise<Completion>;
  /** Lets the entry be written elsewhere. */
  openEditor(text: string): Promise<string>;
  /** Called when the person has paused in the middle of an entry. */
  onPause(text: string): void;
}

/** A question that is asked while an entry runs. */
export interface Asked {
  /** What stands before the answer. */
  readonly label: string;
  /** Whether what is typed is not to be seen. */
  readonly isHidden: boolean;
}

/** What a person does with a question: answers it, gives it up with all that asks it, or leaves it. */
export type Answer =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "cancel" }
  | { readonly kind: "none" };

/** Reads entries at a terminal. */
export interface LineEditor {
  /**
   * Reads an entry.
   *
   * @param initial What it begins with.
   * @returns The text, or nothing where the person leaves or the terminal is gone.
   */
  read(initial?: string): Promise<string | undefined>;
  /** Reads an answer, which no history keeps; there is none while an entry is read. */
  ask(asked: Asked): Promise<Answer>;
  /** Gives up the entry that is being typed, as Ctrl-C does; for one that came as a signal. */
  cancel(): void;
  /** Writes above the entry that is being typed; whole lines. */
  printAbovePrompt(text: string): void;
}

/** Long enough for a thought: the compiler holds the keyboard up while it is loaded. */
const PAUSE = 1_000;

/** Creates an editor: keys go through the pure `edit`, states through the pure `layOut`. */
export function createLineEditor(options: LineEditorOptions): LineEditor {
  const { terminal } = options;
  const keyboard = createKeyboard(terminal, {
    pressed: () => void pump(),
    end: () => {
      isEnded = true;
      if (!isBusy && finish !== undefined) end(undefined);
    },
    resize: () => {
      if (!isBusy && drawn.isThere()) draw();
    },
    proceed: () => {
      drawn.forget();
      if (!isBusy && finish !== undefined) draw();
    },
  });
  const drawn = createDrawnEntry(terminal);
  let state = startEditing();
  let finish: ((text: string | undefined) => void) | undefined;
  let asked: (Asked & { isCancelled: boolean }) | undefined;
  let isBusy = false;
  let isEnded = false;
  let pauseTimer: ReturnType<typeof setTimeout> | undefined;

  const EFFECTS: Readonly<Record<Effect, () => void | Promise<void>>> = {
    submit: async () => {
      if (asked === undefined) mend();
      const { text } = state;
      const isAnswer = asked !== undefined || text.trim() === "";
      if (isAnswer || (await options.isComplete(text))) end(text);
      else state = edit(state, { kind: "key", name: "alt-enter" }, []).state;
    },
    cancel: () => {
      if (asked !== undefined) {
        asked.isCancelled = true;
        return end(undefined);
      }
      const wasEmpty = state.text === "";
      close(wasEmpty ? "" : "^C");
      if (wasEmpty) terminal.write("Ctrl-D or .quit leaves\r\n");
      state = startEditing("", state.killed);
    },
    leave: () => end(undefined),
    complete: async () => {
      if (asked !== undefined) return;
      const { text, cursor } = state;
      const completion = await options.complete(text, cursor);
      state = openMenu(state, completion);
    },
    clear: () => {
      terminal.write("\u001b[H\u001b[2J");
      drawn.forget();
    },
    suspend: async () => {
      close("");
      terminal.release();
      await terminal.suspend();
      keyboard.hold();
    },
    "open-editor": async () => {
      // An answer may be a secret, which belongs into no file.
      if (asked !== undefined) return;
      close("");
      terminal.release();
      try {
        const text = toEntryText(await options.openEditor(state.text)).trimEnd();
        state = { ...startEditing(text, state.killed), undo: [{ text: state.text, cursor: 0 }] };
      } finally {
        keyboard.hold();
      }
    },
  };

  async function pump(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    let isChanged = false;
    try {
      while (finish !== undefined) {
        const key = keyboard.next();
        if (key === undefined) break;
        isChanged = true;
        const edited = asked === undefined ? edit(state, key, options.history()) : answer(key);
        state = edited.state;
        if (edited.effect !== undefined) await EFFECTS[edited.effect]();
      }
    } catch (error) {
      // Whatever went wrong in an effect, there has to be a prompt again.
      close("");
      terminal.write(`${error instanceof Error ? error.message : String(error)}\r\n`);
    } finally {
      isBusy = false;
    }
    if (finish === undefined) return;
    if (isEnded) return end(undefined);
    // A paste comes in many pieces: whoever writes it may not read before it is all written.
    if (!isChanged) return;
    draw();
    clearTimeout(pauseTimer);
    if (asked === undefined) pauseTimer = setTimeout(() => options.onPause(state.text), PAUSE);
  }

  function mend(): void {
    const { text, cursor } = state;
    const mended = options.mend(text);
    // What comes in does so above the line of the cursor.
    if (mended !== text) state = change(state, mended, cursor + mended.length - text.length);
  }

  function answer(key: Key): Edited {
    if (key.kind === "key" && key.name === "enter") return { state, effect: "submit" };
    // A search would show what is typed next.
    if (key.kind === "key" && key.name === "ctrl-r") return { state };
    return edit(state, key, []);
  }

  const draw = (): void => drawn.draw(layOut(visible(), layout()));

  const visible = (): typeof state => (asked?.isHidden === true ? startEditing() : state);

  function layout(): Parameters<typeof layOut>[1] {
    const { text } = state;
    const size = { columns: terminal.columns(), rows: terminal.rows() };
    if (asked !== undefined) {
      return { ...options, ...size, prompt: asked.label, continuation: "", stretches: [] };
    }
    return {
      ...options,
      ...size,
      stretches: options.color ? highlight(text, options.languageOf(text)) : [],
    };
  }

  /** Leaves the entry as it stands and goes to the line below it. */
  function close(mark: string): void {
    state = { ...moveTo(state, state.text.length), search: undefined };
    drawn.leave(layOut(visible(), layout()), mark);
  }

  function end(text: string | undefined): void {
    const done = finish;
    finish = undefined;
    clearTimeout(pauseTimer);
    keyboard.rest();
    if (!isEnded) close("");
    terminal.release();
    done?.(text);
  }

  function begin(initial: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (isEnded) {
        resolve(undefined);
        return;
      }
      state = startEditing(initial, state.killed);
      drawn.forget();
      finish = resolve;
      // Who holds the keyboard is told at once of what was typed before, and draws it then.
      keyboard.hold();
      if (!drawn.isThere()) draw();
      void pump();
    });
  }

  return {
    read: (initial = "") => begin(initial),
    ask: async (given) => {
      if (finish !== undefined) return { kind: "none" };
      const { killed } = state;
      const question = { ...given, isCancelled: false };
      state = startEditing();
      asked = question;
      try {
        const text = await begin("");
        if (text !== undefined) return { kind: "answer", text: text.replace(/\n+$/, "") };
        return { kind: question.isCancelled ? "cancel" : "none" };
      } finally {
        asked = undefined;
        // What was cut from an answer must not come back in an entry.
        state = startEditing("", killed);
      }
    },
    cancel: () => {
      if (finish === undefined) return;
      keyboard.press({ kind: "key", name: "ctrl-c" });
    },
    printAbovePrompt: (text) => {
      if (drawn.above(text)) draw();
    },
  };
}
