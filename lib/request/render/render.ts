import {
  createFault,
  createLocator,
  createLookup,
  FAULT_LIMIT,
  type Fault,
  renderTemplate,
  type Span,
  type Template,
  UnresolvedPlaceholderError,
  type Variables,
} from "../../interpolation/mod.ts";
import type { RequestDraft } from "../draft/mod.ts";
import {
  hasScheme,
  InvalidHeaderError,
  RequestSyntaxError,
  remarkOn,
  shorten,
} from "../draft/mod.ts";
import { isGraphql, isGraphqlMark } from "./graphql.ts";
import { isSocketMethod, renderMessages } from "./messages.ts";
import { type RenderedBody, renderBody } from "./render-body.ts";
import type { RenderedRequest } from "./rendered.ts";
import { completeUrl, schemeProblem } from "./url.ts";

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
 * @throws {RequestSyntaxError} When the target is a path, or nothing, and no host is known, or when its
 * scheme is broken.
 */
export function renderRequest(
  draft: RequestDraft,
  variables: Variables,
  options: RenderRequestOptions = {},
): RenderedRequest {
  const unresolved: Fault[] = [];
  const { missing = "error" } = options;
  const parts = renderParts(draft, variables, { missing, unresolved });
  const { target, headers, rendered, saveTo } = parts;
  const { body, addedType, messages, warnings } = rendered;
  if (unresolved.length > 0) throw new UnresolvedPlaceholderError(draft.source, unresolved);
  const invalid = headerFaults(draft, headers);
  if (invalid.length > 0) throw new InvalidHeaderError(draft.source, invalid);
  const broken = missing === "keep" ? undefined : brokenScheme(draft, target);
  if (broken !== undefined) throw new RequestSyntaxError(draft.source, [broken]);
  const url = completeTarget(draft, target, headers, variables);
  if (typeof url !== "string") throw new RequestSyntaxError(draft.source, [url]);
  const remarks = remarksOn(draft).map(({ message }) => message);
  const sent = headers.some(isGraphqlMark) ? headers.filter((it) => !isGraphqlMark(it)) : headers;
  const more = addedHeaders(draft, headers, addedType);
  const request: RenderedRequest = {
    method: METHODS.get(draft.method) ?? draft.method,
    url,
    headers: more.length === 0 ? sent : [...sent, ...more],
    added: more.length === 0 ? NONE : more.map(([name]) => name),
    body,
    warnings: remarks.length === 0 ? warnings : [...warnings, ...remarks],
  };
  // Only where there are such: most requests have none, and every spread costs.
  if (draft.name === undefined && messages === undefined && saveTo === undefined) return request;
  return {
    ...(draft.name === undefined ? {} : { name: draft.name }),
    ...request,
    ...(messages === undefined ? {} : { messages }),
    ...(saveTo === undefined ? {} : { saveTo }),
  };
}

/** What is sent where the peers' files have a word of their own. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ["GRAPHQL", "POST"],
  ["SSE", "GET"],
]);

function addedHeaders(
  { method }: RequestDraft,
  headers: HeaderList,
  type: string | undefined,
): HeaderList {
  if (type !== undefined) return [["Content-Type", type]];
  const isEvents = method === "SSE" && headerValue(headers, "accept") === undefined;
  return isEvents ? [["Accept", "text/event-stream"]] : NONE;
}

/** What of a request is passed over, with the place; a person should know of it. */
export function remarksOn({
  annotations,
  handlers = [],
  source,
}: RequestDraft): readonly { readonly message: string; readonly span: Span }[] {
  if (annotations.length === 0 && handlers.length === 0) return NONE;
  const scripts = handlers.map((span) => {
    const first = shorten(source.slice(span.start, span.end).split(/[\r\n]/, 1)[0] ?? "");
    const message = `Not run: "${first}". Scripts after a request are ignored; write them in a TypeScript cell`;
    return { message, span };
  });
  const others = annotations.flatMap((annotation) => {
    const message = remarkOn(annotation);
    return message === undefined ? [] : [{ message, span: annotation.span }];
  });
  return [...others, ...scripts];
}

const NONE: readonly never[] = [];

