import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";

/** Values of an untrusted source, of whatever type they are there. */

/** The elements of an array; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Any value as text; JSON of an object, and nothing for a missing value. */
export function scalarText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Whether a row of a list is left out of what is sent. */
export function isDisabled(row: unknown): boolean {
  return memberOf(row, "disabled") === true || memberOf(row, "enabled") === false;
}

/** A description: a text, or an object that has it as its content. */
export function describedBy(value: unknown): string | undefined {
  return textOf(isRecord(value) ? value["content"] : value);
}

/** The bytes of base64; `undefined` if the text is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    // A DOMException: it is not base64.
    return undefined;
  }
}
