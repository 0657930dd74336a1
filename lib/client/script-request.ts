import type { ScriptRequest, WrittenText } from "../http/mod.ts";
import { parseTemplate, renderTemplate, type Scope, type Template } from "../interpolation/mod.ts";
import type { RequestDraft } from "../request/mod.ts";

/** A request as its scripts see it: what is written, and what that is with the values at the moment. */
export function createScriptRequest(
  draft: RequestDraft,
  scope: () => Scope,
  setVar: ScriptRequest["setVar"],
): ScriptRequest {
  const { method, url, headers, body } = draft;
  const written = (template: Template): WrittenText => ({
    raw: textOf(template),
    render: () => renderTemplate(template, scope(), "text", { missing: "keep" }),
  });
  return {
    method,
    url: written(url),
    headers: headers.map(({ name, value }) => ({ name, value: written(value) })),
    body: body?.kind === "text" ? written(body.text) : { raw: "", render: () => "" },
    render: (text) => renderTemplate(parseTemplate(text), scope(), "text"),
    getVar: (name) => scope().get(name),
    setVar,
  };
}

/** A template as it is written. */
function textOf({ source, parts }: Template): string {
  return parts
    .map((part) => (typeof part === "string" ? part : source.slice(part.span.start, part.span.end)))
    .join("");
}
