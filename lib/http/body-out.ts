import { decodeText, UnsendableRequestError } from "../exchange/mod.ts";
import { messageOf, parseTemplate, renderTemplate, type Variables } from "../interpolation/mod.ts";
import {
  type BodyFile,
  type BodyMixture,
  beginsAsJson,
  charsetOf,
  encodeText,
  encodingLabel,
  explainMissing,
  findHeader,
  type RenderedRequest,
} from "../request/mod.ts";
import type { RenderTextOptions } from "./options.ts";
import type { ResolvedRequest } from "./outgoing.ts";

const encoder = new TextEncoder();

/** Bytes that can be read repeatedly: a `Blob`, an opened file. */
export interface BodySource {
  /** In bytes. */
  readonly size: number;
  /** Starts a new read. */
  stream(): ReadableStream<Uint8Array>;
}

/** A part of a body. */
export type Piece = Uint8Array | BodySource;

/** A body that is not held in memory. */
export interface StreamedBody {
  /** The discriminant. */
  readonly kind: "streamed";
  /** In bytes; unknown if it is compressed while it is sent. */
  readonly size: number | undefined;
  /** The path of the file, if the whole body is one. */
  readonly path?: string | undefined;
  /** Starts a new read, one for each hop of a redirect. */
  stream(): ReadableStream<Uint8Array>;
  /** Why a read failed. It is kept because the fetch of Deno loses the reason. */
  readonly failure?: Error | undefined;
}

/** Bodies up to this size are kept in memory, so that the exchange can show them. */
const IN_MEMORY_LIMIT = 1_048_576;

/** Whether a body is streamed. */
export function isStreamed(body: unknown): body is StreamedBody {
  return typeof body === "object" && body !== null && "kind" in body && body.kind === "streamed";
}

/** Whether a value can be read as a source. */
export function isSource(value: unknown): value is BodySource {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<BodySource>).size === "number" &&
    typeof (value as Partial<BodySource>).stream === "function"
  );
}

/**
 * Joins pieces: to bytes up to 1 MiB, beyond it to a stream if there are sources among them.
 *
 * @param path The path of the file, if the whole body is one.
 */
export async function joinPieces(
  pieces: readonly Piece[],
  path?: string,
): Promise<Uint8Array | StreamedBody> {
  const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
  let failure: Error | undefined;
  const stream = (): ReadableStream<Uint8Array> =>
    streamPieces(pieces, (error) => {
      failure = error;
    });
  if (size > IN_MEMORY_LIMIT && pieces.some(isSource)) {
    return {
      kind: "streamed",
      size,
      ...(path === undefined ? {} : { path }),
      stream,
      get failure() {
        return failure;
      },
    };
  }
  return new Uint8Array(await new Response(stream() as ReadableStream<BufferSource>).arrayBuffer());
}

function sizeOf(piece: Piece): number {
  return piece instanceof Uint8Array ? piece.byteLength : piece.size;
}

/** A body could not be read while it was sent. */
export class BodyError extends Error {
  override readonly name = "BodyError";
}

/**
 * Streams the pieces in order and opens each when its turn comes. A source must keep its size, since the
 * Content-Length is sent first: the server would read excess bytes as the next request, and would wait
 * for missing ones.
 */
function streamPieces(
  pieces: readonly Piece[],
  onFailure: (error: Error) => void,
): ReadableStream<Uint8Array> {
  const fail = (message: string, cause?: unknown): never => {
    const error = new BodyError(message, { cause });
    onFailure(error);
    reader?.cancel().catch(() => undefined);
    throw error;
  };
  const rest = [...pieces];
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let size = 0;
  let read = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        if (reader === undefined) {
          const piece = rest.shift();
          if (piece === undefined) return controller.close();
          if (piece instanceof Uint8Array) {
            if (piece.byteLength === 0) continue;
            return controller.enqueue(piece);
          }
          ({ size } = piece);
          read = 0;
          reader = piece.stream().getReader();
        }
        const step = await reader
          .read()
          .catch((cause) => fail(cause instanceof Error ? cause.message : String(cause), cause));
        if (!step.done) {
          read += step.value.byteLength;
          if (read > size) fail(`it grew beyond its ${size} bytes while it was read`);
          return controller.enqueue(step.value);
        }
        if (read < size) fail(`it ended after ${read} of its ${size} bytes`);
        reader = undefined;
      }
    },
    async cancel(reason) {
      rest.length = 0;
      await reader?.cancel(reason);
    },
  });
}

/** The content codings that every runtime can write. */
export type Compression = "gzip" | "deflate";

/** Whether a word is a content coding that every runtime can write. */
export function isCompression(word: unknown): word is Compression {
  return word === "gzip" || word === "deflate";
}

/** Compresses a body; a streamed body while it is sent. */
export async function compressBody(
  body: Uint8Array | StreamedBody,
  compression: Compression,
): Promise<Uint8Array | StreamedBody> {
  if (isStreamed(body)) {
    return {
      kind: "streamed",
      size: undefined,
      stream: () => compressed(body.stream()),
      get failure() {
        return body.failure;
      },
    };
  }
  const source = new Response(body as BodyInit).body;
  if (source === null) return new Uint8Array(0);
  return new Uint8Array(await new Response(compressed(source)).arrayBuffer());

  function compressed(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
    // The types of the runtimes disagree about the buffers of a stream.
    return (stream as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
      new CompressionStream(compression),
    );
  }
}

/** How a client accesses files. Without either function, bodies from files are refused. */
export interface FileAccess {
  /** Reads the file of a body such as `< users.json`. */
  readonly readFile?: ((path: string) => Promise<Uint8Array>) | undefined;
  /**
   * Opens the file of a body, as a `Blob` for example. Files above 1 MiB are then streamed and not kept
   * in memory.
   */
  readonly openFile?: ((path: string) => Promise<BodySource>) | undefined;
}

