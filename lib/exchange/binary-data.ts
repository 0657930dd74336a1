import { createNumberText } from "../interpolation/mod.ts";
import { toBase64, toBinary } from "./bytes.ts";
import { parseMediaType } from "./charset.ts";
import type { Content } from "./content.ts";

/** Decodes the values that follow each other in a body. */
type Decode = (bytes: Uint8Array) => Iterable<unknown>;

/** A format of data that is no text. */
interface DataFormat {
  readonly name: string;
  readonly types: RegExp;
  /** How a text begins, such as that of an error page, which would be other data in this format. */
  readonly text: RegExp;
  readonly load: () => Promise<Decode>;
}

/** A body above this many bytes is not decoded. */
const LONGEST = 5_000_000;

const FORMATS: readonly DataFormat[] = [
  {
    name: "CBOR",
    types: /^application\/(?:.*\+)?cbor(?:-seq)?$/,
    text: /^\s*[[{<]/,
    load: async () => (await import("cbor2")).decodeSequence,
  },
  {
    name: "MessagePack",
    types: /^application\/(?:(?:x-|vnd\.)?msgpack|.*\+msgpack)$/,
    // Each character is a number.
    text: /^[\t\n\r -~]+$/,
    load: async () => {
      const { decodeMulti } = await import("@msgpack/msgpack");
      return (bytes) => decodeMulti(bytes, { useBigInt64: true });
    },
  },
];

const LIKELY = /cbor|msgpack/i;

const LOADED = new Map<DataFormat, Decode>();

/**
 * The name of the format of a body that is data, but no text (CBOR, RFC 8949; MessagePack, msgpack.org); `undefined`
 * for other bodies, also for an error page under such a type.
 */
export function dataFormat(mediaType: string, content: Content): string | undefined {
  const format = formatOf(mediaType);
  if (format === undefined || content.length === 0) return undefined;
  return format.text.test(toBinary(content.head(64))) ? undefined : format.name;
}

/** Loads what decodes bodies of these Content-Types; `undefined` if there is nothing to load. */
export function loadDecoders(
  ...contentTypes: readonly (string | null | undefined)[]
): Promise<unknown> | undefined {
  // Hardly any response needs one.
  if (!LIKELY.test(contentTypes.join())) return undefined;
  const formats = contentTypes
    .map((contentType) => formatOf(parseMediaType(contentType ?? null).essence))
    .filter((format) => format !== undefined && !LOADED.has(format));
  return Promise.all(
    formats.map(async (format) => format && LOADED.set(format, await format.load())),
  );
}

/**
 * Decodes a body as data of JSON; several values that follow each other are a list.
 *
 * @param mediaType One of a {@link dataFormat}.
 * @throws {SyntaxError} The bytes are not in the format, or too many; the format has not been loaded.
 */
export function decodeData(bytes: Uint8Array, mediaType: string): unknown {
  const format = formatOf(mediaType);
  const decode = format && LOADED.get(format);
  const name = format?.name ?? mediaType;
  if (decode === undefined)
    throw new SyntaxError(`Cannot decode ${name}: its decoder is not loaded`);
  if (bytes.length > LONGEST) throw new SyntaxError(`Cannot decode ${name} above ${LONGEST} bytes`);
  try {
    const values = [...decode(bytes)].map((value) => toData(value));
    return values.length > 1 ? values : values[0];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SyntaxError(`Cannot decode the body as ${name}: ${reason}`, { cause });
  }
}

function formatOf(mediaType: string): DataFormat | undefined {
  if (!LIKELY.test(mediaType)) return undefined;
  return FORMATS.find(({ types }) => types.test(mediaType));
}

/** What JSON has no form for, as JSON would have it: bytes are base64, a date is text, a tag is an object. */
function toData(value: unknown): unknown {
  if (typeof value === "bigint") {
    const isSafe = BigInt.asIntN(54, value) === value;
    return isSafe ? Number(value) : createNumberText(String(value));
  }
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return toBase64(value);
  if (Array.isArray(value)) return value.map(toData);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<unknown>, toData);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toJSON();
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [keyOf(key), toData(item)]));
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain && !("type" in value) && !("tag" in value)) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toData(item)]));
}

function keyOf(key: unknown): string {
  return typeof key === "object" ? JSON.stringify(toData(key)) : String(key);
}
