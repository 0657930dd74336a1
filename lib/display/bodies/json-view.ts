import type { Block, FieldsBlock, Masker, TableBlock, ViewContext } from "../blocks/mod.ts";
import {
  compactJson,
  cutText,
  forData,
  isScalar,
  NOWHERE,
  type Origin,
  viewStructure,
} from "../blocks/mod.ts";
import { type Body, shownText } from "./body.ts";
import { viewText } from "./text-view.ts";

/** A parsed JSON body: a table, keys and values, or the text of one value. */
export function viewJson(
  value: unknown,
  context: ViewContext,
  masker: Masker,
  origin: Origin = NOWHERE,
): readonly Block[] {
  const inside = forData(context, value, masker);
  if (value === undefined) return [{ kind: "note", level: "info", text: "Empty body" }];
  if (isScalar(value)) {
    const { redactor, limits } = inside;
    const text =
      typeof value === "string" ? redactor.text(value) : compactJson(value, limits.text, redactor);
    return viewText(text, undefined, context);
  }
  if (Array.isArray(value) && value.length === 0) {
    return [{ kind: "note", level: "info", text: "Empty list" }];
  }
  const block = viewStructure(value as object, inside, origin);
  if (block.total === 0) return [{ kind: "note", level: "info", text: "Empty object" }];
  return [block, ...viewPlaceholder(block)];
}

/** A body that says it is JSON and is not: where it breaks, and its text. */
export function viewJsonError(body: Body, error: unknown, context: ViewContext): readonly Block[] {
  const reason = error instanceof Error ? error.message : String(error);
  const note: Block = {
    kind: "note",
    level: "warning",
    text: cutText(context.redact(reason), context.limits.line),
  };
  return [note, ...viewText(shownText(body, context), "json", context)];
}

/** A placeholder is worth a line: the request was named so that others can use its answer. */
function viewPlaceholder(block: FieldsBlock | TableBlock): readonly Block[] {
  const { path } = block;
  if (path?.startsWith("{{") !== true) return [];
  const inner = examplePath(block);
  const text = `In later requests: ${path}${inner === undefined ? "" : `, for example ${inner}`}`;
  return [{ kind: "note", level: "info", text }];
}

/** The way to one value, by which a person sees how all others are written. */
function examplePath(block: FieldsBlock | TableBlock): string | undefined {
  if (block.kind === "table") return block.columnPaths?.find((path) => path !== undefined);
  const field = block.fields.find(({ path }) => path !== undefined);
  return (field?.nested && examplePath(field.nested)) ?? field?.path;
}
