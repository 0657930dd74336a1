import type { Span } from "../../interpolation/mod.ts";

/** A word of a command line, its quotes taken off. */
export interface Word {
  readonly text: string;
  readonly span: Span;
}

/** Notes that something is wrong at a place. */
export type Report = (span: Span, message: string, hint: string) => void;

/** A command line, taken apart. */
export interface Words {
  readonly words: readonly Word[];
  /** Behind its last line. */
  readonly next: number;
}
