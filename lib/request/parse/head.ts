import type { Span, Template } from "../../interpolation/mod.ts";
import { joinTemplates } from "../../interpolation/mod.ts";
import type { Annotation, HeaderDraft } from "../draft/mod.ts";
import { readHeader } from "./header-line.ts";
import { classifyLine, indentation, type Line, lineAt, readAnnotation, trimLine } from "./line.ts";
import type { Reading } from "./reading.ts";
import { isPlainRequestLine, readRequestLine, readTarget } from "./request-line.ts";
import { startsHandler } from "./scripts.ts";

/** A request without its body. */
export interface Head {
  readonly method: string;
  readonly url: Template;
  readonly urlSpan: Span;
  readonly headers: readonly HeaderDraft[];
  readonly annotations: readonly Annotation[];
  /** Where its last line ends. */
  readonly end: number;
  /** Where the body may begin, or where the next entry does when `bodiless`. */
  readonly next: number;
  /** True where a separator, or a mistake, ends the request with its headers. */
  readonly bodiless: boolean;
}

/** Reads the request line, its continuations and the headers, up to the blank line behind them. */
export function readHead(reading: Reading, first: Line): Head {
  const { source } = reading;
  const { method, target } = readRequestLine(reading, first);
  const pieces = [reading.template(target)];
  const headers: HeaderDraft[] = [];
  const annotations: Annotation[] = [];
  const indent = indentation(first.text);
  let inHeaders = false;
  let end = trimLine(first).end;
  let urlSpan = target;
  const finish = (next: number, bodiless: boolean): Head => {
    const url = joinTemplates(pieces);
    return { method, url, urlSpan, headers, annotations, end, next, bodiless };
  };
  let line = lineAt(source, first.next);
  for (; line.start < source.length; line = lineAt(source, line.next)) {
    const kind = classifyLine(line.text);
    if (kind === "blank") return finish(line.next, false);
    if (kind === "separator") return finish(line.start, true);
    if (kind === "comment") continue;
    if (startsHandler(line.text)) return finish(line.start, false);
    const span = trimLine(line);
    if (kind === "annotation") {
      annotations.push({ ...readAnnotation(line.text), span });
      continue;
    }
    if (!inHeaders && continuesTarget(line.text, indent)) {
      const piece = readTarget(reading, span);
      pieces.push(reading.template(piece));
      urlSpan = { start: target.start, end: piece.end };
      end = span.end;
      continue;
    }
    inHeaders = true;
    if (isPlainRequestLine(line.text)) {
      const hint = 'Put a line "###" between two requests';
      reading.report(span, "A second request line is among the headers", hint);
      return finish(line.start, true);
    }
    const header = readHeader(reading, line, indent);
    if (header === "body") return finish(line.start, false);
    if (header !== undefined) headers.push(header);
    end = span.end;
  }
  return finish(source.length, true);
}

/** `?` and `&` go on with the query; a further indented `/` goes on with the path, as in JetBrains' files. */
function continuesTarget(text: string, indent: number): boolean {
  const own = indentation(text);
  const mark = text[own];
  return mark === "?" || mark === "&" || (mark === "/" && own > indent);
}
