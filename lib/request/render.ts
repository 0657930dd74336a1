import {
  createFault,
  createLocator,
  createLookup,
  FAULT_LIMIT,
  type Fault,
  firstLineSpan,
  renderTemplate,
  shorten,
  type Template,
  UnresolvedPlaceholderError,
  type Variables,
} from "../interpolation/mod.ts";
import type { VerifyRule } from "../json/mod.ts";
import { verifyRuleOf } from "./annotations.ts";
import type { HeaderDraft, RequestDraft } from "./draft.ts";
import { type DraftWarning, draftWarnings } from "./draft-warnings.ts";
import { InvalidHeaderError, RequestSyntaxError } from "./errors.ts";
import { isGraphql, isGraphqlMark } from "./graphql.ts";
import { findHeader, splitHeader } from "./header-line.ts";
import { isSocketMethod, renderMessages } from "./messages.ts";
import { type RenderedBody, renderBody } from "./render-body.ts";
import { hasScheme } from "./target.ts";

/** Options of rendering a request. */
export interface RenderRequestOptions {
  /** `keep` leaves placeholders without a value unchanged; `error` is the default. */
  readonly missing?: "error" | "keep";
  /** The Content-Type of a request that has none, from the default headers of the client. */
  readonly contentType?: string | undefined;
  /** Whether misspelt header names were reported before, by a check; the warnings do not repeat them. */
  readonly checked?: boolean;
}

/**
 * Renders a request with values. Nothing is sent.
 *
 * @param draft A request from {@link parseRequests}.
 * @param variables The values by name.
 * @param options What to do about placeholders without a value.
 * @returns The request as it would be sent.
 * @throws {UnresolvedPlaceholderError} With all placeholders without a value.
 * @throws {InvalidHeaderError} A header value contains a line break or NUL.
 * @throws {RequestSyntaxError} The URL has no host, its scheme is malformed, or its file has faults.
 */
export function renderRequest(
  draft: RequestDraft,
  variables: Variables,
  options: RenderRequestOptions = {},
): RenderedRequest {
  if (draft.faults !== undefined) throw new RequestSyntaxError(draft.source, draft.faults);
  const unresolved: Fault[] = [];
  const { missing = "error", contentType, checked = false } = options;
  const parts = renderParts(draft, variables, { missing, contentType, unresolved });
  const { target, headers, rendered, saveTo } = parts;
  const { body, addedType, messages, warnings, remark } = rendered;
  if (unresolved.length > 0) throw new UnresolvedPlaceholderError(draft.source, unresolved);
  const invalid = headerFaults(draft, headers);
  if (invalid.length > 0) throw new InvalidHeaderError(draft.source, invalid);
  const broken = missing === "keep" ? undefined : brokenScheme(draft, target);
  if (broken !== undefined) throw new RequestSyntaxError(draft.source, [broken]);
  const url = completeTarget(draft, target, headers, variables);
  if (typeof url !== "string") throw new RequestSyntaxError(draft.source, [url]);
  const added = addedHeaders(draft, headers, addedType);
  const verify = verifyRuleOf(draft);
  const remarks = draftWarnings(draft).filter(({ code }) => !checked || code !== "header-name");
  const messagesOf = (level: DraftWarning["level"]): readonly string[] =>
    remarks.filter((one) => one.level === level).map(toWarning);
  return {
    ...(draft.name === undefined ? {} : { name: draft.name }),
    ...(draft.title === undefined ? {} : { title: draft.title }),
    ...(verify === undefined ? {} : { verify }),
    method: METHODS.get(draft.method) ?? draft.method,
    url,
    headers: [...headers.filter((header) => !isGraphqlMark(header)), ...added],
    added: added.map(([name]) => name),
    body,
    warnings: [
      ...warnings,
      ...(remark === undefined ? [] : [remark.message]),
      ...messagesOf("warning"),
    ],
    ...(remarks.some(({ level }) => level === "info") ? { notes: messagesOf("info") } : {}),
    ...(messages === undefined ? {} : { messages }),
    ...(saveTo === undefined ? {} : { saveTo }),
  };
}

function toWarning({ message, hint }: DraftWarning): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}

/** The methods of words that request files have in place of a method. */
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
  const isEvents = method === "SSE" && findHeader(headers, "accept") === undefined;
  return isEvents ? [["Accept", "text/event-stream"]] : [];
}

/** The rendered parts of a request, before they are checked. */
export interface RenderedParts {
  /** The rendered target, not completed. */
  readonly target: string;
  /** The written headers. */
  readonly headers: HeaderList;
  readonly rendered: RenderedBody;
  readonly saveTo?: { readonly path: string; readonly replace: boolean };
}

