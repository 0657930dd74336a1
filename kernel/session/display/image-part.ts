import { Buffer } from "node:buffer";

/** Media types of images by the first bytes, as Latin-1. */
const SIGNATURES: readonly (readonly [bytes: RegExp, mediaType: string])[] = [
  [/^\x89PNG\r\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF[\s\S]{4}WEBP/, "image/webp"],
  [/^BM/, "image/bmp"],
  [/^[\s\S]{4}ftypavif/, "image/avif"],
];

const DATA_URL = /^data:(image\/[\w.+-]+);base64,/;

/**
 * An image as a bundle.
 *
 * @param image Its bytes, base64 or a data URL.
 * @param type Its media type, if its bytes do not show it.
 * @throws {TypeError} It is not an image.
 */
export function imagePart(image: unknown, type?: string): Readonly<Record<string, string>> {
  const base64 = toBase64(image);
  const start = Buffer.from(base64.slice(0, 32), "base64").toString("latin1");
  const found = SIGNATURES.find(([bytes]) => bytes.test(start))?.[1];
  const mediaType = type ?? found;
  if (mediaType !== undefined && /^image\/(?!svg)/.test(mediaType)) return { [mediaType]: base64 };
  throw new TypeError(
    "Calling display.image failed: the bytes are not a PNG, JPEG, GIF, WebP, AVIF or BMP image; " +
      'display.svg shows SVG, and the option "type" names another media type',
  );
}

function toBase64(image: unknown): string {
  if (typeof image === "string") return image.replace(DATA_URL, "").replace(/\s+/g, "");
  if (image instanceof ArrayBuffer) return Buffer.from(image).toString("base64");
  if (!ArrayBuffer.isView(image)) {
    throw new TypeError(
      "Calling display.image failed: give bytes, base64, a data URL or an answer",
    );
  }
  return Buffer.from(image.buffer, image.byteOffset, image.byteLength).toString("base64");
}
