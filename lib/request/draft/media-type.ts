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
