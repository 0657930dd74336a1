import { decodeText, type HeaderList, UnsendableRequestError } from "../exchange/mod.ts";
import { parseTemplate, renderTemplate, type Scope, type Variables } from "../interpolation/mod.ts";
import {
  type BodyFile,
  type BodyMixture,
  beginsAsJson,
  encodingLabel,
  findHeader,
  isJsonType,
  type RenderedRequest,
} from "../request/mod.ts";
import { excludeHeaders, fillHeaders, type headerReader } from "./headers.ts";
import type { ResolvedRequest } from "./prepare.ts";
import {
  type FileAccess,
  joinPieces,
  openSource,
  type Piece,
  readSource,
  type StreamedBody,
} from "./streamed-body.ts";

/** Options of rendering a text. */
export interface RenderTextOptions {
  /** `keep` leaves placeholders without a value unchanged; `error` is the default. */
  readonly missing?: "error" | "keep";
  /** Whether misspelt header names were reported before, by `check`; the warnings do not repeat them. */
  readonly checked?: boolean;
}

/**
 * Adds the headers of the client that the request does not have.
 *
 * @throws What {@link fillHeaders} throws.
 */
export function withDefaults(
  request: RenderedRequest,
  defaults: ReturnType<ReturnType<typeof headerReader>>,
  scope: Scope,
  { missing: unfilled }: RenderTextOptions,
): RenderedRequest {
  const missing = fillHeaders(excludeHeaders(defaults, request.headers), scope, unfilled);
  return {
    ...request,
    headers: [...request.headers, ...missing],
    added: [...request.added, ...missing.map(([name]) => name)],
  };
}

interface BodyAccess {
  readonly files: FileAccess;
  readonly variables: Variables;
  readonly missing: "error" | "keep";
}

const encoder = new TextEncoder();

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
  const { body, headers } = request;
  if (typeof body !== "object") return { ...request, body };
  return { ...request, body: await readBody(body, headers, { variables, missing, files }) };
}

async function readBody(
  body: BodyFile | BodyMixture,
  headers: HeaderList,
  access: BodyAccess,
): Promise<string | Uint8Array | StreamedBody> {
  if ("pieces" in body) {
    const pieces: Piece[] = [];
    for (const piece of body.pieces) {
      if (typeof piece === "string") pieces.push(encoder.encode(piece));
      else if (piece.change !== undefined) {
        pieces.push(CHANGES[piece.change](await readSource(piece.path, access.files)));
      } else if (!piece.interpolated) pieces.push(await openSource(piece.path, access.files));
      else pieces.push(encoder.encode(await readInterpolated(piece, headers, access)));
    }
    return await joinPieces(pieces);
  }
  if (body.interpolated) return await readInterpolated(body, headers, access);
  return access.files.openFile === undefined
    ? await readSource(body.path, access.files)
    : await joinPieces([await openSource(body.path, access.files)], body.path);
}

const UNRESERVED = /[\w.~-]/;

const CHANGES: Readonly<
  Record<NonNullable<BodyFile["change"]>, (bytes: Uint8Array) => Uint8Array>
> = {
  unbroken: (bytes) => bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d && byte !== 0),
  encoded: (bytes) => encoder.encode(Array.from(bytes, percentEncode).join("")),
};

function percentEncode(byte: number): string {
  const character = String.fromCharCode(byte);
  if (UNRESERVED.test(character)) return character;
  return byte === 0x20 ? "+" : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

async function readInterpolated(
  file: BodyFile,
  headers: HeaderList,
  access: BodyAccess,
): Promise<string> {
  const bytes = await readSource(file.path, access.files);
  const label = encodingLabel(file.encoding ?? "utf-8");
  if (label === undefined) {
    throw new UnsendableRequestError(
      `Cannot read the body from "${file.path}": the encoding "${file.encoding}" is not supported`,
    );
  }
  const { text } = decodeText(bytes, label);
  const type = findHeader(headers, "content-type");
  const isJson = type === undefined ? beginsAsJson(text) : isJsonType(type);
  const { variables, missing } = access;
  return renderTemplate(parseTemplate(text), variables, isJson ? "json" : "text", { missing });
}
