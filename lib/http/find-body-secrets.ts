import { decodeText, LOOKED_AT, messageOf, parseMediaType } from "../exchange/mod.ts";
import { findHeader } from "../request/mod.ts";
import { holdsSecret, type Secrets } from "../secrets/mod.ts";
import { isStreamed } from "./request/bodies/mod.ts";
import type { ResolvedRequest } from "./request/mod.ts";

/** Characters of a body that are searched, which takes a second or two. */
const SEARCH_LIMIT = 33_554_432;
/** Twice the longest known secret, since its escapes may take as much again. */
const OVERLAP = 131_072;

/** Returns why a body may not go to another origin; `undefined` if no secret was found in it. */
export async function findBodySecrets(
  { body, headers }: Pick<ResolvedRequest, "headers" | "body">,
  secrets: Secrets,
): Promise<string | undefined> {
  const { essence, charset } = parseMediaType(findHeader(headers, "content-type") ?? null);
  let searched = 0;
  try {
    for await (const text of textsOf(body, charset)) {
      const isFirst = searched === 0;
      searched += text.length;
      if (searched > SEARCH_LIMIT) return "its body is too large to be searched for secrets";
      // A body is parsed for names as a whole, so the later pieces of a stream cannot be.
      const isNamed =
        isFirst && holdsSecret({ kind: "body", text, mediaType: essence }, secrets.isSecretName);
      if (isNamed || secrets.locate(text).length > 0) return "its body contains secrets";
    }
  } catch (error) {
    return `its body cannot be searched for secrets (${messageOf(error)})`;
  }
  return undefined;
}

/** The text of a body; of a stream, pieces that overlap. */
async function* textsOf(
  body: ResolvedRequest["body"],
  charset: string | undefined,
): AsyncGenerator<string, void, undefined> {
  if (body === undefined) return;
  if (!isStreamed(body)) {
    yield typeof body === "string" ? body : decodeText(body, charset).text;
    return;
  }
  const decoder = new TextDecoder();
  const reader = body.stream().getReader();
  let window = "";
  let isNew = false;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      window += decoder.decode(step.value, { stream: true });
      isNew = window.length < LOOKED_AT;
      if (isNew) continue;
      yield window;
      window = window.slice(-OVERLAP);
    }
    if (isNew) yield window;
  } finally {
    await reader.cancel();
  }
}