/** The parts of a request with their values, before anything is checked. */
export interface RenderedParts {
  /** The target as written, its placeholders filled. */
  readonly target: string;
  /** Those that are written. */
  readonly headers: HeaderList;
  readonly rendered: RenderedBody;
  readonly saveTo?: { readonly path: string; readonly replace: boolean };
}

/** Puts values into the parts of a request; `unresolved` receives placeholders without one. */
export function renderParts(
  draft: RequestDraft,
  variables: Variables,
  { missing = "error", unresolved }: RenderRequestOptions & { readonly unresolved: Fault[] },
): RenderedParts {
  const options = { missing, unresolved };
  const target = renderTemplate(draft.url, variables, "url", options);
  const headers: HeaderList = draft.headers.map(({ name, value }) => [
    name,
    trimBlanks(renderTemplate(value, variables, "header", options)),
  ]);
  const contentType = headerValue(headers, "content-type");
  const graphql = isGraphql(draft.method, headers);
  const rendering = { variables, missing, unresolved, graphql };
  const rendered = isSocketMethod(draft.method)
    ? renderMessages(draft.body, rendering)
    : renderBody(draft.body, contentType, rendering);
  const { saveTo } = draft;
  if (saveTo === undefined) return { target, headers, rendered };
  const path = renderTemplate(saveTo.path, variables, "text", options);
  return { target, headers, rendered, saveTo: { path, replace: saveTo.replace } };
}

type HeaderList = readonly (readonly [name: string, value: string])[];

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

/** The header values that would end their header. */
export function headerFaults(draft: RequestDraft, headers: HeaderList): readonly Fault[] {
  if (headers.every(([, value]) => !/[\r\n\0]/.test(value))) return NONE;
  const faults: Fault[] = [];
  const locate = createLocator(draft.source);
  for (const [index, [name, value]] of headers.entries()) {
    const character = /[\r\n\0]/.exec(value)?.[0];
    const span = draft.headers[index]?.span;
    if (character === undefined || span === undefined) continue;
    const message = `Cannot render the header "${name}": its value contains ${BREAKING[character]}`;
    const hint = "It would end the header. Remove it from the value before you store it";
    if (faults.length < FAULT_LIMIT) faults.push({ message, span, ...locate(span.start), hint });
  }
  return faults;
}

/** The URL of a rendered target, or what keeps it from being one. */
export function completeTarget(
  draft: RequestDraft,
  target: string,
  headers: HeaderList,
  variables: Variables,
): string | Fault {
  if (beginsUnfilled(draft.url, target)) return target;
  const completed = completeUrl(target, headerValue(headers, "host") ?? hostOf(variables));
  if ("url" in completed) return completed.url;
  const message =
    completed.problem === "empty"
      ? "Cannot render the URL: it is empty"
      : `Cannot render the URL "${target}": it has no host`;
  const hint =
    "Write a full URL, begin it with a variable such as {{base}}, add a Host header, or set @host";
  return createFault(draft.source, draft.urlSpan, message, hint);
}

/** A scheme that cannot be sent is refused by who sends; one that is broken would become a host. */
function brokenScheme(draft: RequestDraft, target: string): Fault | undefined {
  return hasScheme(target.trimStart()) ? undefined : schemeFault(draft, target, true);
}

/** What is wrong with the scheme of a target, or of the part of it that is known. */
export function schemeFault(
  { source, urlSpan }: RequestDraft,
  target: string,
  isWhole: boolean,
): Fault | undefined {
  const problem = schemeProblem(target, isWhole);
  if (problem === undefined) return undefined;
  const message = `${problem.message}: "${shorten(target.trim())}"`;
  return createFault(source, urlSpan, message, problem.hint);
}

/** In httpYac's files a variable `host` stands before a target that is a path. */
function hostOf(variables: Variables): string | undefined {
  const host = createLookup(variables)("host");
  return typeof host === "string" ? host : undefined;
}

/** Whether the URL begins with a placeholder that was left as it stands: no scheme is put before it. */
function beginsUnfilled({ source, parts }: Template, target: string): boolean {
  const [first] = parts;
  if (first === undefined || typeof first === "string") return false;
  return target.startsWith(source.slice(first.span.start, first.span.end));
}
