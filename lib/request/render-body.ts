import {
  type Fault,
  type RenderedRange,
  renderTemplate,
  type Variables,
} from "../interpolation/mod.ts";
import type { BodyDraft } from "./draft.ts";
import { explainJson } from "./json-warning.ts";
import type { BodyFile } from "./rendered.ts";
import { shorten } from "./shorten.ts";

/** What every part of one request is rendered with. */
interface Rendering {
  readonly variables: Variables;
  readonly missing: "error" | "keep";
  readonly unresolved: Fault[];
}

/** A body with its values, and what was found out about it. */
export interface RenderedBody {
  readonly body: string | BodyFile | undefined;
  /** The content type to add, the body being JSON and none being written. */
  readonly addedType?: string;
  readonly warnings: readonly string[];
  /** Where it is JSON: which placeholder each stretch came from. */
  readonly ranges?: readonly RenderedRange[];
}

/**
 * Renders a body. It is JSON where its content type says so, or, without one, where it begins with
 * `{` or `[`.
 *
 * @param draft The body as written.
 * @param contentType The rendered `Content-Type`, if one is written.
 * @param rendering The values; `unresolved` receives placeholders without one.
 */
export function renderBody(
  draft: BodyDraft | undefined,
  contentType: string | undefined,
  { variables, missing, unresolved }: Rendering,
): RenderedBody {
  if (draft === undefined) return { body: undefined, warnings: [] };
  if (draft.kind === "file") {
    const path = renderTemplate(draft.path, variables, "text", { missing, unresolved });
    const encoding = draft.encoding === undefined ? {} : { encoding: draft.encoding };
    return { body: { path, interpolated: draft.interpolated, ...encoding }, warnings: [] };
  }
  if (contentType !== undefined && !isJsonType(contentType)) {
    const body = renderTemplate(draft.text, variables, "text", { missing, unresolved });
    return { body, warnings: fileWarnings(draft) };
  }
  const ranges: RenderedRange[] = [];
  const begun = unresolved.length;
  const body = renderTemplate(draft.text, variables, "json", { missing, unresolved, ranges });
  if (contentType === undefined && !/^\s*[{[]/.test(body)) {
    // Only what stands before the first character decided, so that this is no circle.
    unresolved.length = begun;
    return {
      body: renderTemplate(draft.text, variables, "text", { missing, unresolved }),
      warnings: fileWarnings(draft),
    };
  }
  const warning = unresolved.length > begun ? undefined : explainJson(body, ranges);
  return {
    body,
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    warnings: warning === undefined ? [] : [warning],
    ranges,
  };
}

/** Other editors put a file in place of such a line wherever it stands: that it is sent has to be said. */
function fileWarnings({ text, span }: BodyDraft & { readonly kind: "text" }): readonly string[] {
  const line = /^<(?:@[\w-]*)?[ \t]+\S[^\r\n]*/m.exec(text.source.slice(span.start, span.end))?.[0];
  if (line === undefined) return [];
  const quoted = `The line "${shorten(line)}" of the body is sent as text`;
  return [`${quoted}: a file is read where such a line is the whole body`];
}

/** `application/json` and `+json`, whatever parameters follow. */
function isJsonType(contentType: string): boolean {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return mediaType === "application/json" || mediaType.endsWith("+json");
}
