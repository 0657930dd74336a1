import type { Style } from "./highlight.ts";
import type { EditorPaint } from "./lay-out.ts";

/** Colours by number (SGR), the terminal's own, so that they suit its background. */
const STYLES: Readonly<Record<Style, string>> = {
  method: "1",
  url: "36",
  name: "34",
  keyword: "35",
  string: "32",
  number: "33",
  comment: "2",
  placeholder: "1;33",
  command: "35",
};

/** The colours of the editor, or none; what is chosen in a menu is turned round all the same. */
export function createEditorPaint(color: boolean): EditorPaint {
  const wrap = (text: string, code: string): string => `\u001b[${code}m${text}\u001b[0m`;
  if (!color) {
    return {
      style: (text) => text,
      prompt: (text) => text,
      faint: (text) => text,
      chosen: (text) => text.replace(/^ /, ">"),
    };
  }
  return {
    style: (text, style) => wrap(text, STYLES[style]),
    prompt: (text) => wrap(text, "1;32"),
    faint: (text) => wrap(text, "2"),
    chosen: (text) => wrap(text, "7"),
  };
}

/** A text in colours; lines end with their colour, since pagers begin each line without one. */
export function paintText(
  text: string,
  stretches: readonly { readonly start: number; readonly end: number; readonly style: Style }[],
  paint: EditorPaint,
): string {
  let result = "";
  let at = 0;
  for (const { start, end, style } of stretches) {
    result += text.slice(at, start);
    result += text
      .slice(start, end)
      .split("\n")
      .map((line) => paint.style(line, style))
      .join("\n");
    at = end;
  }
  return result + text.slice(at);
}
