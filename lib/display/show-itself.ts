import { jupyterDisplay } from "../exchange/mod.ts";
import { isRecord } from "./blocks/mod.ts";
import type { MimeBundle } from "./bundles/mod.ts";
import { isExchange } from "./value.ts";

/** The display method of a value. That of an exchange calls this folder, and is not used. */
export function displayMethod(value: unknown): (() => unknown) | undefined {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    return undefined;
  }
  const method: unknown = Reflect.get(value, jupyterDisplay);
  return typeof method === "function" && !isExchange(value) ? method.bind(value) : undefined;
}

/**
 * Converts the result of a display method to a bundle, if it is an object with media types as keys.
 *
 * @throws {TypeError} A part of it is neither text nor JSON.
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
