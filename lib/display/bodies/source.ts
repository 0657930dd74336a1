import { type Block, formatBytes, groupDigits, type ViewContext } from "../blocks/mod.ts";
import { indentJson } from "../json-preview/mod.ts";
import { type Body, shownText } from "./body.ts";

/** Displays the text of a JSON body, indented; a note says how much of a long one is not shown. */
export function viewJsonSource(
  body: Body,
  context: ViewContext,
  most: number = context.limits.text,
): Block[] {
  const text = shownText(body, context);
  // Indenting makes a text longer, never shorter.
  const indented = indentJson(text.slice(0, most));
  const block: Block = { kind: "text", text: indented.slice(0, most), language: "json" };
  if (text.length <= most && indented.length <= most) return [block];
  const size = formatBytes(body.content.length);
  const note = `The first ${groupDigits(most)} characters of ${size} are shown`;
  return [block, { kind: "note", level: "info", text: note }];
}

/** The source of a JSON body to unfold below its view. */
export function foldSource(body: Body, context: ViewContext): Block {
  const title = `Body (${formatBytes(body.content.length)})`;
  const blocks = viewJsonSource(body, context, context.limits.source);
  return { kind: "fold", title, blocks, isExtra: true };
}
