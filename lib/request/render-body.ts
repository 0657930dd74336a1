import {
  createLookup,
  type Fault,
  firstLineSpan,
  mapPlaceholders,
  type RenderedRange,
  renderTemplate,
  type Span,
  shorten,
  type Template,
  type Variables,
} from "../interpolation/mod.ts";
import type { BodyDraft, FileDraft, Remark } from "./draft.ts";
import { renderQuery, splitGraphql, startsAsQuery, toGraphqlBody } from "./graphql.ts";
import { beginsAsJson, isFormType, isJsonType } from "./header-line.ts";
import { remarksOnJson, toSourceOffset } from "./json-fault.ts";
import { encodeForm, formTypeOf, normalizeBody, remarksOn, splitFiles } from "./normalize-body.ts";
import type { BodyFile, BodyMixture, MessageStep } from "./render.ts";
import { bodyTemplates } from "./templates.ts";

/** What the parts of a request are rendered with. */
export interface RenderContext {
  readonly variables: Variables;
  readonly missing: "error" | "keep";
  readonly unresolved: Fault[];
  /** Whether the body is a GraphQL query with its variables. */
  readonly graphql?: boolean;
}

/** A rendered body. */
export interface RenderedBody {
  readonly body: string | BodyFile | BodyMixture | undefined;
  /** The Content-Type to add to a body of JSON or of form fields without one. */
  readonly addedType?: string;
  /** What is doubtful about it. */
  readonly remarks: readonly Remark[];
  /** Why it cannot be sent. */
  readonly fault?: Remark | undefined;
  /** The messages of a WebSocket request. */
  readonly messages?: readonly MessageStep[];
}

/**
 * Renders a body. It is JSON if its Content-Type says so, or without one, if it begins with `{` or `[`. Without
 * one it is a form if it is written as `name=value&…`.
 *
 * @param contentType The rendered Content-Type, if there is one.
 * @param context The values; `unresolved` receives placeholders without one.
 */
export function renderBody(
  draft: BodyDraft | undefined,
  contentType: string | undefined,
  context: RenderContext,
): RenderedBody {
  if (draft === undefined) return { body: undefined, remarks: [] };
  if (draft.kind === "file") return { body: renderFile(draft, context), remarks: [] };
  if (draft.kind === "pieces") return renderMixture(draft.pieces, contentType, context);
  const isQuery = contentType !== undefined && isJsonType(contentType) && startsAsQuery(draft.text);
  if (context.graphql === true || isQuery) {
    return renderGraphql(draft, contentType, context);
  }
  const isJson = contentType !== undefined && isJsonType(contentType);
  const json = (draft.json ?? draft).text;
  const whole = draft.exact ? draft.text : normalizeBody(isJson ? json : draft.text, contentType);
  const written = { source: whole.source, span: draft.span, of: bodyTemplates(draft) };
  const pieces = draft.exact ? undefined : splitFiles(whole);
  if (pieces !== undefined) return renderMixture(pieces, contentType, context, written);
  const { variables, missing, unresolved } = context;
  if (contentType !== undefined && !isJson) {
    const text = renderTemplate(whole, variables, "text", { missing, unresolved });
    const body = isFormType(contentType) && !draft.exact ? encodeForm(text, missing) : text;
    return { body, remarks: draft.exact ? [] : remarksOn(contentType, written, body) };
  }
  const ranges: RenderedRange[] = [];
  const before = unresolved.length;
  const body = renderTemplate(json, variables, "json", { missing, unresolved, ranges });
  if (isJson && json.parts.length === 0) return { body: undefined, remarks: [] };
  if (contentType === undefined && !beginsAsJson(body)) {
    // Not JSON after all: the places of the placeholders are text.
    unresolved.length = before;
    const addedType = draft.exact ? undefined : formTypeOf(draft.text);
    const written = normalizeBody(draft.text, addedType);
    const text = renderTemplate(written, variables, "text", { missing, unresolved });
    if (addedType === undefined) return { body: text, remarks: [] };
    return { body: encodeForm(text, missing), addedType, remarks: [] };
  }
  const place = { ...draft, ...draft.json };
  return {
    body,
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    remarks: unresolved.length > before ? [] : remarksOnJson(body, ranges, place),
  };
}

