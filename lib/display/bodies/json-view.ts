import { messageOf } from "../../exchange/mod.ts";
import {
  type Block,
  compactJson,
  cutText,
  type FieldsBlock,
  forData,
  isScalar,
  type Masker,
  NO_ORIGIN,
  type Origin,
  type TableBlock,
  type ViewContext,
  viewStructure,
} from "../blocks/mod.ts";
import { type Body, shownText } from "./body.ts";
import { viewText } from "./text-view.ts";

/** Displays parsed JSON: a table, keys and values, or the text of one value. */
export function viewJson(
  value: unknown,
  context: ViewContext,
  masker: Masker,
  origin: Origin = NO_ORIGIN,
): readonly Block[] {
  const inside = forData(context, value, masker);
  if (value === undefined) return [{ kind: "note", level: "info", text: "Empty body" }];
  if (isScalar(value)) {
    const { redactor, limits } = inside;
    const isLong = typeof value === "string" && value.length > limits.text;
    // Quotes distinguish `"5"` from `5`; the beginning of a long string needs none.
    return isLong
      ? viewText(redactor.text(value), undefined, context)
      : viewText(compactJson(value, limits.text, redactor), "json", context);
  }
  if (Array.isArray(value) && value.length === 0) {
    return [{ kind: "note", level: "info", text: "Empty list" }];
  }
  const block = viewStructure(value as object, inside, origin);
  if (block.total === 0) return [{ kind: "note", level: "info", text: "Empty object" }];
  return [block, ...viewPlaceholder(block)];
}

/** Displays a JSON body that is not valid: the error, and its text. */
export function viewJsonError(body: Body, error: unknown, context: ViewContext): readonly Block[] {
  const reason = messageOf(error);
  const note: Block = {
    kind: "note",
    level: "warning",
    text: cutText(context.redact(reason), context.limits.line),
  };
  return [note, ...viewText(shownText(body, context), "json", context)];
}

/** A request is named so that others can use its response: a note says how. */
function viewPlaceholder(block: FieldsBlock | TableBlock): readonly Block[] {
  const { path } = block;
  if (path?.startsWith("{{") !== true) return [];
  const inner = examplePath(block);
  const text = `In later requests: ${path}${inner === undefined ? "" : `, for example ${inner}`}`;
  return [{ kind: "note", level: "info", text }];
}

/** The path of one value, as an example. */
function examplePath(block: FieldsBlock | TableBlock): string | undefined {
  if (block.kind === "table") return block.columnPaths?.find((path) => path !== undefined);
  const field = block.fields.find(({ path }) => path !== undefined);
  return (field?.nested && examplePath(field.nested)) ?? field?.path;
}
