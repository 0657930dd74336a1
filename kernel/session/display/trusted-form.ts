import { createDisplayable } from "../../../lib/display/mod.ts";
import type { Exchange } from "../../../lib/mod.ts";
import { isFromAnswer } from "./answer-markup.ts";

/** Media types whose content may act in a page. */
const ACTIVE = /^text\/(?:html|markdown|latex)$|\+xml$|\/(?:x-)?(?:java|ecma)script$/i;

/** What shows a bundle of the user's code: itself, unless markup in it is from an answer, which is shown as text. */
export function trustedForm(
  bundle: Readonly<Record<string, unknown>>,
  answers: () => readonly Exchange[],
): unknown {
  const isOfAnswer = Object.entries(bundle).some(
    ([mediaType, text]) =>
      ACTIVE.test(mediaType) && typeof text === "string" && isFromAnswer(text, answers()),
  );
  if (!isOfAnswer) return createDisplayable(bundle);
  const [only, ...more] = Object.values(bundle);
  return more.length === 0 ? only : bundle;
}
