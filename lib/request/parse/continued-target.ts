import { shorten } from "../../interpolation/mod.ts";
import { isVersion, partAtEnd, splitHeader, type TargetPart } from "../draft/mod.ts";
import { indentation, type Line, type Parser, trimLine } from "./lines/mod.ts";

/** A target as far as it has been read. */
interface TargetSoFar {
  /** The part that its end belongs to. */
  readonly part: TargetPart;
  /** Whether it ends with a character after which more follows: `?`, `&`, `/`, `=` or a comma. */
  readonly isOpen: boolean;
}

/** Adds a line to a target. */
export function addToTarget(text: string, before?: TargetSoFar): TargetSoFar {
  if (text === "" && before !== undefined) return before;
  return { part: partAtEnd(text, before?.part ?? "host"), isOpen: /[?&/=,]$/.test(text) };
}

/**
 * Whether a line continues a target: it begins with `?` or `&`, or it is indented and not a header. JetBrains'
 * editor reads every indented line as part of the target, VS Code's REST Client every one as a header.
 *
 * @param indent The indentation of the request line.
 */
export function continuesTarget(text: string, indent: number, { isOpen }: TargetSoFar): boolean {
  const own = indentation(text);
  const line = text.slice(own).trimEnd();
  if (/^[?&]/.test(line)) return true;
  if (own <= indent) return false;
  if (line.startsWith("/") || isVersion(line)) return true;
  if (/^(?:\{(?!\{)|[[<>"@])/.test(line)) return false;
  if (/^\{\{[^{}]*\}\}$/.test(line)) return isOpen;
  return splitHeader(line) === undefined || (isOpen && !/:(?:[ \t]|$)/.test(line));
}

/** Adds a remark if neither the end of the target nor the beginning of the line shows that the line continues it. */
export function remarkContinuation(parser: Parser, line: Line, { isOpen }: TargetSoFar): void {
  const span = trimLine(line);
  const text = parser.source.slice(span.start, span.end);
  if (isOpen || /^[?&/]/.test(text) || isVersion(text)) return;
  parser.remark("url", span, `The indented line "${shorten(text)}" continues the URL`);
}
