import { joinParts, type Part, type Template } from "../../interpolation/mod.ts";
import type { FileDraft } from "../draft/mod.ts";

/** `< path`, `<@ path` and `<@encoding path` at the beginning of a line. */
const FILE = /^[ \t]*<(?:(@)([\w-]*))?[ \t]+(?=\S|$)/;
const HAS_FILE = /(?:^|[\r\n])[ \t]*<(?:@[\w-]*)?[ \t]/;

/**
 * Splits a body at the lines that name files, as VS Code REST Client and JetBrains' client do. The line breaks
 * around such a line belong to the text.
 *
 * @returns The texts and files in order; `undefined` without files.
 */
export function splitFiles(template: Template): readonly (Template | FileDraft)[] | undefined {
  const { parts } = template;
  if (!parts.some((part) => typeof part === "string" && HAS_FILE.test(part))) return undefined;
  const pieces: (Template | FileDraft)[] = [];
  let text: Part[] = [];
  let found = false;
  const flush = (): void => {
    if (text.length > 0) pieces.push({ ...template, parts: text });
    text = [];
  };
  for (const line of linesOf(parts)) {
    const [first] = line.content;
    const mark = typeof first === "string" ? FILE.exec(first) : null;
    const isMarked = mark !== null && typeof first === "string";
    const path = isMarked ? trimEnd([first.slice(mark[0].length), ...line.content.slice(1)]) : [];
    if (!isMarked || path.length === 0) {
      for (const part of line.content) text.push(part);
      text.push(line.end);
      continue;
    }
    found = true;
    flush();
    const [, at, encoding] = mark;
    pieces.push({
      path: { ...template, parts: path },
      interpolated: at !== undefined,
      ...(encoding === undefined || encoding === "" ? {} : { encoding }),
    });
    text.push(line.end);
  }
  flush();
  return found ? pieces : undefined;
}

/** A line of a template with its line break. */
export interface PartLine {
  readonly content: readonly Part[];
  readonly end: string;
}

/** Splits a template into lines; placeholders count as one line. */
export function linesOf(parts: readonly Part[]): readonly PartLine[] {
  const lines: PartLine[] = [];
  let content: Part[] = [];
  for (const part of parts) {
    if (typeof part !== "string") {
      content.push(part);
      continue;
    }
    const texts = part.split(/(\r\n?|\n)/);
    for (let index = 0; index < texts.length; index += 2) {
      const text = texts[index] ?? "";
      const end = texts[index + 1];
      if (text !== "") content.push(text);
      if (end === undefined) continue;
      lines.push({ content, end });
      content = [];
    }
  }
  if (content.length > 0) lines.push({ content, end: "" });
  return lines;
}

/** The parts of lines, with adjacent texts joined. */
export function joinLines(lines: readonly PartLine[]): readonly Part[] {
  return joinParts(lines.flatMap(({ content, end }) => [...content, end]));
}

/** Whether a line begins with `#` or `//`. */
export function isCommentLine([first]: readonly Part[]): boolean {
  return typeof first === "string" && /^[ \t]*(?:#|\/\/)/.test(first);
}

function trimEnd(parts: readonly Part[]): readonly Part[] {
  const kept = parts.filter((part) => part !== "");
  const last = kept.at(-1);
  if (typeof last !== "string") return kept;
  const text = last.trimEnd();
  return text === "" ? trimEnd(kept.slice(0, -1)) : [...kept.slice(0, -1), text];
}
