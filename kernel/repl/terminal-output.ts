import { toVisibleText } from "../../lib/display/mod.ts";
import type { Platform } from "../platform/mod.ts";
import type { OutputSink, Shown } from "../session/cell/mod.ts";
import type { Cell, Session } from "../session/mod.ts";
import {
  createProgress,
  createTerminalPrinter,
  type Progress,
  type TerminalPrinter,
} from "../terminal/mod.ts";
import {
  createEditorPaint,
  highlight,
  type LineReader,
  paintText,
  type Terminal,
} from "./editor/mod.ts";
import { drawImage } from "./image.ts";
import type { EntryOutput } from "./runner.ts";
import { describeShowError } from "./write-result.ts";

/** After how many milliseconds of waiting typed keys are hidden, which are read afterwards. */
const HIDE_AFTER = 200;

/** The output of a prompt: what entries print and return, in colours, with a pager for what is long. */
export class TerminalOutput implements EntryOutput {
  readonly progress: Progress;
  readonly errors: TerminalPrinter;
  /** Prints what commands report. */
  readonly printer: TerminalPrinter;
  readonly #session: Session;
  readonly #platform: Platform;
  readonly #reader: LineReader;
  readonly #page: (text: string) => Promise<void>;
  readonly #terminal: Pick<Terminal, "setEcho"> | undefined;
  #hiding: ReturnType<typeof setTimeout> | undefined;
  #isEchoHidden = false;
  #isRunning = false;
  /** Whether the output of the entry has not ended its last line. */
  #isInLine = false;

  /**
   * @param page Shows a text that may be longer than the screen.
   * @param terminal Hides what is typed while an entry runs.
   */
  constructor(
    session: Session,
    platform: Platform,
    reader: LineReader,
    page: (text: string) => Promise<void>,
    terminal?: Pick<Terminal, "setEcho">,
  ) {
    const { secrets } = session.client;
    this.#session = session;
    this.#platform = platform;
    this.#reader = reader;
    this.#page = page;
    this.#terminal = terminal;
    this.progress = createProgress(platform.stdout, true);
    this.printer = createTerminalPrinter(platform.stdout, { secrets });
    this.errors = createTerminalPrinter(platform.stderr, { secrets });
  }

  started(): void {
    this.#isRunning = true;
    this.#isInLine = false;
    if (this.#terminal !== undefined)
      this.#hiding = setTimeout(() => this.#setEcho(false), HIDE_AFTER);
  }

  sinkFor(cell: Cell): OutputSink {
    if (cell.kind === "typescript" && !this.#session.isWarm) {
      this.progress.announce("loading TypeScript");
    }
    return {
      stream: (name, piece) => this.#print(name, piece),
      display: ({ value, display = value }) => this.#display(display),
      streamItem: (piece) => this.#print("stdout", piece),
    };
  }

  ended(): void {
    clearTimeout(this.#hiding);
    if (this.#isEchoHidden) this.#setEcho(true);
    if (this.#isInLine) this.#platform.stdout.write("\n");
    this.#isInLine = false;
    this.#isRunning = false;
  }

  async result(shown: Shown | undefined): Promise<boolean> {
    await this.show(shown?.display ?? shown?.value);
    return true;
  }

  aborted(): void {
    this.errors.line("Interrupted");
  }

  /** Shows a value, as the result of an entry is shown. */
  async show(value: unknown): Promise<void> {
    if (value === undefined) return;
    await this.#page(this.#textOf(value));
    this.#drawImage(value);
  }

  /**
   * Shows in the pager what `print` writes to its printer.
   *
   * @param columns The width that lines are cut to, by default that of the terminal.
   */
  async page(print: (printer: TerminalPrinter) => void, columns?: number): Promise<void> {
    await this.#page(this.#written(print, { headers: "listed" }, columns));
  }

  /** Shows text in the pager, highlighted as a language. */
  async pageText(text: string, language?: "json" | "request"): Promise<void> {
    const { color } = this.#platform.stdout;
    const visible = toVisibleText(this.#session.client.secrets.mask(text));
    const stretches = language === undefined || !color ? [] : highlight(visible, language);
    const painted = paintText(visible, stretches, createEditorPaint(color));
    await this.#page(`${painted.replace(/\n$/, "")}\n`);
  }

  /** Ends the line that the output of the entry has begun, before a question. */
  endLine(): void {
    if (this.#isInLine) this.#platform.stdout.write("\n");
    this.#noteWritten("\n");
  }

  /** Shows a question of the code of a cell, which waits for the answer. */
  beginQuestion(message: string): void {
    clearTimeout(this.#hiding);
    const text = this.#session.client.secrets.mask(message);
    this.#platform.stdout.write(this.printer.visible(text), true);
    // The terminal ends the line of the answer.
    this.#isInLine = false;
  }

  #setEcho(isOn: boolean): void {
    this.#terminal?.setEcho(isOn);
    this.#isEchoHidden = !isOn;
  }

  #print(name: "stdout" | "stderr", text: string): void {
    const visible = this.printer.visible(text);
    // A timer may print while the next entry is typed.
    if (!this.#isRunning) {
      this.#reader.printAbovePrompt(visible.endsWith("\n") ? visible : `${visible}\n`);
      return;
    }
    this.progress.clear();
    this.#platform[name].write(visible);
    this.#noteWritten(visible);
  }

  #noteWritten(text: string): void {
    if (text !== "") this.#isInLine = !text.endsWith("\n");
    this.progress.written(text);
  }

  #display(value: unknown): void {
    const text = this.#textOf(value);
    if (!this.#isRunning) {
      this.#reader.printAbovePrompt(text);
      return;
    }
    this.progress.clear();
    this.#platform.stdout.write(text);
    this.#drawImage(value);
  }

  #drawImage(value: unknown): void {
    const { stdout, environment } = this.#platform;
    const image = stdout.isTerminal ? drawImage(value, environment) : undefined;
    if (image !== undefined) stdout.write(image);
  }

  #textOf(value: unknown): string {
    const { client } = this.#session;
    return this.#written(
      (printer) => {
        try {
          printer.value(value);
        } catch (error) {
          printer.line(describeShowError(error));
        }
      },
      {
        more: (hidden) => {
          if (value !== client.history.at(-1)) return undefined;
          return hidden === "rows" ? ".view table" : ".view";
        },
      },
    );
  }

  /** The text that `print` writes to a printer. */
  #written(
    print: (printer: TerminalPrinter) => void,
    options: Parameters<typeof createTerminalPrinter>[1],
    width?: number,
  ): string {
    const { secrets } = this.#session.client;
    let text = "";
    const write = (piece: string): void => {
      text += piece;
    };
    const { stdout } = this.#platform;
    const columns = width === undefined ? stdout.columns : () => width;
    print(createTerminalPrinter({ ...stdout, write, columns }, { ...options, secrets }));
    return text;
  }
}
