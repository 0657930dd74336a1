import type { Submission } from "../entry/mod.ts";
import { createDrawnEntry, type DrawnEntry } from "./drawn-entry.ts";
import { edit, openMenu } from "./edit.ts";
import { highlight } from "./highlight.ts";
import { createKeyboard, type Key, type Keyboard } from "./keyboard.ts";
import { type Layout, layOut, menuHeight } from "./lay-out.ts";
import type { Answer, InputQuestion, LineReader, LineReaderOptions } from "./line-reader.ts";
import {
  change,
  type Edited,
  type EditorState,
  type Effect,
  moveTo,
  startEditing,
  toEntryText,
} from "./state.ts";

/** Milliseconds of reading an entry in which a person may have pressed Ctrl-C. */
const BUSY = 20;
/** Long enough to be a pause: each step of loading the compiler blocks the keyboard for a moment. */
const PAUSE = 500;

/** An entry that is left may be taller than the screen; nobody scrolls back through more. */
const MOST_ROWS = 1000;

/** A line editor. Its logic is pure: `edit` maps keys to states, `layOut` maps states to rows. */
export class LineEditor implements LineReader {
  readonly #options: LineReaderOptions;
  readonly #keyboard: Keyboard;
  readonly #drawn: DrawnEntry;
  #state: EditorState = startEditing();
  /** Resolves the pending `read` or `ask`; `isSubmitted` if Enter has ended it. */
  #finish: ((isSubmitted: boolean) => void) | undefined;
  /** The last text that `read` has read. */
  #submission: Submission | undefined;
  #question: (InputQuestion & { isCancelled: boolean }) | undefined;
  /** Whether keys are being handled: an effect may take a while. */
  #isBusy = false;
  /** Whether the terminal is gone. */
  #isClosed = false;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LineReaderOptions) {
    this.#options = options;
    this.#drawn = createDrawnEntry(options.terminal);
    this.#keyboard = createKeyboard(options.terminal, {
      pressed: () => void this.#handleKeys(),
      end: () => {
        this.#isClosed = true;
        if (this.#isIdle()) this.#end(false);
      },
      resize: () => {
        if (!this.#isBusy && this.#drawn.isDrawn()) this.#draw();
      },
      resume: () => {
        this.#drawn.forget();
        if (this.#isIdle()) this.#draw();
      },
    });
  }

