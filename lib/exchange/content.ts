import { parseJson } from "../json/mod.ts";
import { combineSecrets, type Secrets } from "../secrets/mod.ts";
import { dataFormat, decodeData } from "./binary-data.ts";
import { type DecodedText, decodeText, LOOKED_AT, type MediaType } from "./charset.ts";
import { type Exchange, type Sizes, sentHeaders } from "./exchange.ts";

/** The bytes of a body, in chunks until they are needed in one array. */
export interface Content {
  /** The number of bytes. */
  readonly length: number;
  /** The bytes in order. */
  readonly pieces: readonly Uint8Array[];
  /** The first `count` bytes, or all of them. */
  head(count: number): Uint8Array;
  /** All bytes in one array; it replaces the chunks, so that no body is kept twice. */
  whole(): Uint8Array;
}

/**
 * Creates a content of chunks. Joining the chunks of a large body takes as much memory again, so work on
 * chunks where possible.
 *
 * @param parts The chunks in order; they are kept, not copied.
 */
export function createContent(parts: readonly Uint8Array[]): Content {
  return new PiecedContent(parts);
}

class PiecedContent implements Content {
  pieces: readonly Uint8Array[];
  readonly length: number;

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  head(count: number): Uint8Array {
    const { pieces, length } = this;
    const [first] = pieces;
    return first !== undefined && (pieces.length === 1 || first.byteLength >= count)
      ? first.subarray(0, count)
      : join(pieces, Math.min(count, length));
  }

  whole(): Uint8Array {
    const { pieces, length } = this;
    const [only] = pieces;
    if (only !== undefined && pieces.length === 1) return only;
    const joined = join(pieces, length);
    this.pieces = [joined];
    return joined;
  }
}

/** Copies the first bytes of chunks into one array. */
export function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    if (at >= length) break;
    bytes.set(piece.subarray(0, length - at), at);
    at += piece.byteLength;
  }
  return bytes;
}

/** The body of a response. Its text and its JSON are decoded when they are first read. */
export class ReceivedBody {
  readonly content: Content;
  readonly type: MediaType;
  readonly #secrets: readonly Secrets[];
  #text: string | undefined;
  #beginning: DecodedText | undefined;
  #json: { readonly value: unknown } | undefined;

  constructor(content: Content, type: MediaType, secrets: readonly Secrets[]) {
    this.content = content;
    this.type = type;
    this.#secrets = secrets;
  }

  /** The first bytes decoded: all of them, unless they are many. */
  get beginning(): DecodedText {
    const { content, type } = this;
    const isLong = content.length > LOOKED_AT;
    this.#beginning ??= decodeText(isLong ? content.head(LOOKED_AT) : content.whole(), type);
    return this.#beginning;
  }

  get text(): string {
    if (this.#text !== undefined) return this.#text;
    const isLong = this.content.length > LOOKED_AT;
    const { text } = isLong ? decodeText(this.content.whole(), this.type, true) : this.beginning;
    this.#text = text;
    // Only the beginning of a long body was searched when it arrived.
    if (isLong) {
      for (const secrets of this.#secrets) {
        secrets.learn({ kind: "body", text: () => text, mediaType: this.type.essence }, "server");
      }
    }
    return text;
  }

  get json(): unknown {
    this.#json ??= { value: this.#read() };
    return this.#json.value;
  }

  #read(): unknown {
    const { content, type } = this;
    if (dataFormat(type.essence, content) !== undefined) {
      const value = decodeData(content.whole(), type.essence);
      for (const secrets of this.#secrets) secrets.learn({ kind: "value", value }, "server");
      return value;
    }
    const { text } = this;
    if (text.trim() === "") return undefined;
    return parseJson(text, (it) => combineSecrets(this.#secrets).locate(it));
  }
}

const encoder = new TextEncoder();

/**
 * Measures an exchange in bytes, its headers as HTTP/1.1 text.
 *
 * @param received The number of bytes of the response body.
 */
export function measure(exchange: Omit<Exchange, "sizes">, received: number): Sizes {
  const { request, headers } = exchange;
  const requestLine = `${request.method} ${targetOf(request.url)} HTTP/1.1`;
  const statusLine = `HTTP/1.1 ${exchange.status} ${exchange.statusText}`;
  const encoded = encodedLength(exchange);
  return {
    request: {
      headers: lengthOfHead(requestLine, sentHeaders(request)),
      body: request.streamed?.size ?? lengthOf(request.body ?? ""),
    },
    response: {
      headers: lengthOfHead(statusLine, headers),
      body: received,
      ...(encoded === undefined ? {} : { encoded }),
    },
  };
}

/** The path and the query of a URL. */
function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function lengthOfHead(line: string, headers: Iterable<readonly [string, string]>): number {
  let length = line.length + 4;
  for (const [name, value] of headers) length += name.length + lengthOf(value) + 4;
  return length;
}

function lengthOf(content: string | Uint8Array): number {
  return (typeof content === "string" ? encoder.encode(content) : content).byteLength;
}

/** The response to HEAD declares the length of a body that is not sent. */
function encodedLength({ request, headers }: Omit<Exchange, "sizes">): number | undefined {
  const length = headers.get("content-length");
  if (length === null || !headers.has("content-encoding")) return undefined;
  return request.method === "HEAD" || !/^\d+$/.test(length) ? undefined : Number(length);
}
