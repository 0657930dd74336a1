import type { Template } from "../../../interpolation/mod.ts";
import { beginsAsJson, isFormType, isJsonType } from "../../draft/mod.ts";
import type { BodyLine } from "./body-lines.ts";

/**
 * Which comment lines are left out of a body:
 *
 * - `all`
 * - `around`: those before its first and after its last other line
 * - `parts`: those around it, and those in the headers of the parts of a multipart body
 * - `none`: the lines may belong to the body
 * - `later`: the Content-Type decides, which has no value yet
 *
 * Those around it are left out by the parser, and those inside it when it is rendered.
 */
export type OmittedComments = "all" | "around" | "parts" | "none" | "later";

/** Types in which no text follows the end of the document. */
const MARKUP = /^(?:[^;]*[/+]xml|text\/html)\s*(?:;|$)/i;
const MULTIPART = /^multipart\//i;
const WITHOUT_BODY = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/;
const FILE_LINE = /^[ \t]*<(?:@[\w-]*)?[ \t]+\S/;

/**
 * Decides about the comment lines of a body.
 *
 * @param method The method; a GET or DELETE with nothing but comments has no body.
 * @param contentType The written Content-Type, if there is one.
 * @param content The lines that are certainly of the body.
 */
export function omittedComments(
  method: string,
  contentType: Template | undefined,
  content: readonly BodyLine[],
): OmittedComments {
  const first = content[0]?.text ?? "";
  const type = literalType(contentType);
  if (contentType === undefined || (type !== undefined && isJsonType(type))) {
    const isJson = contentType !== undefined || (beginsAsJson(first) && !/^\s*\{\{/.test(first));
    // A hash begins a comment in GraphQL, but also a line of a block string.
    return isJson && !startsQuery(first) ? "all" : "around";
  }
  if (type !== undefined && isFormType(type)) return "all";
  if (type !== undefined && MULTIPART.test(type)) return "parts";
  const isFile = content.length === 1 && FILE_LINE.test(first);
  if (isFile || WITHOUT_BODY.test(method)) return "around";
  if (type === undefined) return "later";
  return MARKUP.test(type) ? "around" : "none";
}

/** A written Content-Type, unless placeholders decide about it. */
export function literalType(contentType: Template | undefined): string | undefined {
  const [first, ...more] = contentType?.parts ?? [];
  if (typeof first !== "string") return undefined;
  return more.length === 0 || first.includes(";") ? first : undefined;
}

/** Whether a line begins a GraphQL query, in which `#` begins a comment. */
export function startsQuery(line: string): boolean {
  return /^[ \t]*(?:query|mutation|subscription|fragment)\b/.test(line);
}
