import type { Exchange } from "../../../lib/mod.ts";
import { CONTROL_ESCAPES } from "../../../lib/secrets/mod.ts";

/** Shorter texts occur in answers by chance. */
const LEAST = 8;

/** Bodies that are not text. */
const PICTURE_OR_SOUND = /^(?:image|audio|video|font)\/(?!svg)/;

/**
 * Whether markup comes from an answer: all of it, or a tag with attributes, or a script or style sheet. Strings
 * in JSON are found where they stand in the body, so it does not matter in which format that contains them.
 * Takes time in proportion to the answers.
 */
export function isFromAnswer(markup: string, answers: readonly Exchange[]): boolean {
  const text = withoutEscapes(markup).trim();
  if (text.length < LEAST) return false;
  const pieces = new Set(activePieces(text));
  const contains = (answer: string): boolean => {
    const written = withoutEscapes(answer);
    return written.includes(text) || (pieces.size > 0 && hasPiece(written, pieces));
  };
  return answers.some(
    (exchange) =>
      [...exchange.headers.values()].some(contains) ||
      (!PICTURE_OR_SOUND.test(exchange.mediaType) && contains(exchange.text)),
  );
}

function hasPiece(answer: string, pieces: ReadonlySet<string>): boolean {
  for (const piece of activePieces(answer)) if (pieces.has(piece)) return true;
  return false;
}

/** A script or style sheet up to its first bracket; what has an attribute, from one bracket to the next. */
const ACTIVE = /<(?:script|style)\b[^<>]*>[^<>]*|<[^<>=]*=[^<>]*/gi;

/** The pieces do not depend on what stands around them: those of a copied text are those of the original. */
function* activePieces(text: string): Generator<string> {
  for (const [piece] of text.matchAll(ACTIVE)) yield piece.trimEnd();
}

const ESCAPE = /\\+(?:u([0-9a-fA-F]{4})|([bfnrt]))?/g;

/** Undoes the escapes of strings in JSON, also of JSON in such strings: text in and out of JSON is the same. */
function withoutEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (_escape, unit?: string, control?: string) => {
    if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
    return control === undefined ? "" : (CONTROL_ESCAPES[control] ?? "");
  });
}