function renderFile(file: FileDraft, { variables, missing, unresolved }: RenderContext): BodyFile {
  const path = renderTemplate(file.path, variables, "text", { missing, unresolved });
  const { interpolated, encoding, change } = file;
  return {
    path,
    interpolated,
    ...(encoding === undefined ? {} : { encoding }),
    ...(change === undefined ? {} : { change }),
  };
}

function renderMixture(
  pieces: readonly (Template | FileDraft)[],
  contentType: string | undefined,
  context: RenderContext,
  written?: Parameters<typeof remarksOn>[1],
): RenderedBody {
  const { variables, missing, unresolved } = context;
  const place = contentType !== undefined && isJsonType(contentType) ? "json" : "text";
  const rendered = pieces.map((piece) =>
    "path" in piece
      ? renderFile(piece, context)
      : renderTemplate(piece, variables, place, { missing, unresolved }),
  );
  const text = rendered.filter((piece) => typeof piece === "string").join("");
  const remarks = written === undefined ? [] : remarksOn(contentType, written, text);
  return { body: { pieces: rendered }, remarks };
}

function renderGraphql(
  written: Extract<BodyDraft, { readonly kind: "text" }>,
  contentType: string | undefined,
  context: RenderContext,
): RenderedBody {
  const { missing, unresolved } = context;
  const { query, variables, rest } = splitGraphql(written.text);
  const before = unresolved.length;
  const render = (template: Template): string =>
    renderTemplate(template, context.variables, "text", { missing, unresolved });
  const read = renderQuery(query, render, createLookup(context.variables));
  const ranges: RenderedRange[] = [];
  const json =
    variables &&
    renderTemplate(variables, context.variables, "json", { missing, unresolved, ranges });
  const isWhole = unresolved.length === before && missing !== "keep";
  const start = rest === undefined ? 0 : toSourceOffset(rest, written, shapeRanges(written.text));
  const below = { span: { start, end: written.span.end }, omitted: written.omitted };
  return {
    body: toGraphqlBody(read, json),
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    remarks: [],
    fault:
      rest !== undefined && (variables === undefined || json === undefined)
        ? unclearText(written.text.source, below.span)
        : isWhole && variables !== undefined && json !== undefined
          ? remarksOnJson(json, ranges, { text: variables, ...below }, VARIABLES)[0]
          : undefined,
  };
}

const VARIABLES = "The JSON of the variables";

/** The ranges of placeholders in the shape of a template. */
function shapeRanges(template: Template): readonly RenderedRange[] {
  const ranges: RenderedRange[] = [];
  mapPlaceholders(template, (placeholder, start) => {
    ranges.push({ placeholder, start, end: start + 1 });
    return placeholder;
  });
  return ranges;
}

function unclearText(source: string, place: Span): Remark {
  const span = firstLineSpan(source, place);
  return {
    code: "body",
    message: `Cannot tell what "${shorten(source.slice(span.start, span.end))}" below the query is: neither a definition of GraphQL nor a JSON object`,
    hint: "Write the variables as a JSON object below the query",
    span,
  };
}

/** Names of Node's buffers, which VS Code REST Client and httpYac document, that are not labels of `TextDecoder`. */
const NODE_NAMES: Readonly<Record<string, string>> = {
  utf16le: "utf-16le",
  ucs2: "utf-16le",
  "ucs-2": "utf-16le",
  binary: "latin1",
};

/**
 * The label with which a `TextDecoder` reads a file of an encoding, as in `<@latin1 ./file`.
 *
 * @returns `undefined` if the encoding is not supported.
 */
export function encodingLabel(name: string): string | undefined {
  const lower = name.toLowerCase();
  const windows = /^(?:cp|win|windows)[-_]?(125\d)$/.exec(lower)?.[1];
  const label = NODE_NAMES[lower] ?? (windows === undefined ? lower : `windows-${windows}`);
  try {
    new TextDecoder(label);
    return label;
  } catch {
    // A RangeError: this runtime does not know the label.
    return undefined;
  }
}
