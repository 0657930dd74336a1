import type { Completion } from "../../session/mod.ts";
import { edit } from "./edit.ts";
import { highlight, type Language } from "./highlight.ts";
import { createKeyDecoder, type Key } from "./key.ts";
import { type Drawing, type EditorPaint, layOut } from "./lay-out.ts";
import { openMenu } from "./menu.ts";
import { type Edited, type EditorState, type Effect, moveTo, startEditing } from "./state.ts";
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
  interject(text: string): void;
}

/** An escape that no sequence follows within this time is a key, in milliseconds. */
const ESCAPE_PATIENCE = 50;
/** Long enough for a thought: the compiler holds the keyboard up while it is loaded. */
const PAUSE = 1_000;

/** Creates an editor: keys go through the pure `edit`, states through the pure `layOut`. */
export function createLineEditor(options: LineEditorOptions): LineEditor {
  const { terminal } = options;
  const decoder = createKeyDecoder();
  const keys: Key[] = [];
  let state = startEditing();
  let drawn: Drawing | undefined;
  let drawnColumns = 0;
  let finish: ((text: string | undefined) => void) | undefined;
  let asked: (Asked & { isCancelled: boolean }) | undefined;
  let isBusy = false;
  let isEnded = false;
  let escapeTimer: ReturnType<typeof setTimeout> | undefined;
  let pauseTimer: ReturnType<typeof setTimeout> | undefined;

  const EFFECTS: Readonly<Record<Effect, () => void | Promise<void>>> = {
    submit: async () => {
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
      drawn = undefined;
    },
    suspend: async () => {
      close("");
      terminal.release();
      await terminal.suspend();
      hold();
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
        hold();
      }
    },
  };

  async function pump(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    try {
      while (finish !== undefined) {
        const key = keys.shift();
        if (key === undefined) break;
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
    draw();
    clearTimeout(pauseTimer);
    if (asked === undefined) pauseTimer = setTimeout(() => options.onPause(state.text), PAUSE);
  }

  function answer(key: Key): Edited {
    if (key.kind === "key" && key.name === "enter") return { state, effect: "submit" };
    // A search would show what is typed next.
    if (key.kind === "key" && key.name === "ctrl-r") return { state };
    return edit(state, key, []);
  }

  function draw(): void {
    const next = layOut(visible(), layout());
    terminal.write(toStart(found()) + lines(next));
    drawn = next;
    drawnColumns = terminal.columns();
  }

  /** The drawing as the terminal shows it now: its width may have changed since. */
  function found(): Drawing | undefined {
    const columns = terminal.columns();
    return drawn === undefined || columns === drawnColumns ? drawn : reflowed(drawn, columns);
  }

  function visible(): EditorState {
    return asked?.isHidden === true ? startEditing() : state;
  }

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
    const last = layOut(visible(), layout());
    terminal.write(`${toStart(found())}${lines(last)}${mark}\r\n`);
    drawn = undefined;
  }

  function end(text: string | undefined): void {
    const done = finish;
    finish = undefined;
    clearTimeout(pauseTimer);
    clearTimeout(escapeTimer);
    if (!isEnded) close("");
    terminal.release();
    done?.(text);
  }

  function hold(): void {
    terminal.hold({
      data: (chunk) => {
        clearTimeout(escapeTimer);
        keys.push(...decoder.decode(chunk));
        if (decoder.isWaiting) {
          escapeTimer = setTimeout(() => {
            keys.push(...decoder.flush());
            void pump();
          }, ESCAPE_PATIENCE);
        }
        void pump();
      },
      end: () => {
        isEnded = true;
        if (!isBusy && finish !== undefined) end(undefined);
      },
      resize: () => {
        if (!isBusy && drawn !== undefined) draw();
      },
      proceed: () => {
        drawn = undefined;
        if (!isBusy && finish !== undefined) draw();
      },
    });
  }

  function begin(initial: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (isEnded) {
        resolve(undefined);
        return;
      }
      state = startEditing(initial, state.killed);
      drawn = undefined;
      finish = resolve;
      hold();
      draw();
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
      keys.push({ kind: "key", name: "ctrl-c" });
      void pump();
    },
    interject: (text) => {
      if (finish === undefined || drawn === undefined) {
        terminal.write(`\r\u001b[K${text}`);
        return;
      }
      terminal.write(toStart(found()) + text.replace(/\r?\n/g, "\r\n"));
      drawn = undefined;
      draw();
    },
  };
}

/** To the first column of a drawing's first row, everything from there on erased. */
function toStart(drawing: Drawing | undefined): string {
  if (drawing === undefined) return "\r\u001b[J";
  return `\r${up(drawing.cursorRow)}\u001b[J`;
}

function lines({ rows, cursorRow, cursorColumn }: Drawing): string {
  return `${rows.join("\r\n")}\r${up(rows.length - 1 - cursorRow)}${right(cursorColumn)}`;
}

const up = (count: number): string => (count > 0 ? `\u001b[${count}A` : "");
const right = (count: number): string => (count > 0 ? `\u001b[${count}C` : "");

/** A drawing as a terminal shows it after its width has changed: long rows are broken anew. */
function reflowed(drawing: Drawing, columns: number): Drawing {
  const heightOf = (width: number): number => Math.max(1, Math.ceil(width / columns));
  const above = drawing.widths
    .slice(0, drawing.cursorRow)
    .reduce((sum, it) => sum + heightOf(it), 0);
  return { ...drawing, cursorRow: above + Math.floor(drawing.cursorColumn / columns) };
}
