import { type BodySource, isSource, type Piece } from "./pieces.ts";

/** What a part can hold: text, bytes, a `Blob` or `File`, or one of them with its name and type. */
export type MultipartValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | BodySource
  | {
      /** The content; or `file` names one. */
      readonly value?: string | Uint8Array | BodySource;
      /** The path of a file that is opened when the request is sent. */
      readonly file?: string;
      /** What the server is told as the file's name; `file` says it where it is left out. */
      readonly filename?: string;
      /** The media type of the part. */
      readonly type?: string;
    };

/** Parts by name, or as pairs; `FormData` is one. A list is the part several times. */
export type MultipartInput =
  | { readonly [name: string]: MultipartValue | readonly MultipartValue[] | null | undefined }
  | Iterable<readonly [name: string, value: MultipartValue]>;

interface Part {
  readonly content: Piece;
  readonly filename?: string | undefined;
  readonly type?: string | undefined;
}

const encoder = new TextEncoder();

/** A boundary that no text holds by chance. */
export function createBoundary(): string {
  return `restlab-${crypto.randomUUID().replaceAll("-", "")}`;
}

/**
 * Encodes parts as `multipart/form-data`, as the HTML standard has it (RFC 7578). A `FormData` in a
 * `Response` would tell no length, choose another boundary each time that the body is read, and take
 * no file but a `Blob`.
 *
 * @param openFile Opens the files that parts name.
 * @throws {TypeError} A part holds something else.
 */
export async function encodeMultipart(
  input: MultipartInput,
  boundary: string,
  openFile: (path: string) => Promise<BodySource>,
): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const [name, value] of entriesOf(input)) {
    const { content, filename, type } = await toPart(name, value, openFile);
    const file = filename === undefined ? "" : `; filename="${quote(filename)}"`;
    const typed = type === undefined || type === "" ? "" : `\r\nContent-Type: ${oneLine(type)}`;
    pieces.push(
      encoder.encode(
        `--${boundary}\r\nContent-Disposition: form-data; name="${quote(name)}"${file}${typed}\r\n\r\n`,
      ),
      content,
      encoder.encode("\r\n"),
    );
  }
  return [...pieces, encoder.encode(`--${boundary}--\r\n`)];
}

function entriesOf(input: MultipartInput): readonly (readonly [string, MultipartValue])[] {
  if (Symbol.iterator in input) return [...(input as Iterable<readonly [string, MultipartValue]>)];
  return Object.entries(input).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly MultipartValue[]) : [value as MultipartValue])
      .filter((one) => one !== undefined && one !== null)
      .map((one) => [name, one] as const),
  );
}

async function toPart(
  name: string,
  value: MultipartValue,
  openFile: (path: string) => Promise<BodySource>,
): Promise<Part> {
  if (value instanceof Date) return { content: encoder.encode(value.toISOString()) };
  if (value instanceof Uint8Array) return file(value, "blob", undefined);
  if (isSource(value)) {
    const { name: filename, type } = value as { readonly name?: string; readonly type?: string };
    return file(value, filename ?? "blob", type);
  }
  if (typeof value !== "object" || value === null || "isLosslessNumber" in value) {
    return { content: encoder.encode(crlf(String(value))) };
  }
  const { file: path, filename, type } = value;
  if (typeof path === "string") {
    return file(await openFile(path), filename ?? path.replace(/^.*[\\/]/, ""), type);
  }
  const inner = value.value;
  if (typeof inner === "string") return { content: encoder.encode(inner), filename, type };
  if (inner instanceof Uint8Array || isSource(inner)) {
    return file(inner, filename ?? "blob", type);
  }
  throw new TypeError(
    `Cannot encode the part "${name}" of multipart: it has no content; give text, bytes, a Blob, "file" or "value"`,
  );
}

function file(content: Piece, filename: string, type: string | undefined): Part {
  return { content, filename, type: type || "application/octet-stream" };
}

/** The HTML standard's way for names: a quote or a line break would end them. */
function quote(name: string): string {
  return crlf(name).replaceAll("\r\n", "%0D%0A").replaceAll('"', "%22");
}

function crlf(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

function oneLine(type: string): string {
  return type.replace(/[\r\n\0]/g, "");
}
