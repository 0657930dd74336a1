import type { Context } from "hono";
import { Problem } from "./problem.ts";
import type { Bytes } from "./respond.ts";

/** The longest request body that is taken, in bytes. */
export const LONGEST_BODY: number = 8 * 1024 * 1024;

/** Reads a request body whole. Throws a 413 problem where it is longer than {@link LONGEST_BODY}. */
export async function readBody({ req }: Context): Promise<Bytes> {
  if (Number(req.header("Content-Length") ?? 0) > LONGEST_BODY) throw tooLong();
  if (!req.raw.body) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  let length = 0;
  // Not hono's body limit: with a chunked body it clones the request, which Node's srvx refuses.
  for await (const piece of req.raw.body as unknown as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > LONGEST_BODY) throw tooLong();
    pieces.push(piece);
  }
  return join(pieces, length);
}

function join(pieces: readonly Uint8Array[], length: number): Bytes {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

function tooLong(): Problem {
  return new Problem(413, `The body is too long: the limit is ${LONGEST_BODY} bytes`);
}