/** Renders the parts of a request; `unresolved` receives placeholders without a value. */
export function renderParts(
  draft: RequestDraft,
  variables: Variables,
  {
    missing = "error",
    contentType,
    unresolved,
  }: RenderRequestOptions & { readonly unresolved: Fault[] },
): RenderedParts {
  const options = { missing, unresolved };
  const target = renderTemplate(draft.url, variables, "url", options);
  const headers: HeaderList = draft.headers.map((header) => {
    const text = trimBlanks(renderTemplate(header.value, variables, "header", options));
    return header.name === "" ? toHeader(text) : [header.name, text];
  });
  const type = findHeader(headers, "content-type") ?? contentType;
  const graphql = isGraphql(draft.method, headers);
  const context = { variables, missing, unresolved, graphql };
  const rendered = isSocketMethod(draft.method)
    ? renderMessages(draft.body, context)
    : remarkOnGet(draft, type, renderBody(draft.body, type, context));
  const { saveTo } = draft;
  if (saveTo === undefined) return { target, headers, rendered };
  const path = renderTemplate(saveTo.path, variables, "text", options);
  return { target, headers, rendered, saveTo: { path, replace: saveTo.replace } };
}

/** Warns about text below a GET that has no type and is not JSON: it is often a note, or a header after a blank line. */
function remarkOnGet(
  { method, body: draft, source }: RequestDraft,
  type: string | undefined,
  rendered: RenderedBody,
): RenderedBody {
  const { body, addedType, ranges } = rendered;
  if ((method !== "GET" && method !== "HEAD") || draft === undefined) return rendered;
  if (typeof body !== "string" || (type ?? addedType ?? ranges) !== undefined) return rendered;
  const message = `This text is sent as the body of the ${method} request: give it a Content-Type if it is one, or put a line "###" before it`;
  return {
    ...rendered,
    remark: { code: "body", message, span: firstLineSpan(source, draft.span) },
  };
}

/** Parses the value of a placeholder that is a whole header line; without a name if it is not a header. */
function toHeader(text: string): readonly [name: string, value: string] {
  const [name, value] = splitHeader(text) ?? ["", text];
  return [name, trimBlanks(value)];
}

type HeaderList = readonly (readonly [name: string, value: string])[];

/** Line breaks, which fetch would trim as well, are kept and refused later. The lookbehind keeps it linear. */
function trimBlanks(value: string): string {
  return value.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
}

const FORBIDDEN: Readonly<Record<string, string>> = {
  "\r": "a carriage return",
  "\n": "a line feed",
  "\0": "a NUL character",
};

/** The faults of headers whose values contain a line break or NUL, and of placeholders that are not headers. */
export function headerFaults(draft: RequestDraft, headers: HeaderList): readonly Fault[] {
  const faults: Fault[] = [];
  const locate = createLocator(draft);
  for (const [index, [name, value]] of headers.entries()) {
    const header = draft.headers[index];
    const fault = header === undefined ? undefined : headerFault(draft, header, name, value);
    if (header === undefined || fault === undefined) continue;
    const { span } = header;
    if (faults.length < FAULT_LIMIT) faults.push({ ...fault, span, ...locate(span.start) });
  }
  return faults;
}

function headerFault(
  { source }: RequestDraft,
  header: HeaderDraft,
  name: string,
  value: string,
): { readonly message: string; readonly hint: string } | undefined {
  const line = source.slice(header.span.start, header.span.end);
  // A placeholder that was kept has no value yet.
  if (name === "" && value !== line) {
    const message = `Cannot render the header line "${line}": its value is not a header`;
    const hint = "Set it to Name: value, or leave a blank line before it if it is the body";
    return { message, hint };
  }
  const character = /[\r\n\0]/.exec(value)?.[0];
  if (character === undefined) return undefined;
  const message = `Cannot render the header "${name}": its value contains ${FORBIDDEN[character]}`;
  return { message, hint: "It would end the header. Remove it from the value" };
}

/** The URL of a rendered target, or the fault of one without a host. */
export function completeTarget(
  draft: RequestDraft,
  target: string,
  headers: HeaderList,
  variables: Variables,
): string | Fault {
  if (beginsUnfilled(draft.url, target)) return target;
  const completed = completeUrl(target, findHeader(headers, "host") ?? hostOf(variables));
  if (completed !== undefined) return completed;
  const message =
    target.trim() === ""
      ? "Cannot render the URL: it is empty"
      : `Cannot render the URL "${target}": it has no host`;
  const hint =
    "Write an absolute URL, begin it with a variable such as {{base}}, add a Host header, or set @host";
  return createFault(draft, draft.urlSpan, message, hint);
}

/** A malformed scheme would become a host. An unsupported scheme is refused when the request is sent. */
function brokenScheme(draft: RequestDraft, target: string): Fault | undefined {
  return hasScheme(target.trimStart()) ? undefined : schemeFault(draft, target, true);
}

/** The fault of the scheme of a target, or of its known beginning. */
export function schemeFault(
  draft: RequestDraft,
  target: string,
  isWhole: boolean,
): Fault | undefined {
  const problem = schemeProblem(target, isWhole);
  if (problem === undefined) return undefined;
  const message = `${problem.message}: "${shorten(target.trim())}"`;
  return createFault(draft, draft.urlSpan, message, problem.hint);
}

/** As in httpYac, the variable `host` completes a target that is a path. */
function hostOf(variables: Variables): string | undefined {
  const host = createLookup(variables)("host");
  return typeof host === "string" ? host : undefined;
}

