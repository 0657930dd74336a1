import {
  createLookup,
  type Fault,
  firstLineSpan,
  type Place,
  type RenderedRange,
  renderTemplate,
  type Span,
  shorten,
  type Template,
  type Variables,
} from "../interpolation/mod.ts";
import type { BodyDraft, FileDraft, Remark } from "./draft.ts";
import { renderQuery, splitGraphql, startsAsQuery, toGraphqlBody } from "./graphql.ts";
import { beginsAsJson, isFormType, isJsonType, isLinesType, placeOf } from "./header-line.ts";
import { offsetInSource, remarksOnJson } from "./json-fault.ts";
import { faultOfValue, isMultipart, readMultipart } from "./multipart.ts";
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
  /** Whether the placeholders of files are filled, from `# @injectVariables` of httpYac. */
  readonly injects?: boolean;
}

/** A rendered body. */
export interface RenderedBody {
  readonly body: string | BodyFile | BodyMixture | undefined;
  /** The Content-Type to add to a body of JSON or of form fields without one. */
  readonly addedType?: string | undefined;
  /** The Content-Type to send in place of the written one, if that has no boundary. */
  readonly type?: string | undefined;
  /** What is doubtful about it. */
  readonly remarks: readonly Remark[];
  /** Why it cannot be sent. */
  readonly fault?: Remark | undefined;
  /** The messages of a WebSocket request. */
  readonly messages?: readonly MessageStep[] | undefined;
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
  const place = placeOf(contentType, context.isBulk);
  if (draft.kind === "file") return { body: renderFile(draft, context, place), remarks: [] };
  if (draft.kind === "pieces") {
    return renderMixture([{ pieces: draft.pieces, place }], contentType, context);
  }
  const isQuery = contentType !== undefined && isJsonType(contentType) && startsAsQuery(draft.text);
  if (context.graphql === true || isQuery) {
    return renderGraphql(draft, contentType, context);
  }
  const isJson = contentType !== undefined && isJsonType(contentType);
  const json = (draft.json ?? draft).text;
  const { variables, missing, unresolved } = context;
  if (contentType !== undefined && !isJson) return renderTyped(draft, contentType, context);
  const pieces = draft.exact ? undefined : splitFiles(isJson ? json : draft.text);
  if (pieces !== undefined) return renderMixture([{ pieces, place }], contentType, context);
  const ranges: RenderedRange[] = [];
  const before = unresolved.length;
  const body = renderTemplate(json, variables, place ?? "json", { missing, unresolved, ranges });
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
  const written = { ...draft, ...draft.json };
  const isUnchecked = context.isBulk === true || unresolved.length > before;
  return {
    body: context.isBulk && !draft.exact ? withFinalBreak(body) : body,
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    remarks: isUnchecked ? [] : remarksOnJson(body, ranges, written),
  };
}

/**
 * Renders the texts of pieces, and the paths of their files.
 *
 * @param onText Gets each text with the ranges of its values.
 */
export function renderPieces(
  pieces: readonly (Template | FileDraft)[],
  place: Place | undefined,
  context: RenderContext,
  onText?: (text: string, ranges: readonly RenderedRange[]) => void,
): readonly (string | BodyFile)[] {
  const { variables, missing, unresolved } = context;
  return pieces.map((piece) => {
    if ("path" in piece) return renderFile(piece, context, place);
    const ranges: RenderedRange[] = [];
    const text = renderTemplate(piece, variables, place ?? "text", { missing, unresolved, ranges });
    onText?.(text, ranges);
    return text;
  });
}

function renderFile(
  file: FileDraft,
  { variables, missing, unresolved, injects = false }: RenderContext,
  place: Place | undefined,
): BodyFile {
  const path = renderTemplate(file.path, variables, "text", { missing, unresolved });
  const { encoding, change, bytes } = file;
  const interpolated = file.interpolated || injects;
  return {
    path,
    interpolated,
    ...(interpolated && place !== undefined ? { place } : {}),
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
          sections: [
            { text: isForm ? normalizeForm(template) : template, place: placeOf(contentType) },
          ],
          type: undefined,
          fault: undefined,
          remarks: isForm ? remarksOnForm(template.source, span, of) : [],
        };
  const sections = parts.sections.map(({ text, place }) => ({
    pieces: (exact ? undefined : splitFiles(text)) ?? [text],
    place,
  }));
  const rendered = renderMixture(sections, contentType, context);
  const fault = parts.fault ?? rendered.fault;
  const whole = { ...rendered, type: parts.type, remarks: parts.remarks, fault };
  const { body } = rendered;
  if (typeof body !== "string" || exact) return whole;
  if (isForm) return { ...whole, body: encodeForm(body, missing) };
  return isLinesType(contentType) ? { ...whole, body: withFinalBreak(body) } : whole;
}

/** A text that ends in a line break; those of a body that is written end before it. */
function withFinalBreak(text: string): string {
  if (/[\r\n]$/.test(text)) return text;
  return text + (/\r\n|\n|\r/.exec(text)?.[0] ?? "\n");
}

/** Texts and files, and how the values in them are written. */
interface Mixture {
  readonly pieces: readonly (Template | FileDraft)[];
  readonly place: Place | undefined;
}

/** Renders texts and files in order. */
function renderMixture(
  mixtures: readonly Mixture[],
  contentType: string | undefined,
  context: RenderContext,
): RenderedBody {
  let fault: RenderedBody["fault"];
  const rendered: (string | BodyFile)[] = [];
  for (const { pieces, place } of mixtures) {
    const some = renderPieces(pieces, place, context, (text, ranges) => {
      fault ??= faultOfValue(contentType, place, text, ranges);
    });
    for (const piece of some) {
      const last = rendered.at(-1);
      const isJoined = typeof last === "string" && typeof piece === "string";
      if (isJoined) rendered[rendered.length - 1] = last + piece;
      else rendered.push(piece);
    }
  }
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
