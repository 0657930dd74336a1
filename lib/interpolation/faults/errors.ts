import type { Fault, Faulty } from "./fault.ts";

/**
 * A list of faults holds this many at most; one more entry then says that others follow. A person
 * does not read further, and a hostile text must not fill the memory.
 */
export const FAULT_LIMIT = 100;

/** A template has placeholders that begin like a path and are broken. Nothing was rendered. */
export class TemplateSyntaxError extends SyntaxError implements Faulty {
  /** The name of the class. */
  override readonly name: string = "TemplateSyntaxError";
  /** The text that is wrong. */
  readonly source: string;
  /** All that is wrong with it, in the order of the text. */
  readonly faults: readonly Fault[];

  /**
   * Makes the message from the faults.
   *
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault.
   */
  constructor(source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
}

/** Placeholders name variables, properties or elements that do not exist. Nothing was sent. */
export class UnresolvedPlaceholderError extends ReferenceError implements Faulty {
  /** The name of the class. */
  override readonly name: string = "UnresolvedPlaceholderError";
  /** The text that is wrong. */
  readonly source: string;
  /** All that is wrong with it, in the order of the text. */
  readonly faults: readonly Fault[];

  /**
   * Makes the message from the faults.
   *
   * @param source The text that the spans of the faults refer to.
   * @param faults At least one fault.
   */
  constructor(source: string, faults: readonly Fault[]) {
    super(summarizeFaults(faults));
    this.source = source;
    this.faults = faults;
  }
}

/**
 * Puts faults into the words of an error's message: one line each, with line, column and hint.
 *
 * @param faults The faults, in the order in which they are to be told.
 */
export function summarizeFaults(faults: readonly Fault[]): string {
  return faults
    .map(({ message, line, column, hint }) => {
      const told = `${message} (line ${line}, column ${column})`;
      return hint === undefined ? told : `${told}. ${hint}`;
    })
    .join("\n");
}
