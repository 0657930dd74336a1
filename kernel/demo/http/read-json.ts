import type { Context } from "hono";
import { Problem } from "./problem.ts";
import { readBody } from "./read-body.ts";

/**
 * Reads a request body as JSON. Throws a 415 problem where Content-Type is not an accepted media
 * type, and a 400 problem where the body is empty, not UTF-8 or not JSON.
 */
export async function readJson(context: Context, accepted: readonly string[]): Promise<unknown> {
  const contentType = context.req.header("Content-Type");
  const mediaType = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!accepted.includes(mediaType)) {
    const actual = contentType === undefined ? "it is missing" : `it is "${contentType}"`;
    throw new Problem(415, `Content-Type has to be ${accepted.join(" or ")}: ${actual}`, {
      headers: { Accept: accepted.join(", ") },
    });
  }
  const bytes = await readBody(context);
  if (bytes.length === 0) throw new Problem(400, "The body is empty: JSON is expected");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it is not UTF-8";
    throw new Problem(400, `The body is not JSON: ${reason}`);
  }
}
