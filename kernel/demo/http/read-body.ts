import { Buffer } from "node:buffer";
import type { Context } from "hono";
import { Problem } from "./problem.ts";
import type { Bytes } from "./respond.ts";

const MAX_BYTES = 8 * 1024 * 1024;

/** Reads a whole request body. Throws a 413 problem where it is longer than 8 MiB. */
export async function readBody({ req }: Context): Promise<Bytes> {
  if (Number(req.header("Content-Length") ?? 0) > MAX_BYTES) throw tooLong();
  if (!req.raw.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Not hono's body limit: it clones a request with a chunked body, which srvx on Node refuses.
  for await (const chunk of req.raw.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLong(): Problem {
  return new Problem(413, `The body is too long: the limit is ${MAX_BYTES} bytes`);
}
