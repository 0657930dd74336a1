import type { Found } from "./find.ts";
import type { NameRule } from "./names.ts";

const MOST_PARTS = 1_000;
// A boundary has at most 70 characters (RFC 2046, section 5.1.1); programs are not that strict.
const BEGINNING = /(?:^|\n)--([^\r\n]{1,200})\r?\n/;

/**
 * The secrets of a body in parts: the content of those whose names say so, and what is found in the
 * others by their types.
 *
 * @param look Looks through the content of a part.
 */
export function findInMultipart(
  text: string,
  isSecretName: NameRule,
  found: Found,
  look: (content: string, mediaType: string) => void,
): void {
  // The first boundary stands in the body itself; no header is needed to know it.
  const boundary = BEGINNING.exec(text.slice(0, 4_096))?.[1]?.trim();
  if (boundary === undefined) return;
  const pieces = `\n${text}`.split(`\n--${boundary}`, MOST_PARTS).slice(1);
  for (const piece of pieces) {
    if (piece.startsWith("--")) return;
    const end = /\r?\n\r?\n/.exec(piece);
    if (end === null) continue;
    const headers = piece.slice(0, end.index);
    const content = piece.slice(end.index + end[0].length).replace(/\r?\n?$/, "");
    const name = /^content-disposition:[^\r\n]{0,2000}?[;\s]name="?([^"\r\n;]{1,200})/im.exec(
      headers,
    )?.[1];
    const type = /^content-type:[ \t]*([^;\r\n]{1,200})/im.exec(headers)?.[1];
    if (name !== undefined && isSecretName(name)) found(content);
    else look(content, type?.trim().toLowerCase() ?? "");
  }
}
