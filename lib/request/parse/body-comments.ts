import type { BodyLine } from "./body-lines.ts";

/**
 * Which comment lines are left out of a body: `all`; those `around` it, before its first and after its last other
 * line; these and those in the heads of its `parts`; or `none`, since the lines may belong to it. Those around it are
 * left out here, and those inside it when it is rendered.
 */
export type OmittedComments = "all" | "around" | "parts" | "none";

const JSON_TYPE = /^[^;]*[/+]json\s*(?:;|$)/i;
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** In these types, no text follows the end. */
const MARKUP = /^(?:[^;]*[/+]xml|text\/html)\s*(?:;|$)/i;
const MULTIPART = /^multipart\//i;
const WITHOUT_BODY = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/;
const FILE_LINE = /^[ \t]*<(?:@[\w-]*)?[ \t]+\S/;

/**
 * Decides about the comment lines of a body.
 *
 * @param method The method; a GET or DELETE with nothing but comments has no body.
 * @param contentType The written Content-Type; `undefined` if there is none, or only a placeholder.
 * @param content The lines that are certainly of the body.
 */
export function omittedComments(
  method: string,
  contentType: string | undefined,
  content: readonly BodyLine[],
): OmittedComments {
  const [first] = content;
  if (contentType === undefined || isJsonType(contentType)) {
    const isJson = contentType !== undefined || /^[ \t]*(?:\[|\{(?!\{))/.test(first?.text ?? "");
    // A hash begins a comment in GraphQL, but also a line of a block string.
    return isJson && !startsQuery(first?.text ?? "") ? "all" : "around";
  }
  if (FORM.test(contentType)) return "all";
  const isFile = content.length === 1 && FILE_LINE.test(first?.text ?? "");
  if (MULTIPART.test(contentType)) return "parts";
  return isFile || MARKUP.test(contentType) || WITHOUT_BODY.test(method) ? "around" : "none";
}

/** Whether a Content-Type is that of JSON. */
export function isJsonType(contentType: string): boolean {
  return JSON_TYPE.test(contentType);
}

/** Whether a line begins a GraphQL query, in which `#` begins a comment. */
export function startsQuery(line: string): boolean {
  return /^[ \t]*(?:query|mutation|subscription|fragment)\b/.test(line);
}
