/** A field name (RFC 9110, 5.1). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Splits `Name: value`.
 *
 * @returns `undefined` if the text is not a header.
 */
export function splitHeader(text: string): readonly [name: string, value: string] | undefined {
  const colon = text.indexOf(":");
  const name = text.slice(0, Math.max(0, colon)).trimEnd();
  return isHeaderName(name) ? [name, text.slice(colon + 1)] : undefined;
}

/** The value of the first header of a name, which is given in lower case. */
export function findHeader(
  headers: readonly (readonly [name: string, value: string])[],
  lowerName: string,
): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}