/** Whether the URL begins with a placeholder that was kept, so that no scheme can be added. */
function beginsUnfilled({ source, parts }: Template, target: string): boolean {
  const [first] = parts;
  if (first === undefined || typeof first === "string") return false;
  return target.startsWith(source.slice(first.span.start, first.span.end));
}

/** A request with all values, as it would be sent. The order of headers and repeated headers are preserved. */
export interface RenderedRequest {
  /** From `# @name login`. */
  readonly name?: string;
  /** From the line `### title` before it. */
  readonly title?: string;
  /** From `# @verify exact` and `# @ignore $.path`. */
  readonly verify?: VerifyRule;
  /** In upper case if it is a known method. */
  readonly method: string;
  /** The URL as text, before it is parsed. */
  readonly url: string;
  /** Names and values in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Names of headers that were added, for example `Content-Type`. */
  readonly added: readonly string[];
  /** The text, a file that is not read yet, text with files in it, or nothing. */
  readonly body: string | BodyFile | BodyMixture | undefined;
  /** The messages of a WebSocket request, and its waits for the server. */
  readonly messages?: readonly MessageStep[];
  /** The file to save the body of the response to. */
  readonly saveTo?: { readonly path: string; readonly replace: boolean };
  /** Lines without an effect: scripts, annotations of other clients. */
  readonly notes?: readonly string[];
  /** Probable mistakes that do not prevent sending, for example an invalid JSON body. */
  readonly warnings: readonly string[];
}

/** A message to send, or a wait for a message of the server. */
export type MessageStep =
  | { readonly kind: "send"; readonly text: string }
  | { readonly kind: "wait" };

/** A body from a file. */
export interface BodyFile {
  /** The rendered path; the client decides what it is relative to. */
  readonly path: string;
  /** Whether to render the placeholders in the file. */
  readonly interpolated: boolean;
  /** From `<@encoding path`; UTF-8 by default. */
  readonly encoding?: string;
  /** How its content is changed: without line breaks and NUL, or percent-encoded, as curl does. */
  readonly change?: "unbroken" | "encoded";
}

/** A body of text and files, such as a multipart form. */
export interface BodyMixture {
  /** In order. */
  readonly pieces: readonly (string | BodyFile)[];
}

/**
 * Completes a rendered target: adds a scheme, and a host to a path. A target with a scheme is unchanged.
 *
 * @param host The value of the `Host` header or of the variable `host`, if there is one.
 * @returns `undefined` without a host.
 */
export function completeUrl(target: string, host: string | undefined): string | undefined {
  if (hasScheme(target.trimStart())) return target;
  if (target.trim() === "") return undefined;
  if (target.startsWith("//")) return `${schemeFor(target.slice(2))}:${target}`;
  if (!/^[/?#]/.test(target)) return `${schemeFor(target)}://${target}`;
  if (host === undefined || host === "") return undefined;
  const origin = hasScheme(host) ? host : `${schemeFor(host)}://${host}`;
  return `${origin.replace(/\/$/, "")}${target.startsWith("/") ? "" : "/"}${target}`;
}

interface SchemeProblem {
  readonly message: string;
  readonly hint: string;
}

/**
 * Checks the scheme of a target: it may be unsupported, or malformed because a slash or colon is missing. A
 * target without a scheme is valid.
 *
 * @param target The target, or its known beginning.
 * @param isWhole Whether `target` is complete.
 */
export function schemeProblem(target: string, isWhole: boolean): SchemeProblem | undefined {
  const start = target.trim();
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(start)?.[1];
  if (scheme !== undefined) {
    if (PROTOCOLS.has(scheme.toLowerCase())) return undefined;
    return { message: `The scheme "${scheme}" is not supported`, hint: "Write http or https" };
  }
  const isBroken =
    (/^https?:/i.test(start) && (isWhole || !/:\/?$/.test(start))) ||
    /^(?:https?\/\/|[^/?#]*:\/\/)/i.test(start);
  const hint = 'Write "http://" or "https://"';
  return isBroken ? { message: "The scheme of the URL is malformed", hint } : undefined;
}

const PROTOCOLS: ReadonlySet<string> = new Set(["http", "https", "ws", "wss"]);

/** `http` for hosts of this machine and of a private network, which rarely have certificates, else `https`. */
function schemeFor(authority: string): "http" | "https" {
  const whole = (/^[^/?#]*/.exec(authority)?.[0] ?? "").replace(/^.*@/, "").toLowerCase();
  const port = /:(\d*)$/.exec(whole)?.[1];
  if (port === "443" || port === "8443") return "https";
  const host = whole.replace(/:\d*$/, "").replace(/\.$/, "");
  return LOCAL.some((pattern) => pattern.test(host)) ? "http" : "https";
}

/** A name without a dot, such as one of Docker Compose; loopback and private addresses (RFC 1918, 3927). */
const LOCAL: readonly RegExp[] = [
  /^[^.[\]]+$/,
  /\.localhost$/,
  /^(?:127|10)(?:\.\d{1,3}){3}$/,
  /^(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}$/,
  /^\[(?:::|(?:0{1,4}:){7})0{0,3}1\]$/,
];
