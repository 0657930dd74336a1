import { learnRequest, parseWrittenJson } from "../exchange/mod.ts";
import { fillHeaders, type RenderTextOptions, withDefaults } from "../http/mod.ts";
import type { Scope } from "../interpolation/mod.ts";
import {
  findHeader,
  LineValues,
  nameFile,
  parseText,
  passesOf,
  type RenderedRequest,
  type RenderRequestOptions,
  type RequestDraft,
  renderRequest,
  resolveAssignment,
  withGiven,
} from "../request/mod.ts";
import type { ClientContext } from "./client-context.ts";

/** Renders all requests of a text. No variable is set: assignments apply to the text only. */
export function renderText(
  text: string,
  options: RenderTextOptions,
  { session: { scopes, secrets, imports }, defaultHeaders }: ClientContext,
): RenderedRequest[] {
  const lines = new LineValues();
  const { entries } = imports.expand(parseText(text));
  const preview = scopes.preview(lines, entries);
  const rendered: RenderedRequest[] = [];
  for (const entry of entries) {
    if (entry.kind === "assignment") {
      const resolveOptions = { ...options, parseJson: parseWrittenJson };
      lines.set(entry, preview, (scope) => resolveAssignment(entry, scope, resolveOptions));
    } else if (entry.kind === "request") {
      for (const pass of passesOf(entry, preview)) {
        const scope = withGiven(pass, preview);
        const defaults = defaultHeaders();
        const written = renderDraft(pass, scope, options, defaults);
        const request = withDefaults(written, defaults, scope, options);
        learnRequest(request, secrets);
        rendered.push(request);
      }
    }
  }
  return rendered;
}

/**
 * Renders a request with its values, as its type and that of the default headers say; an error about an imported file
 * names the file.
 */
export function renderDraft(
  draft: RequestDraft,
  scope: Scope,
  options: RenderRequestOptions,
  defaults: ReturnType<ClientContext["defaultHeaders"]>,
): RenderedRequest {
  const types = defaults.filter(([name]) => name.toLowerCase() === "content-type");
  const contentType = findHeader(fillHeaders(types, scope, "keep"), "content-type");
  try {
    return renderRequest(draft, scope, { ...options, contentType });
  } catch (error) {
    throw nameFile(error, draft);
  }
}
