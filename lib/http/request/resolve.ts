import type { HeaderList } from "../../exchange/mod.ts";
import { decodeText, UnsendableRequestError } from "../../exchange/mod.ts";
import { parseTemplate, renderTemplate, type Variables } from "../../interpolation/mod.ts";
import type { BodyFile, BodyMixture, RenderedRequest } from "../../request/mod.ts";
import { gatherPieces, type Piece, type StreamedBody } from "./bodies/mod.ts";
import { type FileAccess, openSource, readSource } from "./files.ts";
import type { ResolvedRequest } from "./prepare.ts";

/** Options of rendering. */
export interface RenderTextOptions {
  /** `keep` leaves placeholders without a value as they stand; `error` is the default. */
  readonly missing?: "error" | "keep";
}

/** Adds the client's headers to a request that does not write them. */
export function withDefaults(request: RenderedRequest, defaults: HeaderList): RenderedRequest {
  if (defaults.length === 0) return request;
  const written = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const missing = defaults.filter(([name]) => !written.has(name.toLowerCase()));
  return {
    ...request,
    headers: [...request.headers, ...missing],
    added: [...request.added, ...missing.map(([name]) => name)],
  };
}

/** What is needed to read bodies that stand in files. */
interface BodyAccess {
  readonly files: FileAccess;
  readonly variables: Variables;
  readonly missing: "error" | "keep";
}

const encoder = new TextEncoder();

/**
 * Reads the body of a rendered request where it, or a part of it, stands in a file. What is not
 * looked into is streamed where the client can open files. No promise where nothing has to be read.
 *
 * @throws {UnsendableRequestError} A file cannot be read.
 */
export function resolveBody(
  request: RenderedRequest,
  variables: Variables,
  files: FileAccess,
  { missing = "error" }: RenderTextOptions,
): ResolvedRequest | Promise<ResolvedRequest> {
  const { body, headers } = request;
  if (typeof body !== "object") return request as ReadRequest;
  const access = { variables, missing, files };
  return readBody(body, headers, access).then((read) => ({ ...request, body: read }));
}

/** Most bodies are text, and nothing has to be copied. */
type ReadRequest = RenderedRequest & { readonly body: string | undefined };

async function readBody(
  body: BodyFile | BodyMixture,
  headers: HeaderList,
  access: BodyAccess,
): Promise<string | Uint8Array | StreamedBody> {
  if ("pieces" in body) {
    const pieces: Piece[] = [];
    for (const piece of body.pieces) {
      if (typeof piece === "string") pieces.push(encoder.encode(piece));
      else if (!piece.interpolated) pieces.push(await openSource(piece.path, access.files));
      else pieces.push(encoder.encode(await readInterpolated(piece, headers, access)));
    }
    return await gatherPieces(pieces);
  }
  if (body.interpolated) return await readInterpolated(body, headers, access);
  return access.files.openFile === undefined
    ? await readSource(body.path, access.files)
    : await gatherPieces([await openSource(body.path, access.files)], body.path);
}

async function readInterpolated(
  file: BodyFile,
  headers: HeaderList,
  access: BodyAccess,
): Promise<string> {
  const bytes = await readSource(file.path, access.files);
  const { text, warning } = decodeText(bytes, file.encoding);
  if (warning) {
    throw new UnsendableRequestError(
      `Cannot read the body from "${file.path}": the encoding "${file.encoding}" is not known here`,
    );
  }
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const isJson = type === undefined ? /^\s*[[{]/.test(text) : /[/+]json\s*(?:;|$)/i.test(type);
  const { variables, missing } = access;
  return renderTemplate(parseTemplate(text), variables, isJson ? "json" : "text", { missing });
}
