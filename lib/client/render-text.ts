import { learnRequest, parseWrittenJson } from "../exchange/mod.ts";
import { findHeader, type RenderTextOptions, withDefaults } from "../http/mod.ts";
import {
  LineValues,
  parseEntries,
  type RenderedRequest,
  renderRequest,
  resolveAssignment,
} from "../request/mod.ts";
import type { ClientContext } from "./client-context.ts";

/** Renders all requests of a text. No variable is set: assignments apply to the text only. */
export function renderText(
  text: string,
  options: RenderTextOptions,
  { session: { scopes, secrets }, defaultHeaders }: ClientContext,
): RenderedRequest[] {
  const lines = new LineValues();
  const entries = parseEntries(text);
  const contentType = findHeader(defaultHeaders, "content-type");
  const preview = scopes.preview(lines, entries);
  const rendered: RenderedRequest[] = [];
  for (const entry of entries) {
    if (entry.kind === "assignment") {
      const resolveOptions = { ...options, parseJson: parseWrittenJson };
      lines.set(entry, preview, (scope) => resolveAssignment(entry, scope, resolveOptions));
    } else {
      const request = withDefaults(
        renderRequest(entry, preview, { ...options, contentType }),
        defaultHeaders,
      );
      learnRequest(request, secrets);
      rendered.push(request);
    }
  }
  return rendered;
}
