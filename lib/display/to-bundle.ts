import { toBase64 } from "../exchange/mod.ts";
import { isRecord } from "../interpolation/mod.ts";
import { isPlainObject } from "./block.ts";
import type { MimeBundle } from "./bundle-of.ts";
import { formatBytes } from "./units.ts";

/** The characters of all parts together; a larger bundle would stop a front end, and fill its notebook. */
const MOST = 10_000_000;

const MEDIA_TYPE = /^[a-z]+\/[\w!#$&^.+-]+$/i;
/** Media types whose content is text, even if a program provides bytes. */
const TEXTUAL = /^text\/|\/(?:svg|html|xml)|\+xml$|\/(?:x-)?(?:java|ecma)script$/i;
/** Media types whose content is bytes, which a bundle contains in base64. */
const BINARY = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|octet-stream)$/i;

/** Whether a value is an object literal whose keys are media types. */
export function looksLikeBundle(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => MEDIA_TYPE.test(key));
}

/**
 * Converts what a display method has returned to a bundle, if it is an object with media types as keys. Bytes
 * become base64.
 *
 * @throws {TypeError} A part of it is neither text nor JSON, or all parts together are too large.
 */
export function toBundle(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => key.includes("/"))) return undefined;
  let size = 0;
  const parts = keys.map((mediaType): readonly [string, unknown] => {
    const part = toPart(mediaType, value[mediaType]);
    size += typeof part === "string" ? part.length : lengthOfJson(mediaType, part);
    if (size > MOST) {
      const limit = `at most ${formatBytes(MOST)} can be shown`;
      throw new TypeError(
        `Cannot show the value as ${mediaType}: it is ${formatBytes(size)}; ${limit}`,
      );
    }
    return [mediaType, part];
  });
  const isChanged = parts.some(([mediaType, part]) => part !== value[mediaType]);
  return isChanged ? Object.fromEntries(parts) : (value as MimeBundle);
}

function toPart(mediaType: string, part: unknown): unknown {
  const isBytes = ArrayBuffer.isView(part) || part instanceof ArrayBuffer;
  if (isBytes && BINARY.test(mediaType) && !TEXTUAL.test(mediaType)) return encode(part);
  const isText = TEXTUAL.test(mediaType) || BINARY.test(mediaType);
  if (typeof part === "string" || !(isText || isBytes || isNoJson(part))) return part;
  const wanted = isText ? "a string" : "a string or JSON";
  throw new TypeError(`Cannot show the value as ${mediaType}: ${describe(part)} is not ${wanted}`);
}

function isNoJson(part: unknown): boolean {
  return part === undefined || typeof part === "function" || typeof part === "symbol";
}

function describe(part: unknown): string {
  if (part === null || part === undefined) return String(part);
  if (Array.isArray(part)) return "an array";
  return typeof part === "object" ? "an object" : `a ${typeof part}`;
}

function lengthOfJson(mediaType: string, part: unknown): number {
  try {
    const toText = (_key: string, item: unknown): unknown =>
      typeof item === "bigint" ? String(item) : item;
    return JSON.stringify(part, toText)?.length ?? 0;
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split("\n", 1);
    throw new TypeError(`Cannot show the value as ${mediaType}: it is not JSON (${reason})`, {
      cause,
    });
  }
}

function encode(bytes: ArrayBufferView | ArrayBuffer): string {
  if (!ArrayBuffer.isView(bytes)) return toBase64(new Uint8Array(bytes));
  return toBase64(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
