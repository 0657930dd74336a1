import type { Fault, Faulty } from "./fault.ts";

/**
 * The maximum number of faults in a list; one more entry then says that others follow. Nobody reads
 * further, and a hostile text must not fill the memory.
 */
export const FAULT_LIMIT = 100;

/**
 * A template has placeholders that begin like a path and are broken. Nothing was rendered.
 *
 * @example
 * ```ts
 * try {
 *   interpolate("/users/{{user..id}}", {});
 * } catch (error) {
 *   error instanceof TemplateSyntaxError; // true
 * }
 * ```
 */
export class TemplateSyntaxError extends SyntaxError implements Faulty {
  /** The name of the class. */
  override readonly name: string = "TemplateSyntaxError";
  /** The source text. */
  readonly source: string;
  /** Its faults, in the order of the text. */
  readonly faults: readonly Fault[];

  /**
   * Creates the error; its message lists the faults.
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
 * Placeholders name variables, properties or elements that do not exist. Nothing was sent.
 *
 * @example
 * ```ts
 * try {
 *   interpolate("{{host}}/{{path}}", {});
 * } catch (error) {
 *   error.faults.map(({ column }) => column); // [1, 10]
 * }
 * ```
 */
export class UnresolvedPlaceholderError extends ReferenceError implements Faulty {
  /** The name of the class. */
  override readonly name: string = "UnresolvedPlaceholderError";
  /** The source text. */
  readonly source: string;
  /** Its faults, in the order of the text. */
  readonly faults: readonly Fault[];

  /**
   * Creates the error; its message lists the faults.
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
 * Writes the message of an error: one line for each fault, with line, column and hint.
 *
 * @param faults The faults, in the order of the text.
 */
export function summarizeFaults(faults: readonly Fault[]): string {
  return faults
    .map(({ message, line, column, hint }) => {
      const text = `${message} (line ${line}, column ${column})`;
      return hint === undefined ? text : `${text}. ${hint}`;
    })
    .join("\n");
}
