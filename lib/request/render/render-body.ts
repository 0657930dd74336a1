import {
  type Fault,
  type RenderedRange,
  renderTemplate,
  type Template,
  type Variables,
} from "../../interpolation/mod.ts";
import type { BodyDraft } from "../draft/mod.ts";
import { type GraphqlDraft, splitGraphql, startsAsQuery, toGraphqlBody } from "./graphql.ts";
import { explainJson } from "./json-warning.ts";
import type { BodyFile, BodyMixture, MessageStep } from "./rendered.ts";
import { type FileLine, splitFiles } from "./split-files.ts";
import { toWrittenForm } from "./written-form.ts";

/** What every part of one request is rendered with. */
export interface Rendering {
  readonly variables: Variables;
  readonly missing: "error" | "keep";
  readonly unresolved: Fault[];
  /** Whether the body is a GraphQL query, with its variables. */
  readonly graphql?: boolean;
}

/** A body with its values, and what was found out about it. */
export interface RenderedBody {
  readonly body: string | BodyFile | BodyMixture | undefined;
  /** The content type to add, the body being JSON and none being written. */
  readonly addedType?: string;
  readonly warnings: readonly string[];
  /** Of a WebSocket: what is sent, one after the other. */
  readonly messages?: readonly MessageStep[];
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
  rendering: Rendering,
): RenderedBody {
  if (draft === undefined) return { body: undefined, warnings: [] };
  if (draft.kind === "file") return { body: renderFile(draft, rendering), warnings: [] };
  const isQuery = contentType !== undefined && isJsonType(contentType) && startsAsQuery(draft.text);
  if (rendering.graphql === true || isQuery) {
    return renderGraphql(splitGraphql(draft.text), contentType, rendering);
  }
  const pieces = draft.exact ? undefined : splitFiles(draft.text);
  if (pieces !== undefined) return renderMixture(pieces, contentType, rendering);
  const { variables, missing, unresolved } = rendering;
  if (contentType !== undefined && !isJsonType(contentType)) {
    const text = draft.exact ? draft.text : toWrittenForm(draft.text, contentType);
    return { body: renderTemplate(text, variables, "text", { missing, unresolved }), warnings: [] };
  }
  const ranges: RenderedRange[] = [];
  const begun = unresolved.length;
  const body = renderTemplate(draft.text, variables, "json", { missing, unresolved, ranges });
  if (contentType === undefined && !/^\s*[{[]/.test(body)) {
    // Only what stands before the first character decided, so that this is no circle.
    unresolved.length = begun;
    const text = renderTemplate(draft.text, variables, "text", { missing, unresolved });
    return { body: text, warnings: [] };
  }
  const warning = unresolved.length > begun ? undefined : explainJson(body, ranges);
  return {
    body,
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    warnings: warning === undefined ? [] : [warning],
    ranges,
  };
}

function renderFile(file: FileLine, { variables, missing, unresolved }: Rendering): BodyFile {
  const path = renderTemplate(file.path, variables, "text", { missing, unresolved });
  const encoding = file.encoding === undefined ? {} : { encoding: file.encoding };
  return { path, interpolated: file.interpolated, ...encoding };
}

function renderMixture(
  pieces: readonly (Template | FileLine)[],
  contentType: string | undefined,
  rendering: Rendering,
): RenderedBody {
  const { variables, missing, unresolved } = rendering;
  const place = contentType !== undefined && isJsonType(contentType) ? "json" : "text";
  const rendered = pieces.map((piece) =>
    "path" in piece
      ? renderFile(piece, rendering)
      : renderTemplate(toWrittenForm(piece, contentType), variables, place, {
          missing,
          unresolved,
        }),
  );
  return { body: { pieces: rendered }, warnings: [] };
}

function renderGraphql(
  { query, variables }: GraphqlDraft,
  contentType: string | undefined,
  rendering: Rendering,
): RenderedBody {
  const { missing, unresolved } = rendering;
  const begun = unresolved.length;
  const text = renderTemplate(query, rendering.variables, "text", { missing, unresolved });
  const ranges: RenderedRange[] = [];
  const json =
    variables &&
    renderTemplate(variables, rendering.variables, "json", { missing, unresolved, ranges });
  const isWhole = json === undefined || unresolved.length > begun;
  const warning = isWhole ? undefined : explainJson(json, ranges);
  return {
    body: toGraphqlBody(text, json),
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    warnings: warning === undefined ? [] : [warning.replace("JSON body", "JSON of the variables")],
  };
}

/** `application/json` and `+json`, whatever parameters follow. */
function isJsonType(contentType: string): boolean {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return mediaType === "application/json" || mediaType.endsWith("+json");
}
