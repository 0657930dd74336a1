import {
  createFault,
  createLocator,
  FAULT_LIMIT,
  type Fault,
  renderTemplate,
  type Template,
  UnresolvedPlaceholderError,
  type Variables,
} from "../interpolation/mod.ts";
import type { RequestDraft } from "./draft.ts";
import { InvalidHeaderError, RequestSyntaxError } from "./errors.ts";
import { renderBody } from "./render-body.ts";
import type { RenderedRequest } from "./rendered.ts";
import { completeUrl } from "./url.ts";

/** What to do about placeholders without a value. */
export interface RenderRequestOptions {
  /** `keep` leaves them as they stand; `error` is the default. */
  readonly missing?: "error" | "keep";
}

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
  const unresolved: Fault[] = [];
  const target = renderTemplate(draft.url, variables, "url", { missing, unresolved });
  const headers: HeaderList = draft.headers.map(({ name, value }) => [
    name,
    trimBlanks(renderTemplate(value, variables, "header", { missing, unresolved })),
  ]);
  const { body, addedType, warnings } = renderBody(
    draft.body,
    headerValue(headers, "content-type"),
    { variables, missing, unresolved },
  );
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

type HeaderList = [name: string, value: string][];

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
  const locate = createLocator(draft.source);
  for (const [index, [name, value]] of headers.entries()) {
    const character = /[\r\n\0]/.exec(value)?.[0];
    const span = draft.headers[index]?.span;
    if (character === undefined || span === undefined) continue;
    const message = `Cannot render the header "${name}": its value holds ${BREAKING[character]}`;
    const hint = "It would end the header. Take it out of the value before the value is stored";
    if (faults.length < FAULT_LIMIT) faults.push({ message, span, ...locate(span.start), hint });
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
