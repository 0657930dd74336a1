import { isRecord } from "./blocks/mod.ts";
import { DISPLAY, type MimeBundle } from "./bundles/mod.ts";
import { isExchange } from "./value.ts";

/** The method by which a value shows itself; an Exchange has one, yet it leads back to this folder. */
export function displayMethod(value: unknown): (() => unknown) | undefined {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    return undefined;
  }
  const method: unknown = Reflect.get(value, DISPLAY);
  return typeof method === "function" && !isExchange(value) ? method.bind(value) : undefined;
}

/**
 * What a value said of itself, where it is a bundle: an object whose keys are media types.
 *
 * @throws {TypeError} A part of it is neither text nor data: no notebook could hold it.
 */
export function toBundle(value: unknown): MimeBundle | undefined {
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => key.includes("/"))) return undefined;
  for (const key of keys) if (typeof value[key] !== "string") checkData(key, value[key]);
  const plain = value["text/plain"];
  return typeof plain === "string" ? (value as MimeBundle) : { ...value, "text/plain": "" };
}

function checkData(mediaType: string, part: unknown): void {
  try {
    JSON.stringify(part, (_key, item: unknown) => (typeof item === "bigint" ? 0 : item));
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split("\n", 1);
    throw new TypeError(`Cannot show the value as ${mediaType}: it is not JSON (${reason})`, {
      cause,
    });
  }
}
