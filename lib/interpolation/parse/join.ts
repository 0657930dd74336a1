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
  const parts: Part[] = [];
  for (const part of templates.flatMap((template) => template.parts)) {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts.splice(-1, 1, last + part);
    else parts.push(part);
  }
  return { ...first, parts };
}
