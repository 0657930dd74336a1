import {
  createLookup,
  type Fault,
  firstLineSpan,
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
import { offsetInSource, remarksOnJson } from "./json-fault.ts";
import { boundaryInValue, isMultipart, readMultipart } from "./multipart.ts";
import {
  encodeForm,
  formTypeOf,
  normalizeForm,
  remarksOnForm,
  splitFiles,
} from "./normalize-body.ts";
import type { BodyFile, BodyMixture, MessageStep } from "./render.ts";
import { bodyTemplates } from "./templates.ts";

/** What the parts of a request are rendered with. */
export interface RenderContext {
  readonly variables: Variables;
  readonly missing: "error" | "keep";
  readonly unresolved: Fault[];
  /** Whether the body is a GraphQL query with its variables. */
  readonly graphql?: boolean;
  /** Whether a body of JSON is one of lines, each of which is JSON. */
  readonly isBulk?: boolean;
}

/** A rendered body. */
export interface RenderedBody {
  readonly body: string | BodyFile | BodyMixture | undefined;
  /** The Content-Type to add to a body of JSON or of form fields without one. */
  readonly addedType?: string;
  /** The Content-Type to send in place of the written one, if that has no boundary. */
  readonly type?: string | undefined;
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
  const { variables, missing, unresolved } = context;
  if (contentType !== undefined && !isJson) return renderTyped(draft, contentType, context);
  const pieces = draft.exact ? undefined : splitFiles(isJson ? json : draft.text);
  if (pieces !== undefined) return renderMixture(pieces, contentType, context);
  const ranges: RenderedRange[] = [];
  const before = unresolved.length;
  const body = renderTemplate(json, variables, "json", { missing, unresolved, ranges });
  if (isJson && json.parts.length === 0) return { body: undefined, remarks: [] };
  if (contentType === undefined && !beginsAsJson(body)) {
    // Not JSON after all: the places of the placeholders are text.
    unresolved.length = before;
    const addedType = draft.exact ? undefined : formTypeOf(draft.text);
    const written = addedType === undefined ? draft.text : normalizeForm(draft.text);
    const text = renderTemplate(written, variables, "text", { missing, unresolved });
    if (addedType === undefined) return { body: text, remarks: [] };
    return { body: encodeForm(text, missing), addedType, remarks: [] };
  }
  const place = { ...draft, ...draft.json };
  const isUnchecked = context.isBulk === true || unresolved.length > before;
  return {
    body: context.isBulk && !draft.exact ? withFinalBreak(body) : body,
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    remarks: isUnchecked ? [] : remarksOnJson(body, ranges, place),
  };
}

/**
 * Renders the texts of pieces, and the paths of their files.
 *
 * @param onText Gets each text with the ranges of its values.
 */
export function renderPieces(
  pieces: readonly (Template | FileDraft)[],
  place: "json" | "text" | "url",
  context: RenderContext,
  onText?: (text: string, ranges: readonly RenderedRange[]) => void,
): readonly (string | BodyFile)[] {
  const { variables, missing, unresolved } = context;
  return pieces.map((piece) => {
    if ("path" in piece) return renderFile(piece, context);
    const ranges: RenderedRange[] = [];
    const text = renderTemplate(piece, variables, place, { missing, unresolved, ranges });
    onText?.(text, ranges);
    return text;
  });
}

function renderFile(file: FileDraft, { variables, missing, unresolved }: RenderContext): BodyFile {
  const path = renderTemplate(file.path, variables, "text", { missing, unresolved });
  const { interpolated, encoding, change, bytes } = file;
  return {
    path,
    interpolated,
    ...(encoding === undefined ? {} : { encoding }),
    ...(change === undefined ? {} : { change }),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

/** Renders a body of a type that is not JSON. */
function renderTyped(
  draft: Extract<BodyDraft, { readonly kind: "text" }>,
  contentType: string,
  context: RenderContext,
): RenderedBody {
  const { variables, missing } = context;
  const of = bodyTemplates(draft);
  const { text: template, span, exact } = draft;
  const isForm = isFormType(contentType) && !exact;
  const parts =
    isMultipart(contentType) && !exact
      ? readMultipart({ ...draft, of }, contentType, (line) =>
          renderTemplate(line, variables, "text", { missing: "keep" }),
        )
      : {
          template: isForm ? normalizeForm(template) : template,
          type: undefined,
          fault: undefined,
          remarks: isForm ? remarksOnForm(template.source, span, of) : [],
        };
  const pieces = (exact ? undefined : splitFiles(parts.template)) ?? [parts.template];
  const rendered = renderMixture(pieces, contentType, context);
  const fault = parts.fault ?? rendered.fault;
  const whole = { ...rendered, type: parts.type, remarks: parts.remarks, fault };
  const { body } = rendered;
  if (typeof body !== "string" || exact) return whole;
  if (isForm) return { ...whole, body: encodeForm(body, missing) };
  return LINES.test(contentType) ? { ...whole, body: withFinalBreak(body) } : whole;
}

/** Types whose readers take a line that no line break ends for an incomplete one. */
const LINES =
  /^\s*(?:application\/(?:x-)?(?:ndjson|jsonl|jsonlines|ldjson|json-lines|json-seq)|text\/(?:csv|tab-separated-values|event-stream))\s*(?:;|$)/i;

/** A text that ends in a line break; those of a body that is written end before it. */
function withFinalBreak(text: string): string {
  if (/[\r\n]$/.test(text)) return text;
  return text + (/\r\n|\n|\r/.exec(text)?.[0] ?? "\n");
}

/** Renders texts and files in order. */
function renderMixture(
  pieces: readonly (Template | FileDraft)[],
  contentType: string | undefined,
  context: RenderContext,
): RenderedBody {
  const place = contentType !== undefined && isJsonType(contentType) ? "json" : "text";
  let fault: RenderedBody["fault"];
  const rendered = renderPieces(pieces, place, context, (text, ranges) => {
    fault ??= boundaryInValue(contentType, text, ranges);
  });
  const [first] = rendered;
  const isText = rendered.length === 1 && typeof first === "string";
  return { body: isText ? first : { pieces: rendered }, remarks: [], fault };
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
  const start = rest === undefined ? 0 : offsetInSource(rest, written);
  const below = { span: { start, end: written.span.end }, omitted: written.omitted };
  let fault: Remark | undefined;
  if (rest !== undefined && json === undefined) {
    fault = unclearText(written.text.source, below.span);
  } else if (isWhole && variables !== undefined && json !== undefined) {
    [fault] = remarksOnJson(json, ranges, { text: variables, ...below }, VARIABLES);
  }
  return {
    body: toGraphqlBody(read, json),
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    remarks: [],
    fault,
  };
}

const VARIABLES = "The JSON of the variables";

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
