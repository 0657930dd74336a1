import { learnRequest } from "../exchange/mod.ts";
import { type RenderTextOptions, withDefaults } from "../http/mod.ts";
import type { Value } from "../interpolation/mod.ts";
import {
  parseEntries,
  type RenderedRequest,
  renderRequest,
  resolveAssignment,
} from "../request/mod.ts";
import { parseValue } from "../variables/mod.ts";
import type { ClientContext } from "./client-context.ts";

/** Renders all requests of a text. No variable is set: assignments apply to the text only. */
export function renderText(
  text: string,
  options: RenderTextOptions,
  { session: { scopes, secrets }, defaultHeaders }: ClientContext,
): RenderedRequest[] {
  const assigned = new Map<string, Value>();
  const entries = parseEntries(text);
  const preview = scopes.preview(assigned, entries);
  const rendered: RenderedRequest[] = [];
  for (const entry of entries) {
    if (entry.kind === "assignment") {
      const value = resolveAssignment(entry, preview, { ...options, parseJson: parseValue });
      assigned.set(entry.name, value);
    } else {
      const request = withDefaults(renderRequest(entry, preview, options), defaultHeaders);
      learnRequest(request, secrets);
      rendered.push(request);
    }
  }
  return rendered;
}
