import {
  createLookup,
  type Fault,
  type RenderedRange,
  renderTemplate,
  type Template,
  type Variables,
} from "../interpolation/mod.ts";
import type { BodyDraft, FileDraft, Remark } from "./draft.ts";
import {
  type GraphqlDraft,
  renderQuery,
  splitGraphql,
  startsAsQuery,
  toGraphqlBody,
} from "./graphql.ts";
import { beginsAsJson, isFormType, isJsonType } from "./header-line.ts";
import { jsonWarning } from "./json-fault.ts";
import { encodeForm, formTypeOf, normalizeBody, remarkOn, splitFiles } from "./normalize-body.ts";
import type { BodyFile, BodyMixture, MessageStep } from "./render.ts";

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
  readonly warnings: readonly string[];
  /** A warning with a position. */
  readonly remark?: Remark;
  /** The messages of a WebSocket request. */
  readonly messages?: readonly MessageStep[];
  /** For JSON: the rendered range of each placeholder. */
  readonly ranges?: readonly RenderedRange[];
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
  if (draft === undefined) return { body: undefined, warnings: [] };
  if (draft.kind === "file") return { body: renderFile(draft, context), warnings: [] };
  if (draft.kind === "pieces") return renderMixture(draft.pieces, contentType, context);
  const isQuery = contentType !== undefined && isJsonType(contentType) && startsAsQuery(draft.text);
  if (context.graphql === true || isQuery) {
    return renderGraphql(splitGraphql(draft.text), contentType, context);
  }
  const isJson = contentType !== undefined && isJsonType(contentType);
  const json = (draft.json ?? draft).text;
  const whole = draft.exact ? draft.text : normalizeBody(isJson ? json : draft.text, contentType);
  const written = { source: whole.source, span: draft.span };
  const pieces = draft.exact ? undefined : splitFiles(whole);
  if (pieces !== undefined) return renderMixture(pieces, contentType, context, written);
  const { variables, missing, unresolved } = context;
  if (contentType !== undefined && !isJson) {
    const text = renderTemplate(whole, variables, "text", { missing, unresolved });
    const body = isFormType(contentType) && !draft.exact ? encodeForm(text, missing) : text;
    const remark = draft.exact ? undefined : remarkOn(contentType, written, body);
    return { body, warnings: [], ...(remark === undefined ? {} : { remark }) };
  }
  const ranges: RenderedRange[] = [];
  const before = unresolved.length;
  const body = renderTemplate(json, variables, "json", { missing, unresolved, ranges });
  if (isJson && json.parts.length === 0) return { body: undefined, warnings: [] };
  if (contentType === undefined && !beginsAsJson(body)) {
    // Not JSON after all: the places of the placeholders are text.
    unresolved.length = before;
    const addedType = draft.exact ? undefined : formTypeOf(draft.text);
    const written = normalizeBody(draft.text, addedType);
    const text = renderTemplate(written, variables, "text", { missing, unresolved });
    if (addedType === undefined) return { body: text, warnings: [] };
    return { body: encodeForm(text, missing), addedType, warnings: [] };
  }
  const warning = unresolved.length > before ? undefined : jsonWarning(body, ranges);
  return {
    body,
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    warnings: warning === undefined ? [] : [warning],
    ranges,
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
  written?: Parameters<typeof remarkOn>[1],
): RenderedBody {
  const { variables, missing, unresolved } = context;
  const place = contentType !== undefined && isJsonType(contentType) ? "json" : "text";
  const rendered = pieces.map((piece) =>
    "path" in piece
      ? renderFile(piece, context)
      : renderTemplate(piece, variables, place, { missing, unresolved }),
  );
  const text = rendered.filter((piece) => typeof piece === "string").join("");
  const remark = written && remarkOn(contentType, written, text);
  return { body: { pieces: rendered }, warnings: [], ...(remark === undefined ? {} : { remark }) };
}

function renderGraphql(
  { query, variables }: GraphqlDraft,
  contentType: string | undefined,
  context: RenderContext,
): RenderedBody {
  const { missing, unresolved } = context;
  const before = unresolved.length;
  const render = (template: Template): string =>
    renderTemplate(template, context.variables, "text", { missing, unresolved });
  const read = renderQuery(query, render, createLookup(context.variables));
  const ranges: RenderedRange[] = [];
  const json =
    variables &&
    renderTemplate(variables, context.variables, "json", { missing, unresolved, ranges });
  const isWhole = json === undefined || unresolved.length > before;
  const warning = isWhole ? undefined : jsonWarning(json, ranges);
  return {
    body: toGraphqlBody(read, json),
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    warnings: warning === undefined ? [] : [warning.replace("JSON body", "JSON of the variables")],
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
