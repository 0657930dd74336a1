import type { Part, Template } from "./template.ts";

/**
 * Joins templates of one source into one, for example the lines of a URL that is continued.
 *
 * @param templates At least one template; all of them parsed from the same source.
 * @returns One template with the parts of all, spans unchanged.
 * @throws {RangeError} When there is no template, or when their sources differ.
 */
export function joinTemplates(templates: readonly Template[]): Template {
  const first = templates[0];
  if (first === undefined) throw new RangeError("Cannot join templates: the list is empty");
  if (templates.length === 1) return first;
  const parts: Part[] = [];
  for (const template of templates) {
    if (template.source !== first.source) {
      throw new RangeError("Cannot join templates: they were parsed from different sources");
    }
    for (const part of template.parts) {
      const last = parts.at(-1);
      if (typeof part === "string" && typeof last === "string")
        parts[parts.length - 1] = last + part;
      else parts.push(part);
    }
  }
  return { source: first.source, parts };
}
