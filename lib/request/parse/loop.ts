import {
  type PathPlaceholder,
  parseTemplate,
  type Span,
  shorten,
  TemplateSyntaxError,
} from "../../interpolation/mod.ts";
import { type Annotation, findAnnotation, type LoopDraft } from "../draft/mod.ts";
import type { Parser } from "./lines/mod.ts";

/** A request is sent at most so often by one loop. */
const MAX_PASSES = 10_000;

const COUNT = /^for\s*(\d+)$/;
const LIST = /^for\s+([\p{L}_][\p{L}\d_-]*)\s+of\s+(\S.*)$/u;

const IN_TYPESCRIPT = "send the requests in a TypeScript cell";

/** Parses the line `# @loop` among the annotations of a request; any other loop is reported. */
export function readLoop(
  parser: Parser,
  annotations: readonly Annotation[],
): LoopDraft | undefined {
  const found = findAnnotation(annotations, "loop");
  if (found === undefined) return undefined;
  const { value, span } = found;
  const [, count] = COUNT.exec(value) ?? [];
  if (count !== undefined) {
    if (Number(count) <= MAX_PASSES) return { kind: "count", count: Number(count) };
    const message = `The loop "${shorten(value)}" has more than ${MAX_PASSES} passes`;
    parser.report(span, message, `Write a smaller number, or ${IN_TYPESCRIPT}`);
    return undefined;
  }
  const [, name, text = ""] = LIST.exec(value) ?? [];
  const list = name === undefined ? undefined : readPath(text, span);
  if (name !== undefined && list !== undefined) return { kind: "list", name, list };
  const message = `The loop "${shorten(value)}" is not supported`;
  const hint = `Write "for 3" or "for item of list" with the name of a variable, or ${IN_TYPESCRIPT}`;
  parser.report(span, message, hint);
  return undefined;
}

/** A path such as `users` or `login.items[0].ids`. */
function readPath(text: string, span: Span): PathPlaceholder | undefined {
  try {
    const [part, ...more] = parseTemplate(`{{${text}}}`).parts;
    if (typeof part !== "object" || part.kind !== "path" || more.length > 0) return undefined;
    const isPlain = part.encoded !== true && part.query === undefined;
    return isPlain ? { ...part, span } : undefined;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return undefined;
    throw error;
  }
}
