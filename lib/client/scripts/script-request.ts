import type { RequestChanges, ScriptRequest, WrittenText } from "../../http/mod.ts";
import {
  renderTemplate,
  type Scope,
  type Template,
  writeTemplate,
} from "../../interpolation/mod.ts";
import {
  isHeaderName,
  isMethodToken,
  type RenderedRequest,
  type RequestDraft,
} from "../../request/mod.ts";

/** What the scripts of one request have changed of it so far. */
export interface ChangedRequest {
  method?: string;
  url?: string;
  body?: string;
  /** By the names in lower case. */
  readonly headers: Map<string, { readonly name: string; readonly value: string | undefined }>;
}

/** A request as its scripts see it: its texts as written, and rendered with the current values. */
export function createScriptRequest(
  draft: RequestDraft,
  scope: () => Scope,
  setVar: ScriptRequest["setVar"],
  changed: ChangedRequest,
): ScriptRequest {
  const { method, url, headers, body } = draft;
  const written = (template: Template): WrittenText => ({
    raw: writeTemplate(template),
    render: () => renderTemplate(template, scope(), "text", { missing: "keep" }),
  });
  const writtenBody = body?.kind === "text" ? written(body.text) : fixed("");
  const kept = headers.filter(({ name }) => !changed.headers.has(name.toLowerCase()));
  return {
    method: changed.method ?? method,
    url: changed.url === undefined ? written(url) : fixed(changed.url),
    headers: [
      ...kept.map(({ name, value }) => ({ name, value: written(value) })),
      ...headersOf(changed).map(([name, value]) => ({ name, value: fixed(value) })),
    ],
    body: changed.body === undefined ? writtenBody : fixed(changed.body),
    generate: (name, argument) => generate(name, argument, scope()),
    getVar: (name) => scope().get(name),
    setVar,
    change: (changes) => change(changed, changes),
  };
}

/** A request with what its scripts have changed. */
export function withChanges(request: RenderedRequest, changed: ChangedRequest): RenderedRequest {
  const { headers, ...rest } = changed;
  const kept = request.headers.filter(([name]) => !headers.has(name.toLowerCase()));
  return { ...request, ...rest, headers: [...kept, ...headersOf(changed)] };
}

function headersOf({ headers }: ChangedRequest): readonly (readonly [string, string])[] {
  return [...headers.values()].flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

function change(changed: ChangedRequest, { headers = new Map(), ...rest }: RequestChanges): void {
  const { method } = rest;
  if (method !== undefined && !isMethodToken(method))
    throw new TypeError(`The method ${JSON.stringify(method)} is not valid`);
  for (const [name, value] of headers) {
    if (!isHeaderName(name))
      throw new TypeError(`The header name ${JSON.stringify(name)} is not valid`);
    if (value !== undefined && /[\r\n\0]/.test(value))
      throw new TypeError(`The value of the header "${name}" contains a line break or NUL`);
    changed.headers.set(name.toLowerCase(), { name, value });
  }
  Object.assign(changed, rest);
}

function fixed(text: string): WrittenText {
  return { raw: text, render: () => text };
}

/** The argument may be of a response: it is never parsed as a part of a template. */
function generate(name: string, argument: string, scope: Scope): string {
  const text = name + argument;
  const source = `{{${text}}}`;
  const span = { start: 0, end: source.length };
  const parts = [{ kind: "generated", name, argument, text, span }] as const;
  return renderTemplate({ source, parts }, scope, "text");
}
