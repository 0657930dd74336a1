import type { Part } from "../../interpolation/mod.ts";
import { isCommentLine, joinLines, linesOf, type PartLine } from "./split-files.ts";

/**
 * Normalizes a written multipart body: boundaries need CRLF (RFC 2046, 5.1.1). Comment lines among the headers of a
 * part and before its content are left out, as in the other clients; further lines may be those of a script.
 */
export function normalizeMultipart(parts: readonly Part[]): readonly Part[] {
  const lines = linesOf(parts);
  const delimiter = delimiterOf(lines);
  const kept: PartLine[] = [];
  let place: "headers" | "before content" | "content" = "content";
  let isMarkdown = false;
  for (const { content, end } of lines) {
    const [first = ""] = content;
    const isDelimiter = typeof first === "string" && first.startsWith(delimiter);
    const isComment = isCommentLine(content) && !/^\s*#!/.test(String(first)) && !isMarkdown;
    if (isDelimiter) {
      place = "headers";
      isMarkdown = false;
    } else if (place === "headers") {
      if (content.length === 0 || (content.length === 1 && String(first).trim() === "")) {
        place = "before content";
      }
      isMarkdown ||= typeof first === "string" && /markdown/i.test(first);
    } else if (!isComment) {
      place = "content";
    }
    if (isComment && place !== "content") continue;
    kept.push({ content, end: end === "" ? "" : "\r\n" });
  }
  return joinLines(kept);
}

/** The beginning of the lines between the parts, up to its first placeholder. */
function delimiterOf(lines: readonly PartLine[]): string {
  for (const { content } of lines) {
    const [first] = content;
    if (typeof first === "string" && /^--\S/.test(first)) return first.trimEnd();
  }
  return "--";
}

/** Why a server cannot read the parts of a body. */
export function boundaryFault(contentType: string, text: string): string | undefined {
  const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined) {
    return `The Content-Type "${contentType}" has no boundary, so that no server can read the parts: write multipart/form-data; boundary=name, and --name before each part`;
  }
  if (text.includes(`--${boundary}`)) return undefined;
  return `The body has no line "--${boundary}", so that no server can read its parts: write one before each part`;
}
