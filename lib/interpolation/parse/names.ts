const NAME = /[\p{L}_][\p{L}\p{M}\p{Nd}_-]*/uy;
const PROPERTY = /[\p{L}\p{M}\p{Nd}_-]*/uy;
const WHOLE_NAME = new RegExp(`^${NAME.source}$`, "u");

/** Where the variable name that begins at an index ends; the index itself when none begins there. */
export function nameEnd(text: string, index: number): number {
  return endOf(NAME, text, index);
}

/** Where the property name that begins at an index ends; the index itself when none begins there. */
export function propertyEnd(text: string, index: number): number {
  return endOf(PROPERTY, text, index);
}

/**
 * Whether a placeholder can name a variable: its name is a letter of any script or `_`, followed by
 * letters, combining marks, digits, `_` and `-`.
 *
 * @param name The name as it would be given to `setVar`.
 */
export function isReachableName(name: string): boolean {
  return WHOLE_NAME.test(name);
}

function endOf(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}
