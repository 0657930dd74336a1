import type { Placeholder, Template } from "../../interpolation/mod.ts";
import type { BodyDraft, Entry, RequestDraft } from "./draft.ts";

/** Every template of an entry, in the order of the text. */
export function templatesOf(entry: Entry): readonly Template[] {
  if (entry.kind === "assignment") return [entry.value];
  const { url, headers, body, saveTo } = entry;
  const templates = [url];
  for (const { value } of headers) templates.push(value);
  if (body !== undefined) templates.push(body.kind === "text" ? body.text : body.path);
  if (saveTo !== undefined) templates.push(saveTo.path);
  return templates;
}

/** Every placeholder of an entry, in the order of the text. */
export function placeholdersOf(entry: Entry): readonly Placeholder[] {
  const found: Placeholder[] = [];
  // Loops, since every request comes by here: callbacks would cost several times as much.
  for (const { parts } of templatesOf(entry)) {
    for (const part of parts) if (typeof part !== "string") found.push(part);
  }
  return found;
}

/** A request with every template replaced by what a function makes of it. */
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
  if (body.kind === "text") return { ...body, text: change(body.text) };
  return { ...body, path: change(body.path) };
}
