import type { Part, Template } from "./template.ts";

/**
 * Joins templates of one source into one, for example the lines of a continued URL.
 *
 * @param templates At least one template; all of them parsed from the same source.
 * @returns One template with the parts of all, spans unchanged.
 * @throws {RangeError} The list is empty, or the sources differ.
 */
export function joinTemplates(templates: readonly Template[]): Template {
  const [first] = templates;
  if (first === undefined) throw new RangeError("Cannot join templates: the list is empty");
  if (templates.some(({ source }) => source !== first.source)) {
    throw new RangeError("Cannot join templates: they were parsed from different sources");
  }
  return { ...first, parts: joinParts(templates.flatMap(({ parts }) => parts)) };
}

/** Joins adjacent texts of a list of parts. */
export function joinParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === "string" && typeof last === "string") joined.splice(-1, 1, last + part);
    else joined.push(part);
  }
  return joined;
}
