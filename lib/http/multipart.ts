import { nameOfFile, typeOfFile } from "../curl/mod.ts";
import { isNumberText, writtenEntries } from "../interpolation/mod.ts";
import { type BodySource, isSource, type Piece } from "./body-out.ts";

/** The value of a part: text, bytes, a `Blob` or `File`, or one of these with a file name and a type. */
export type MultipartValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | BodySource
  | {
      /** The content, unless `file` is given. */
      readonly value?: string | Uint8Array | BodySource | undefined;
      /** The path of a file. It is opened when the request is sent. */
      readonly file?: string | undefined;
      /** The file name to send; that of `file` by default. */
      readonly filename?: string | undefined;
      /** The media type of the part; that of a file by default is the one of its name. */
      readonly type?: string | undefined;
    };

/** Parts by name, or as pairs as in `FormData`. A list repeats the part. */
export type MultipartInput =
  | { readonly [name: string]: MultipartValue | readonly MultipartValue[] | null | undefined }
  | Iterable<readonly [name: string, value: MultipartValue]>;

interface Part {
  readonly content: Piece;
  readonly filename?: string | undefined;
  readonly type?: string | undefined;
}

const encoder = new TextEncoder();

/**
 * Encodes parts as `multipart/form-data` (RFC 7578, with the names of the HTML Standard). A `Response` of
 * a `FormData` does not do: it has no length, a new boundary for each read, and no files but blobs.
 *
 * @param openFile Opens the files of parts.
 * @throws {TypeError} A part has no content.
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
  return writtenEntries(input as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
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
  if (typeof value !== "object" || value === null || isNumberText(value)) {
    return { content: encoder.encode(crlf(String(value))) };
  }
  const { file: path, filename, type } = value;
  if (typeof path === "string") {
    const name = filename ?? nameOfFile(path);
    return file(await openFile(path), name, type ?? typeOfFile(name));
  }
  const inner = value.value;
  if (typeof inner === "string") return { content: encoder.encode(inner), filename, type };
  if (inner instanceof Uint8Array || isSource(inner)) {
    return file(inner, filename ?? "blob", type);
  }
  throw new TypeError(
    `Cannot encode the part "${name}" of multipart: it has no content; use text, bytes, a Blob, "file" or "value"`,
  );
}

function file(content: Piece, filename: string, type: string | undefined): Part {
  return { content, filename, type: type || "application/octet-stream" };
}

/** Escapes a name as the HTML Standard does: a quote or a line break would end it. */
function quote(name: string): string {
  return crlf(name).replaceAll("\r\n", "%0D%0A").replaceAll('"', "%22");
}

function crlf(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

function oneLine(type: string): string {
  return type.replace(/[\r\n\0]/g, "");
}
