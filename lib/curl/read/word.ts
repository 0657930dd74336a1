import type { Span } from "../../interpolation/mod.ts";

/** A word of a command line without its quotes. */
export interface Word {
  readonly text: string;
  readonly span: Span;
}

/** Reports a fault. */
export type Report = (span: Span, message: string, hint: string) => void;

/** The words of a command line. */
export interface Words {
  readonly words: readonly Word[];
  /** The start of the line after it. */
  readonly next: number;
}
