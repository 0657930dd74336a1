import { cutToWidth, textWidth, toVisibleLine } from "../../../lib/display/mod.ts";
import { createKeyboard, type Key, type Keyboard } from "./keyboard.ts";
import type { Terminal } from "./terminal.ts";

const COLORS = new RegExp(`${"\u001b"}\\[[\\d;]*m`, "g");
const HELP = "space, Enter, b back, / search, n next, a all, q quit";
const SHORT_HELP = "space, b, /, n, a, q";

/** Shows a text screen by screen. It writes below earlier output, so that the text stays when it ends. */
export class Screens {
  readonly #terminal: Terminal;
  readonly #lines: readonly string[];
  readonly #keyboard: Keyboard;
  /** The lines of the current screen, from `#first` to the one before `#next`. */
  #first = 0;
  #next = 0;
  #pattern = "";
  #pressed = (): void => undefined;
  #isGone = false;
  #typed: Key[] = [];

  constructor(text: string, terminal: Terminal) {
    this.#terminal = terminal;
    this.#lines = text.replace(/\n$/, "").split("\n");
    this.#keyboard = createKeyboard(terminal, {
      pressed: () => this.#pressed(),
      end: () => {
        this.#isGone = true;
        this.#pressed();
      },
      resize: () => undefined,
    });
  }

  /** Whether the whole text fits on one screen. */
  get fits(): boolean {
    return this.#lines.reduce((rows, line) => rows + this.#heightOf(line), 0) <= this.#screen;
  }

  /** Resolves when the last line is on the screen, or when the person leaves. */
  async show(): Promise<void> {
    this.#write(this.#screen);
    this.#keyboard.acquire();
    try {
      let remark = "";
      while (this.#next < this.#lines.length) {
        const count = this.#lines.length - this.#next;
        const left = `${count} more ${count === 1 ? "line" : "lines"}`;
        const about = `-- ${remark === "" ? left : `${remark}; ${left}`}: `;
        const fits = about.length + HELP.length + 3 < this.#terminal.columns();
        this.#drawStatus(`${about}${fits ? HELP : SHORT_HELP} --`);
        const name = nameOf(await this.#readKey());
        this.#drawStatus("");
        if (LEAVING.has(name)) return;
        remark = (await this.#actions[name]?.()) ?? "";
      }
    } finally {
      this.#keyboard.stopWaiting();
      this.#terminal.release();
    }
  }

  readonly #actions: Readonly<Record<string, () => string | undefined | Promise<string>>> = {
    " ": () => this.#write(this.#screen),
    f: () => this.#write(this.#screen),
    "page-down": () => this.#write(this.#screen),
    enter: () => this.#write(1),
    down: () => this.#write(1),
    j: () => this.#write(1),
    a: () => this.#write(Number.POSITIVE_INFINITY),
    end: () => this.#write(Number.POSITIVE_INFINITY),
    b: () => this.#goBack(),
    "page-up": () => this.#goBack(),
    "/": async () => {
      this.#pattern = (await this.#readPattern()) || this.#pattern;
      return this.#search();
    },
    n: () => this.#search(),
  };

  /** The rows above the status line. */
  get #screen(): number {
    return this.#terminal.rows() - 1;
  }

  #heightOf(line: string): number {
    return Math.max(1, Math.ceil(textWidth(plain(line)) / this.#terminal.columns()));
  }

  /** Writes the next lines. */
  #write(rows: number): undefined {
    let left = rows;
    while (this.#next < this.#lines.length && left > 0) {
      const line = this.#lines[this.#next] ?? "";
      left -= this.#heightOf(line);
      this.#terminal.write(`${line}\r\n`);
      this.#next += 1;
    }
    this.#first = this.#lineAbove(this.#next, this.#screen);
  }

  /** Writes the screen before the current one again. */
  #goBack(): string {
    if (this.#first === 0) return "this is the beginning";
    this.#next = this.#lineAbove(this.#first, this.#screen);
    this.#write(this.#screen);
    return "";
  }

  /** The line that is the given number of rows above another. */
  #lineAbove(index: number, rows: number): number {
    let line = index;
    for (let left = rows; line > 0; line--) {
      left -= this.#heightOf(this.#lines[line - 1] ?? "");
      if (left < 0) break;
    }
    return line;
  }

  /** Writes a screen that begins with the next line that contains the pattern. */
  #search(): string {
    if (this.#pattern === "") return "";
    // As in less with -i: capitals make the case matter.
    const isExact = /\p{Lu}/u.test(this.#pattern);
    const found = this.#lines.findIndex((line, index) => {
      const text = plain(line);
      return index > this.#first && (isExact ? text : text.toLowerCase()).includes(this.#pattern);
    });
    if (found === -1) return `"${this.#pattern}" is not found below`;
    this.#next = found;
    this.#write(this.#screen);
    this.#first = found;
    return "";
  }

  /** Reads what to search for; `undefined` if the person cancels. */
  async #readPattern(): Promise<string | undefined> {
    let text = "";
    for (;;) {
      this.#drawStatus(`/${text}`);
      const key = await this.#readKey();
      const name = nameOf(key);
      if (key.kind !== "key") text += key.text;
      else if (name === "enter" || name === "escape" || name === "ctrl-c" || name === "ctrl-d") {
        this.#drawStatus("");
        return name === "enter" ? text : undefined;
      } else if (name === "backspace") text = [...text].slice(0, -1).join("");
    }
  }

  #drawStatus(text: string): void {
    // A pasted pattern may contain control characters.
    const shown = cutToWidth(toVisibleLine(text), Math.max(1, this.#terminal.columns() - 1));
    this.#terminal.write(`\r\u001b[K${shown}`);
  }

  async #readKey(): Promise<Key> {
    for (;;) {
      const key = this.#typed.shift();
      if (key !== undefined) return key;
      const next = this.#keyboard.next();
      if (next !== undefined) {
        // Keys that are typed fast arrive as one text.
        const texts = next.kind === "key" ? [] : [...next.text];
        this.#typed = next.kind === "key" ? [next] : texts.map((text) => ({ kind: "text", text }));
        continue;
      }
      if (this.#isGone) return { kind: "key", name: "ctrl-d" };
      await new Promise<void>((resolve) => {
        this.#pressed = resolve;
      });
    }
  }
}

const LEAVING: ReadonlySet<string> = new Set(["q", "Q", "escape", "ctrl-c", "ctrl-d"]);

const plain = (line: string): string => line.replace(COLORS, "");

const nameOf = (key: Key): string => (key.kind === "key" ? key.name : key.text);
