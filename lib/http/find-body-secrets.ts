import { decodeText, LOOKED_AT, parseMediaType } from "../exchange/mod.ts";
import { holdsNamedSecret, type Secrets } from "../secrets/mod.ts";
import { isStreamed } from "./request/bodies/mod.ts";
import type { ResolvedRequest } from "./request/mod.ts";

/** Why a body is not to be given away, or nothing where it holds no secret. */
export async function whySecretBody(
  { body, headers }: Pick<ResolvedRequest, "headers" | "body">,
  secrets: Secrets,
): Promise<string | undefined> {
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
  const { essence, charset } = parseMediaType(type);
  let searched = 0;
  try {
    for await (const text of textsOf(body, charset)) {
      const isFirst = searched === 0;
      searched += text.length;
      if (searched > MOST_SEARCHED) return "its body is too large to be searched for secrets";
      // Names stand in what comes first, or the body is not one to look for them in.
      const isNamed =
        isFirst && holdsNamedSecret(text, essence, (name) => secrets.isSecretName(name));
      if (isNamed || secrets.locate(text).length > 0) return "its body holds secrets";
    }
  } catch (error) {
    const state = error instanceof Error ? error.message : String(error);
    return `its body cannot be searched for secrets (${state})`;
  }
  return undefined;
}

/** The text of a body; of what is streamed pieces that overlap by the longest secret there is. */
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

/** So many characters of a body are searched, which takes a second or two. */
const MOST_SEARCHED = 33_554_432;
/** No longer text is known as a secret, and its escapes may take as much again. */
const OVERLAP = 131_072;
