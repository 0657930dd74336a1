import { firstLineSpan, type Span, shorten } from "../../interpolation/mod.ts";
import {
  annotationWarning,
  type HeaderDraft,
  type Remark,
  type RequestDraft,
} from "../draft/mod.ts";
import { nearHeader } from "./header-names.ts";

/** A remark on a line of a request; a warning if it is probably a mistake. */
export interface DraftWarning {
  readonly code: "ignored" | "header-name" | Remark["code"];
  readonly level: "warning" | "info";
  readonly message: string;
  readonly hint?: string;
  readonly span: Span;
}

/**
 * The remarks on annotations and scripts without an effect, on header names that are probably misspelt, and on
 * lines that are doubtful.
 */
export function draftWarnings(draft: RequestDraft): readonly DraftWarning[] {
  const { annotations, headers, skipped = [], remarks = [] } = draft;
  const scripts = skipped.map(({ span, source, reason }): DraftWarning => {
    if (reason !== undefined) return { code: "ignored", level: "warning", ...reason, span };
    const { start, end } = firstLineSpan(source, span);
    const first = shorten(source.slice(start, end));
    const hint = "Scripts are run only in a cell, a file or a prompt entry";
    return { code: "ignored", level: "info", message: `Not run: "${first}"`, hint, span };
  });
  const others = annotations.flatMap((annotation): readonly DraftWarning[] => {
    const message = annotationWarning(annotation, draft);
    const { span } = annotation;
    return message === undefined ? [] : [{ code: "ignored", level: "warning", message, span }];
  });
  const doubtful = remarks.map((one): DraftWarning => ({ ...one, level: "warning" }));
  return [...others, ...headers.flatMap(headerNameWarning), ...doubtful, ...scripts];
}

function headerNameWarning({ name, span }: HeaderDraft): readonly DraftWarning[] {
  const near = nearHeader(name);
  if (near === undefined) return [];
  const message = `The header name "${name}" is probably misspelt`;
  const place = { start: span.start, end: span.start + name.length };
  return [
    {
      code: "header-name",
      level: "warning",
      message,
      hint: `Did you mean "${near}"?`,
      span: place,
    },
  ];
}
