import { type Block, groupDigits, type ViewContext } from "../blocks/mod.ts";

/** Displays a text; a note says how much of a long one is not shown. */
export function viewText(
  text: string,
  language: string | undefined,
  { limits }: ViewContext,
): readonly Block[] {
  const shown = text.slice(0, limits.text);
  const block: Block =
    language === undefined
      ? { kind: "text", text: shown }
      : { kind: "text", text: shown, language };
  if (shown.length === text.length) return [block];
  const note = `${groupDigits(text.length - shown.length)} of ${groupDigits(text.length)} characters are not shown`;
  return [block, { kind: "note", level: "info", text: note }];
}
