import type { Placeholder, Template } from "../../interpolation/mod.ts";
import type { BodyDraft, Entry, RequestDraft } from "./draft.ts";

function templatesOf(entry: Entry): readonly Template[] {
  if (entry.kind === "assignment") return [entry.value];
  const { url, headers, body, saveTo } = entry;
  return [
    url,
    ...headers.map(({ value }) => value),
    ...(body === undefined ? [] : [body.kind === "text" ? (body.json ?? body).text : body.path]),
    ...(saveTo === undefined ? [] : [saveTo.path]),
  ];
}

/** The placeholders of an entry in order. */
export function placeholdersOf(entry: Entry): readonly Placeholder[] {
  return templatesOf(entry).flatMap(({ parts }) =>
    parts.filter((part) => typeof part !== "string"),
  );
}

/** Applies a function to every template of a request. */
export function mapTemplates(
  draft: RequestDraft,
  change: (template: Template) => Template,
): RequestDraft {
  const { url, headers, body, saveTo, ...rest } = draft;
  return {
    ...rest,
    url: change(url),
    headers: headers.map((header) => ({ ...header, value: change(header.value) })),
    ...(body === undefined ? {} : { body: mapBody(body, change) }),
    ...(saveTo === undefined ? {} : { saveTo: { ...saveTo, path: change(saveTo.path) } }),
  };
}

function mapBody(body: BodyDraft, change: (template: Template) => Template): BodyDraft {
  if (body.kind === "text") {
    const { text, json } = body;
    const changed = json && { json: { ...json, text: change(json.text) } };
    return { ...body, text: change(text), ...changed };
  }
  return { ...body, path: change(body.path) };
}