  async read(initial = ""): Promise<Submission | undefined> {
    return (await this.#begin(initial)) ? this.#submission : undefined;
  }

  async ask(given: InputQuestion): Promise<Answer> {
    if (this.#finish !== undefined) return { kind: "none" };
    const { killed } = this.#state;
    const question = { ...given, isCancelled: false };
    this.#state = startEditing();
    this.#question = question;
    try {
      if (await this.#begin(""))
        return { kind: "answer", text: this.#state.text.replace(/\n+$/, "") };
      return { kind: question.isCancelled ? "cancel" : "none" };
    } finally {
      this.#question = undefined;
      // Ctrl-Y must not paste what was cut from an answer into an entry.
      this.#state = startEditing("", killed);
    }
  }

  cancel(): void {
    if (this.#finish !== undefined) this.#keyboard.press({ kind: "key", name: "ctrl-c" });
  }

  printAbovePrompt(text: string): void {
    if (this.#drawn.printAbove(text)) this.#draw();
  }

  #begin(initial: string): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#isClosed) {
        resolve(false);
        return;
      }
      this.#state = startEditing(initial, this.#state.killed);
      this.#drawn.forget();
      this.#finish = resolve;
      // May handle keys that were pressed before, and draw.
      this.#keyboard.acquire();
      if (!this.#drawn.isDrawn()) this.#draw();
      void this.#handleKeys();
    });
  }

  #end(isSubmitted: boolean): void {
    const finish = this.#finish;
    this.#finish = undefined;
    clearTimeout(this.#pauseTimer);
    this.#keyboard.stopWaiting();
    if (!this.#isClosed) this.#leaveEntry("");
    this.#options.terminal.release();
    finish?.(isSubmitted);
  }

  #isIdle(): boolean {
    return !this.#isBusy && this.#finish !== undefined;
  }

  async #handleKeys(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    let isChanged = false;
    try {
      while (this.#finish !== undefined) {
        const key = this.#keyboard.next();
        if (key === undefined) break;
        isChanged = true;
        const edited = this.#edit(key);
        this.#state = edited.state;
        if (edited.effect !== undefined) await this.#effects[edited.effect]();
      }
    } catch (error) {
      this.#leaveEntry("");
      this.#write(`${error instanceof Error ? error.message : String(error)}\r\n`);
    } finally {
      this.#isBusy = false;
    }
    if (this.#finish === undefined) return;
    if (this.#isClosed) return this.#end(false);
    // A long paste arrives in chunks; while its end is missing, there is no key to handle.
    if (isChanged) this.#draw();
    clearTimeout(this.#pauseTimer);
    if (this.#question !== undefined) return;
    this.#pauseTimer = setTimeout(() => this.#options.onPause(), PAUSE);
  }

  #edit(key: Key): Edited {
    if (this.#question === undefined) {
      const page = menuHeight(this.#state, this.#layout());
      return edit(this.#state, key, this.#options.history(), page);
    }
    if (key.kind === "key" && key.name === "enter") return { state: this.#state, effect: "submit" };
    // A search would show a hidden answer while it is typed.
    if (key.kind === "key" && key.name === "ctrl-r") return { state: this.#state };
    return edit(this.#state, key, []);
  }

  readonly #effects: Readonly<Record<Effect, () => void | Promise<void>>> = {
    submit: () => this.#submit(),
    cancel: () => this.#cancelEntry(),
    leave: () => this.#end(false),
    complete: () => this.#complete(),
    clear: () => {
      this.#write("\u001b[H\u001b[2J");
      this.#drawn.forget();
    },
    suspend: () => this.#suspend(),
    "open-editor": () => this.#openEditor(),
  };

  async #submit(): Promise<void> {
    if (this.#question !== undefined) return this.#end(true);
    const { text, cursor } = this.#state;
    const startedAt = performance.now();
    const submission = await this.#options.submit(text);
    // The first entries load what understands them, and Ctrl-C is only a key meanwhile.
    const wasBusy = performance.now() - startedAt > BUSY;
    if (wasBusy && (await this.#keyboard.wasCancelled())) return this.#cancelEntry();
    if (submission.text !== text) {
      // Lines are inserted above the cursor.
      const moved = cursor + submission.text.length - text.length;
      this.#state = change(this.#state, submission.text, moved);
    }
    // A terminal that does not mark pastes sends their lines like typed ones, but at once.
    const received = this.#keyboard.receivedLine();
    const goesOn = received !== undefined && this.#options.continues(submission.text, received);
    this.#submission = submission;
    if (submission.isComplete && !goesOn) this.#end(true);
    else this.#state = edit(this.#state, { kind: "key", name: "alt-enter" }, []).state;
  }

  #cancelEntry(): void {
    if (this.#question !== undefined) {
      this.#question.isCancelled = true;
      this.#end(false);
      return;
    }
    const wasEmpty = this.#state.text === "";
    this.#leaveEntry(wasEmpty ? "" : "^C");
    if (wasEmpty) this.#write("Ctrl-D or .quit leaves\r\n");
    this.#state = startEditing("", this.#state.killed);
  }

  async #complete(): Promise<void> {
    if (this.#question !== undefined) return;
    const { text, cursor } = this.#state;
    const completion = await this.#options.complete(text, cursor);
    this.#state = openMenu(this.#state, completion);
  }

  async #suspend(): Promise<void> {
    const { terminal } = this.#options;
    this.#leaveEntry("");
    terminal.release();
    await terminal.suspend();
    this.#keyboard.acquire();
  }

  async #openEditor(): Promise<void> {
    // An answer may be a secret, which must not be written to a file.
    if (this.#question !== undefined) return;
    const { text: before, killed } = this.#state;
    this.#leaveEntry("");
    this.#options.terminal.release();
    try {
      const text = toEntryText(await this.#options.openEditor(before)).trimEnd();
      this.#state = { ...startEditing(text, killed), undo: [{ text: before, cursor: 0 }] };
    } finally {
      this.#keyboard.acquire();
    }
  }

  /** Draws the entry a last time, all of it, and moves to the line below it. */
  #leaveEntry(suffix: string): void {
    const { text } = this.#state;
    this.#state = { ...moveTo(this.#state, text.length), search: undefined };
    const layout = { ...this.#layout(), rows: MOST_ROWS };
    this.#drawn.leave(layOut(this.#visibleState(), layout), suffix);
  }

  #draw(): void {
    this.#drawn.draw(layOut(this.#visibleState(), this.#layout()));
  }

  #visibleState(): EditorState {
    return this.#question?.isHidden === true ? startEditing() : this.#state;
  }

  #layout(): Layout {
    const { terminal, prompt, continuation, paint, color, languageOf } = this.#options;
    const { text } = this.#state;
    const size = { columns: terminal.columns(), rows: terminal.rows(), paint };
    if (this.#question !== undefined) {
      return { ...size, prompt: this.#question.label, continuation: "", stretches: [] };
    }
    const stretches = color ? highlight(text, languageOf(text)) : [];
    return { ...size, prompt, continuation, stretches };
  }

  #write(text: string): void {
    this.#options.terminal.write(text);
  }
}
