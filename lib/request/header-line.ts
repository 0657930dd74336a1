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

/** A JSON MIME type without its parameters (WHATWG MIME Sniffing, 4.6): `application/json`, `text/json`, `+json`. */
export const JSON_TYPE: RegExp = /^(?:application|text)\/json$|\+json$/;

/** Whether a Content-Type is that of JSON. */
export function isJsonType(contentType: string): boolean {
  return JSON_TYPE.test(mediaTypeOf(contentType));
}

/** Whether a Content-Type is that of the fields of a form. */
export function isFormType(contentType: string): boolean {
  return mediaTypeOf(contentType) === "application/x-www-form-urlencoded";
}

/** Whether a text without a Content-Type is taken for JSON: it begins with `{` or `[`. */
export function beginsAsJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function mediaTypeOf(contentType: string): string {
  return contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
