import type { AssertionDraft } from "../assertions/mod.ts";
import type { Placeholder, Template } from "../interpolation/mod.ts";
import type { BodyDraft, Entry, FileDraft, RequestDraft } from "./draft.ts";

function templatesOf(entry: Entry): readonly Template[] {
  if (entry.kind === "script") return [];
  if (entry.kind === "assignment") return [entry.value];
  const { methodTemplate, url, query = [], headers, body, saveTo } = entry;
  const { given = [], assertions = [] } = entry;
  return [
    ...given.map(({ value }) => value),
    ...(methodTemplate === undefined ? [] : [methodTemplate]),
    url,
    ...query.map(templateOf),
    ...headers.map(({ value }) => value),
    ...(body === undefined ? [] : bodyTemplates(body)),
    ...(saveTo === undefined ? [] : [saveTo.path]),
    ...assertions.flatMap(({ expected }) => expected ?? []),
  ];
}

/** The templates of a body in order. */
export function bodyTemplates(body: BodyDraft): readonly Template[] {
  if (body.kind === "text") return [(body.json ?? body).text];
  if (body.kind === "file") return [body.path];
  return body.pieces.map(templateOf);
}

function templateOf(piece: Template | FileDraft): Template {
  return "path" in piece ? piece.path : piece;
}

/** The placeholders of an entry in order. */
export function placeholdersOf(entry: Entry): readonly Placeholder[] {
  const loop = entry.kind === "request" ? entry.loop : undefined;
  return [
    ...(loop?.kind === "list" ? [loop.list] : []),
    ...templatesOf(entry).flatMap(({ parts }) => parts.filter((part) => typeof part !== "string")),
  ];
}

/** Applies a function to every template of a request. */
export function mapTemplates(
  draft: RequestDraft,
  change: (template: Template) => Template,
): RequestDraft {
  const { methodTemplate, url, query, headers, body, saveTo, assertions, ...rest } = draft;
  return {
    ...rest,
    ...(methodTemplate && { methodTemplate: change(methodTemplate) }),
    url: change(url),
    ...(query && { query: mapPieces(query, change) }),
    headers: headers.map((header) => ({ ...header, value: change(header.value) })),
    ...(body === undefined ? {} : { body: mapBody(body, change) }),
    ...(saveTo === undefined ? {} : { saveTo: { ...saveTo, path: change(saveTo.path) } }),
    ...(assertions && { assertions: assertions.map((one) => mapExpected(one, change)) }),
  };
}

function mapExpected(
  assertion: AssertionDraft,
  change: (template: Template) => Template,
): AssertionDraft {
  const { expected } = assertion;
  return expected === undefined ? assertion : { ...assertion, expected: change(expected) };
}

function mapBody(body: BodyDraft, change: (template: Template) => Template): BodyDraft {
  if (body.kind === "text") {
    const { text, json } = body;
    const changed = json && { json: { ...json, text: change(json.text) } };
    return { ...body, text: change(text), ...changed };
  }
  if (body.kind === "file") return { ...body, path: change(body.path) };
  return { ...body, pieces: mapPieces(body.pieces, change) };
}

function mapPieces(
  pieces: readonly (Template | FileDraft)[],
  change: (template: Template) => Template,
): readonly (Template | FileDraft)[] {
  return pieces.map((piece) =>
    "path" in piece ? { ...piece, path: change(piece.path) } : change(piece),
  );
}