/**
 * Opens a file to send it unchanged, or reads it if the client cannot open files.
 *
 * @throws {UnsendableRequestError} It cannot be read, or the client has no access to files.
 */
export async function openSource(path: string, files: FileAccess): Promise<BodySource> {
  const { openFile } = files;
  if (openFile !== undefined) return await orExplain(path, "the body", () => openFile(path));
  return new Blob([new Uint8Array(await readSource(path, files))]);
}

/**
 * Reads a whole file.
 *
 * @param what What the file is for, for the error message.
 * @throws {UnsendableRequestError} It cannot be read, or the client has no access to files.
 */
export async function readSource(
  path: string,
  files: FileAccess,
  what = "the body",
): Promise<Uint8Array> {
  const { openFile, readFile } = files;
  if (readFile !== undefined) return await orExplain(path, what, () => readFile(path));
  if (openFile !== undefined) {
    return await orExplain(path, what, async () => {
      const stream = (await openFile(path)).stream() as ReadableStream<BufferSource>;
      return new Uint8Array(await new Response(stream).arrayBuffer());
    });
  }
  throw new UnsendableRequestError(
    `Cannot read ${what} from "${path}": this client has no access to files; ` +
      "pass readFile to createClient",
  );
}

async function orExplain<T>(path: string, what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const message = `Cannot read ${what} from "${path}": ${messageOf(cause)}`;
    throw new UnsendableRequestError(message, { cause });
  }
}

interface BodyAccess {
  readonly files: FileAccess;
  readonly variables: Variables;
  readonly missing: "error" | "keep";
}

/**
 * Reads the files of a request's body. A file without placeholders is streamed if the client can open
 * files.
 *
 * @throws {UnsendableRequestError} A file cannot be read.
 */
export async function resolveBody(
  request: RenderedRequest,
  variables: Variables,
  files: FileAccess,
  { missing = "error" }: RenderTextOptions,
): Promise<ResolvedRequest> {
  const { body } = request;
  if (typeof body !== "object") return { ...request, body };
  return { ...request, body: await readBody(body, request, { variables, missing, files }) };
}

async function readBody(
  body: BodyFile | BodyMixture,
  request: RenderedRequest,
  access: BodyAccess,
): Promise<string | Uint8Array | StreamedBody> {
  if ("pieces" in body) {
    const pieces: Piece[] = [];
    for (const piece of body.pieces) {
      if (typeof piece === "string") pieces.push(encodeBody(piece, request));
      else if (piece.bytes !== undefined) pieces.push(piece.bytes);
      else if (piece.change !== undefined) {
        pieces.push(CHANGES[piece.change](await readSource(piece.path, access.files)));
      } else if (!piece.interpolated) pieces.push(await openSource(piece.path, access.files));
      else pieces.push(encodeBody(await readInterpolated(piece, access), request));
    }
    return await joinPieces(pieces);
  }
  if (body.interpolated) return await readInterpolated(body, access);
  return access.files.openFile === undefined
    ? await readSource(body.path, access.files)
    : await joinPieces([await openSource(body.path, access.files)], body.path);
}

/**
 * Encodes a text of a body in the charset of its Content-Type.
 *
 * @throws {UnsendableRequestError} The charset lacks a character.
 */
export function encodeBody(
  text: string,
  { headers, exact }: Pick<RenderedRequest, "headers" | "exact">,
): Uint8Array<ArrayBuffer> {
  const charset = exact ? undefined : charsetOf(findHeader(headers, "content-type"));
  const encoded = encodeText(text, charset);
  if ("bytes" in encoded) return encoded.bytes;
  throw new UnsendableRequestError(explainMissing(encoded.missing, charset ?? ""));
}

/**
 * The URL of a request, with the files in it.
 *
 * @throws {UnsendableRequestError} A file cannot be read.
 */
export async function resolveUrl(
  { url, urlWithFiles }: RenderedRequest,
  files: FileAccess,
): Promise<string> {
  if (urlWithFiles === undefined) return url;
  const texts = urlWithFiles.map(async (piece) => {
    if (typeof piece === "string") return piece;
    const bytes = await readSource(piece.path, files, "the query");
    return new TextDecoder().decode(CHANGES.encoded(bytes));
  });
  return (await Promise.all(texts)).join("");
}

const UNRESERVED = /[\w.~-]/;

const decoder = new TextDecoder();

/** A text as in a string of JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const CHANGES: Readonly<
  Record<NonNullable<BodyFile["change"]>, (bytes: Uint8Array) => Uint8Array>
> = {
  unbroken: (bytes) => bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d && byte !== 0),
  json: (bytes) => encoder.encode(inJson(decoder.decode(bytes))),
  "trimmed-json": (bytes) => encoder.encode(inJson(decoder.decode(bytes).trim())),
  encoded: (bytes) => encoder.encode(Array.from(bytes, percentEncode).join("")),
};

function percentEncode(byte: number): string {
  const character = String.fromCharCode(byte);
  if (UNRESERVED.test(character)) return character;
  return byte === 0x20 ? "+" : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

async function readInterpolated(file: BodyFile, access: BodyAccess): Promise<string> {
  const bytes = await readSource(file.path, access.files);
  const label = encodingLabel(file.encoding ?? "utf-8");
  if (label === undefined) {
    throw new UnsendableRequestError(
      `Cannot read the body from "${file.path}": the encoding "${file.encoding}" is not supported`,
    );
  }
  const { text } = decodeText(bytes, { essence: "", charset: label });
  const place = file.place ?? (beginsAsJson(text) ? "json" : "text");
  const { variables, missing } = access;
  return renderTemplate(parseTemplate(text), variables, place, { missing });
}
