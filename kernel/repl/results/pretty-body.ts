import { indentJson } from "../../../lib/display/mod.ts";
import { streamKind } from "../../../lib/exchange/mod.ts";
import { isJsonType } from "../../../lib/request/mod.ts";
import type { OutputStream } from "../../platform/mod.ts";
import { createEditorPaint, highlight, paintText } from "../editor/mod.ts";

/** How answers are written: bodies indented, in colours, both or neither. */
export type Pretty = "none" | "format" | "colors" | "all";

/** How bodies are written. */
export interface BodyStyle {
  /** Whether JSON is indented. */
  readonly format: boolean;
  readonly color: boolean;
}

/** The style of `--pretty`; by default a terminal gets both and a pipe gets neither. */
export function bodyStyle(pretty: Pretty | undefined, stdout: OutputStream): BodyStyle {
  if (pretty === undefined)
    return { format: stdout.isTerminal, color: stdout.isTerminal && stdout.color };
  const isAll = pretty === "all";
  return { format: isAll || pretty === "format", color: isAll || pretty === "colors" };
}

/** Indents JSON and colours JSON and JSON Lines, in a text that is visible already. */
export function prettyBody(text: string, mediaType: string, { format, color }: BodyStyle): string {
  const isJson = isJsonType(mediaType);
  if (!isJson && streamKind(mediaType) !== "lines") return text;
  const shown = format && isJson ? indentJson(text) : text;
  if (!color) return shown;
  const paint = createEditorPaint(true);
  // Line by line, since a long text is not highlighted.
  return shown
    .split("\n")
    .map((line) => paintText(line, highlight(line, "json"), paint))
    .join("\n");
}
