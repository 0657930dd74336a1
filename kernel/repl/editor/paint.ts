import type { Style } from "./highlight.ts";

export interface EditorPaint {
  style(text: string, style: Style): string;
  prompt(text: string): string;
  faint(text: string): string;
  selected(text: string): string;
}

/** SGR codes of the terminal's own palette, which suits its background. */
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

/** Creates the colours of the editor; without colours the selected item of a menu begins with `>`. */
export function createEditorPaint(color: boolean): EditorPaint {
  const wrap = (text: string, code: string): string => `\u001b[${code}m${text}\u001b[0m`;
  if (!color) {
    return {
      style: (text) => text,
      prompt: (text) => text,
      faint: (text) => text,
      selected: (text) => text.replace(/^ /, ">"),
    };
  }
  return {
    style: (text, style) => wrap(text, STYLES[style]),
    prompt: (text) => wrap(text, "1;32"),
    faint: (text) => wrap(text, "2"),
    selected: (text) => wrap(text, "7"),
  };
}

/** Colours a text line by line: a pager begins each line without a colour. */
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
