import {
  createFault,
  type Fault,
  type RenderedRange,
  renderTemplate,
  type Template,
  UnresolvedPlaceholderError,
  type Variables,
} from "../interpolation/mod.ts";
import type { BodyDraft, RequestDraft } from "./draft.ts";
import { InvalidHeaderError, RequestSyntaxError } from "./errors.ts";
import { explainJson } from "./json-warning.ts";
import type { BodyFile, RenderedRequest } from "./rendered.ts";
import { completeUrl } from "./url.ts";

/** What to do about placeholders without a value. */
export interface RenderRequestOptions {
  /** `keep` leaves them as they stand; `error` is the default. */
  readonly missing?: "error" | "keep";
}

/** What every part of one request is rendered with. */
interface Rendering {
  readonly variables: Variables;
  readonly missing: "error" | "keep";
  readonly unresolved: Fault[];
}

type HeaderList = [name: string, value: string][];

/**
 * Puts values into a request. Nothing is sent.
 *
 * @param draft What {@link parseRequests} returned.
 * @param variables The values, by name.
 * @param options What to do about placeholders without a value.
 * @returns The request as it would be sent.
 * @throws {UnresolvedPlaceholderError} With every placeholder of URL, headers and body that has no
 * value.
 * @throws {InvalidHeaderError} When a header value would hold a line break or NUL.
 * @throws {RequestSyntaxError} When the target is a path, or nothing, and no host is known.
 */
export function renderRequest(
  draft: RequestDraft,
  variables: Variables,
  options: RenderRequestOptions = {},
): RenderedRequest {
  const missing = options.missing ?? "error";
  const rendering: Rendering = { variables, missing, unresolved: [] };
  const { unresolved } = rendering;
  const target = renderTemplate(draft.url, variables, "url", { missing, unresolved });
  const headers: HeaderList = draft.headers.map(({ name, value }) => [
    name,
    trimBlanks(renderTemplate(value, variables, "header", { missing, unresolved })),
  ]);
  const { body, addedType, warnings } = renderBody(draft.body, headers, rendering);
  if (unresolved.length > 0) throw new UnresolvedPlaceholderError(draft.source, unresolved);
  refuseInvalid(draft, headers);
  const url = toUrl(draft, target, headers);
  if (addedType !== undefined) headers.push(["Content-Type", addedType]);
  return {
    ...(draft.name === undefined ? {} : { name: draft.name }),
    method: draft.method,
    url,
    headers,
    added: addedType === undefined ? [] : ["Content-Type"],
    body,
    warnings,
  };
}

interface RenderedBody {
  readonly body: string | BodyFile | undefined;
  /** The content type to add, the body being JSON and none being written. */
  readonly addedType?: string;
  readonly warnings: readonly string[];
}

function renderBody(
  draft: BodyDraft | undefined,
  headers: HeaderList,
  { variables, missing, unresolved }: Rendering,
): RenderedBody {
  if (draft === undefined) return { body: undefined, warnings: [] };
  if (draft.kind === "file") {
    const path = renderTemplate(draft.path, variables, "text", { missing, unresolved });
    const encoding = draft.encoding === undefined ? {} : { encoding: draft.encoding };
    return { body: { path, interpolated: draft.interpolated, ...encoding }, warnings: [] };
  }
  const contentType = headerValue(headers, "content-type");
  if (contentType !== undefined && !isJsonType(contentType)) {
    const body = renderTemplate(draft.text, variables, "text", { missing, unresolved });
    return { body, warnings: [] };
  }
  const ranges: RenderedRange[] = [];
  const begun = unresolved.length;
  const body = renderTemplate(draft.text, variables, "json", { missing, unresolved, ranges });
  if (contentType === undefined && !/^\s*[{[]/.test(body)) {
    // Only what stands before the first character decided, so that this is no circle.
    unresolved.length = begun;
    return {
      body: renderTemplate(draft.text, variables, "text", { missing, unresolved }),
      warnings: [],
    };
  }
  const warning = unresolved.length > begun ? undefined : explainJson(body, ranges);
  return {
    body,
    ...(contentType === undefined ? { addedType: "application/json" } : {}),
    warnings: warning === undefined ? [] : [warning],
  };
}

/** `application/json` and `+json`, whatever parameters follow. */
function isJsonType(contentType: string): boolean {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return mediaType === "application/json" || mediaType.endsWith("+json");
}

function headerValue(headers: HeaderList, lowerName: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}

/** Fetch trims line breaks as well: here they stay, to be refused. */
function trimBlanks(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

const BREAKING: Readonly<Record<string, string>> = {
  "\r": "a carriage return",
  "\n": "a line feed",
  "\0": "a NUL character",
};

function refuseInvalid(draft: RequestDraft, headers: HeaderList): void {
  const faults: Fault[] = [];
  for (const [index, [name, value]] of headers.entries()) {
    const character = /[\r\n\0]/.exec(value)?.[0];
    const span = draft.headers[index]?.span;
    if (character === undefined || span === undefined) continue;
    const message = `Cannot render the header "${name}": its value holds ${BREAKING[character]}`;
    const hint = "It would end the header. Take it out of the value before the value is stored";
    faults.push(createFault(draft.source, span, message, hint));
  }
  if (faults.length > 0) throw new InvalidHeaderError(draft.source, faults);
}

function toUrl(draft: RequestDraft, target: string, headers: HeaderList): string {
  if (beginsUnfilled(draft.url, target)) return target;
  const completed = completeUrl(target, headerValue(headers, "host"));
  if ("url" in completed) return completed.url;
  const message =
    completed.problem === "empty"
      ? "Cannot render the URL: it is empty"
      : `Cannot render the URL "${target}": it names no host`;
  const hint = "Write a full URL, begin it with a variable such as {{base}}, or add a Host header";
  throw new RequestSyntaxError(draft.source, [
    createFault(draft.source, draft.urlSpan, message, hint),
  ]);
}

/** Whether the URL begins with a placeholder that was left as it stands: no scheme is put before it. */
function beginsUnfilled({ source, parts }: Template, target: string): boolean {
  const [first] = parts;
  if (first === undefined || typeof first === "string") return false;
  return target.startsWith(source.slice(first.span.start, first.span.end));
}
