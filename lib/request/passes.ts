import {
  countMatches,
  createFault,
  type Part,
  type PathPlaceholder,
  type Placeholder,
  renderTemplate,
  resolvePlaceholder,
  type Template,
  type Variables,
} from "../interpolation/mod.ts";
import { type AssignmentDraft, nameOf, type RequestDraft } from "./draft.ts";
import { RequestCheckError } from "./errors.ts";
import { mapTemplates } from "./templates.ts";

/**
 * The requests that `# @loop` makes of a request, in order; a request without it is its only one. In the pass with
 * index 2 of a request `list`, `{{$index}}` is 2 and the name of the request is `list2`.
 *
 * @param variables The values that the list may be among.
 * @param isUnknown Whether a placeholder has no value yet but will have one: then there is one pass.
 * @throws {UnresolvedPlaceholderError} The list does not exist.
 * @throws {RequestCheckError} The value is not a list.
 */
export function passesOf(
  draft: RequestDraft,
  variables: Variables,
  isUnknown: (placeholder: Placeholder) => boolean = () => false,
): readonly RequestDraft[] {
  const { loop } = draft;
  if (loop === undefined) return [draft];
  if (loop.kind === "count") {
    return Array.from({ length: loop.count }, (_, index) => passOf(draft, index, []));
  }
  const { list } = loop;
  const length = isUnknown(list) ? 1 : lengthOf(draft, list, variables);
  return Array.from({ length }, (_, index) =>
    passOf(draft, index, loop.kind === "each" ? [] : [elementLine(draft, loop.name, list, index)]),
  );
}

/** The names that a request gives to its responses; a loop over a list counts as one of 100 elements. */
export function passNames(draft: Pick<RequestDraft, "name" | "title" | "loop">): readonly string[] {
  const name = nameOf(draft);
  if (name === undefined) return [];
  const { loop } = draft;
  if (loop === undefined) return [name];
  const length = loop.kind === "count" ? loop.count : 100;
  return [name, listName(name), ...Array.from({ length }, (_, index) => `${name}${index}`)];
}

/** The name of the responses of all passes, as in httpYac. */
export function listName(name: string): string {
  return `${name}List`;
}

function lengthOf(draft: RequestDraft, list: PathPlaceholder, variables: Variables): number {
  const value = resolvePlaceholder(list, variables);
  if (list.match !== undefined && value !== undefined) {
    const whole = resolvePlaceholder({ ...list, query: undefined }, variables);
    return countMatches(whole ?? null, list.query ?? "$");
  }
  if (Array.isArray(value)) return value.length;
  const { source, firstLine } = draft;
  if (value === undefined) renderTemplate({ source, firstLine, parts: [list] }, variables, "text");
  const message = `Cannot loop over "{{${list.text}}}": it is not a list`;
  throw new RequestCheckError(source, [createFault(draft, list.span, message)]);
}

function passOf(
  draft: RequestDraft,
  index: number,
  lines: readonly AssignmentDraft[],
): RequestDraft {
  const pass = mapTemplates(draft, (template) => ofPass(template, index));
  return {
    ...pass,
    ...(draft.name === undefined ? {} : { name: `${draft.name}${index}` }),
    ...(draft.title === undefined ? {} : { title: `${draft.title}${index}` }),
    given: [...(draft.given ?? []), ...lines],
  };
}

/** A template with the index of a pass for `{{$index}}`, and its match of `{{$.list..id}}`. */
function ofPass(template: Template, index: number): Template {
  const parts = template.parts.map((part): Part => {
    if (typeof part === "string") return part;
    if (part.kind === "generated") return part.name === "$index" ? String(index) : part;
    return part.match === undefined ? part : { ...part, match: index };
  });
  return { ...template, parts };
}

/** A line that sets a variable to an element of a list. */
function elementLine(
  { source, firstLine }: RequestDraft,
  name: string,
  list: PathPlaceholder,
  index: number,
): AssignmentDraft {
  const { span } = list;
  const element = { ...list, steps: [...list.steps, index] };
  const value: Template = { source, firstLine, parts: [element] };
  return { kind: "assignment", name, value, valueSpan: span, span, source, firstLine };
}
