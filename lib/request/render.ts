import { CredentialError, type Credentials } from "../http/auth/mod.ts";
import {
  createFault,
  createLocator,
  createLookup,
  FAULT_LIMIT,
  type Fault,
  firstLineSpan,
  isMap,
  type Place,
  type RenderedRange,
  renderTemplate,
  shapeOf,
  shorten,
  sliceTemplate,
  type Template,
  UnresolvedPlaceholderError,
  type Variables,
} from "../interpolation/mod.ts";
import type { VerifyRule } from "../json/mod.ts";
import { findAnnotation, verifyRuleOf } from "./annotations.ts";
import { readCredentials } from "./authorization.ts";
import { WITHOUT_BODY } from "./body-lines.ts";
import { charsetOf, encodeText, explainMissing } from "./charset.ts";
import type { BodyDraft, HeaderDraft, Remark, RequestDraft } from "./draft.ts";
import { InvalidHeaderError, RequestSyntaxError } from "./errors.ts";
import { isGraphql, isGraphqlMark } from "./graphql.ts";
import {
  type ClientCertificate,
  explainControl,
  findHeader,
  isHeaderName,
  readClientCertificate,
  splitHeader,
} from "./header-line.ts";
import { renderMessages } from "./messages.ts";
import { remarksOn } from "./remarks.ts";
import { type RenderedBody, renderBody, renderPieces } from "./render-body.ts";
import { isMethodToken, toMethod } from "./request-line.ts";
import { completeUrl, hasScheme, schemeProblem } from "./target.ts";
import { bodyTemplates } from "./templates.ts";

/** Options of rendering a request. */
export interface RenderRequestOptions {
  /** `keep` leaves placeholders without a value unchanged; `error` is the default. */
  readonly missing?: "error" | "keep";
  /** The Content-Type of a request that has none, from the default headers of the client. */
  readonly contentType?: string | undefined;
  /** Completes a target that is a path, unless a Host header or the variable `host` or `base` does. */
  readonly baseUrl?: string | undefined;
  /** Whether misspelt header names were reported before, by a check; the warnings do not repeat them. */
  readonly checked?: boolean;
  /** Its parts, if they have been rendered with the same values by a check. */
  readonly parts?: RenderedParts | undefined;
}

/**
 * Renders a request with values. Nothing is sent.
 *
 * @param draft A request from {@link parseRequests}.
 * @param variables The values by name.
 * @param options What to do about placeholders without a value.
 * @returns The request as it would be sent.
 * @throws {UnresolvedPlaceholderError} With all placeholders without a value.
 * @throws {InvalidHeaderError} A header value contains a control character.
 * @throws {CredentialError} A password or a key is missing in an Authorization header.
 * @throws {RequestSyntaxError} The URL has no host, its scheme is malformed, or its file has faults.
 */
export function renderRequest(
  given: RequestDraft,
  variables: Variables,
  options: RenderRequestOptions = {},
): RenderedRequest {
  if (given.faults !== undefined) throw new RequestSyntaxError(given.source, given.faults);
  const unresolved: Fault[] = [];
  const { missing = "error", contentType, checked = false } = options;
  const { target, headers, rendered, saveTo, saveFault, credentials, clientCertificate, ...parts } =
    options.parts ?? renderParts(given, variables, { missing, contentType, unresolved });
  const isMade = given.methodTemplate !== undefined;
  const draft = isMade ? { ...given, method: parts.method } : given;
  const { body, addedType, messages } = rendered;
  if (unresolved.length > 0) throw new UnresolvedPlaceholderError(draft.source, unresolved);
  const ofMethod = isMade && missing !== "keep" ? methodFault(draft) : undefined;
  if (ofMethod !== undefined) throw new RequestSyntaxError(draft.source, [ofMethod]);
  const invalid = headerFaults(draft, headers);
  if (invalid.length > 0) throw new InvalidHeaderError(draft.source, invalid);
  if (credentials instanceof CredentialError) throw credentials;
  const broken = missing === "keep" ? undefined : brokenScheme(draft, target);
  if (broken !== undefined) throw new RequestSyntaxError(draft.source, [broken]);
  if (saveFault !== undefined) throw new RequestSyntaxError(draft.source, [saveFault]);
  if (rendered.fault !== undefined) {
    const { span, message, hint } = rendered.fault;
    throw new RequestSyntaxError(draft.source, [createFault(draft, span, message, hint)]);
  }
  const address = completeTarget(draft, target, headers, variables, options.baseUrl);
  if (typeof address !== "string") throw new RequestSyntaxError(draft.source, [address]);
  const { query } = parts;
  const added = addedHeaders(draft, headers, addedType);
  const verify = verifyRuleOf(draft);
  const remarks = parts.remarks.filter(({ code }) => !checked || code !== "header-name");
  const messagesOf = (level: Remark["level"]): readonly string[] =>
    remarks.filter((one) => one.level === level).map(toWarning);
  return {
    ...(draft.name === undefined ? {} : { name: draft.name }),
    ...(draft.title === undefined ? {} : { title: draft.title }),
    ...(verify === undefined ? {} : { verify }),
    method: isSocketUrl(draft, target) ? "WEBSOCKET" : (METHODS.get(draft.method) ?? draft.method),
    url: query === undefined ? address : address + query.map(showPiece).join(""),
    ...(query && { urlWithFiles: [address, ...query] }),
    headers: [
      ...headers.filter((header, at) => {
        const written = draft.headers[at];
        return !isGraphqlMark(header) && !(written && isCertificate(written));
      }),
      ...added,
    ],
    added: added.map(([name]) => name),
    ...(draft.without === undefined ? {} : { without: draft.without }),
    body,
    warnings: messagesOf(undefined),
    ...(remarks.some(({ level }) => level === "info") ? { notes: messagesOf("info") } : {}),
    ...(messages === undefined ? {} : { messages }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(parts.exact && { exact: true as const }),
    ...(saveTo === undefined ? {} : { saveTo }),
  };
}

/** The fault of a method that is a value and cannot be one. */
export function methodFault(draft: RequestDraft): Fault | undefined {
  const { method, methodTemplate } = draft;
  if (methodTemplate === undefined || isMethodToken(method)) return undefined;
  const [placeholder] = methodTemplate.parts;
  const span = typeof placeholder === "object" ? placeholder.span : draft.span;
  const message = `Cannot use the value of a placeholder as method: ${JSON.stringify(shorten(method))}`;
  return createFault(draft, span, message, "A method is a word such as GET or POST");
}

function showPiece(piece: string | BodyFile): string {
  return typeof piece === "string" ? piece : `<${piece.path}>`;
}

function toWarning({ message, warning = message, hint }: Remark): string {
  return hint === undefined ? warning : `${warning}. ${hint}`;
}

/** The methods of words that request files have in place of a method. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ["GRAPHQL", "POST"],
  ["SSE", "GET"],
]);

function addedHeaders(
  { method, without = [] }: RequestDraft,
  headers: HeaderList,
  type: string | undefined,
): HeaderList {
  if (type !== undefined && !without.includes("content-type")) return [["Content-Type", type]];
  const isEvents = method === "SSE" && findHeader(headers, "accept") === undefined;
  return isEvents ? [["Accept", "text/event-stream"]] : [];
}

/** The rendered parts of a request, before they are checked. */
export interface RenderedParts {
  /** The method. */
  readonly method: string;
  /** The rendered target, not completed. */
  readonly target: string;
  /** What follows the target, with files. */
  readonly query?: BodyMixture["pieces"] | undefined;
  /** The written headers. */
  readonly headers: HeaderList;
  readonly rendered: RenderedBody;
  readonly saveTo?: RenderedRequest["saveTo"] | undefined;
  /** A value leads out of the folder of the file to save to. */
  readonly saveFault?: Fault | undefined;
  /** The credentials that the Authorization header names, or what is missing in it. */
  readonly credentials?: Credentials | CredentialError | undefined;
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Whether its declared charset does not apply to its body. */
  readonly exact?: boolean | undefined;
  /** What is doubtful about the lines of the request and its values. */
  readonly remarks: readonly Remark[];
}

/** Renders the parts of a request; `unresolved` receives placeholders without a value. */
export function renderParts(
  given: RequestDraft,
  variables: Variables,
  {
    missing = "error",
    contentType,
    unresolved,
  }: RenderRequestOptions & { readonly unresolved: Fault[] },
): RenderedParts {
  const options = { missing, unresolved };
  const { methodTemplate } = given;
  const draft =
    methodTemplate === undefined
      ? given
      : { ...given, method: toMethod(renderTemplate(methodTemplate, variables, "text", options)) };
  const inUrl: RenderedRange[] = [];
  const target = renderTemplate(draft.url, variables, "url", { ...options, ranges: inUrl });
  const headers: HeaderList = draft.headers.map((header) => {
    const render = (template: Template): string =>
      trimBlanks(renderTemplate(template, variables, "header", options));
    return header.name === ""
      ? toHeader(header.value, render)
      : [header.name, render(header.value)];
  });
  const authorization = draft.headers.find(({ name }) => name.toLowerCase() === "authorization");
  const certificate = headers[draft.headers.findIndex(isCertificate)];
  const type = findHeader(headers, "content-type") ?? contentType;
  const graphql = isGraphql(draft.method, headers);
  const isBulk = BULK.test(target);
  const injects = findAnnotation(draft.annotations, "injectvariables") !== undefined;
  const context = { variables, missing, unresolved, graphql, isBulk, injects };
  const below = draft.body ?? bodyAmongHeaders(draft, headers);
  const isSocket = /^(?:WEBSOCKET|WS)$/.test(draft.method) || isSocketUrl(draft, target);
  const ofBody = isSocket ? renderMessages(below, context) : renderBody(below, type, context);
  const charset = type === undefined || isSocket ? undefined : charsetOf(type);
  const exact = charset !== undefined && isExact(draft);
  const rendered = charset === undefined || exact ? ofBody : withCharset(draft, charset, ofBody);
  const ranges: RenderedRange[] = [];
  const saveTo = draft.saveTo && {
    ...draft.saveTo,
    path: renderTemplate(draft.saveTo.path, variables, "text", { ...options, ranges }),
  };
  const saveFault = saveTo && strayFault(draft, saveTo.path, ranges);
  const written = below === draft.body ? headers : headers.slice(0, -1);
  return {
    method: draft.method,
    target,
    query: draft.query && renderPieces(draft.query, "url", context),
    headers: rendered.type === undefined ? written : withType(written, rendered.type),
    rendered,
    saveTo,
    saveFault,
    credentials: authorization && readCredentials(authorization.value, variables),
    clientCertificate: certificate && readClientCertificate(certificate[1]),
    exact,
    remarks: [
      ...remarksOn(draft, { target, inUrl, headers, body: rendered.body, contentType: type }),
      ...rendered.remarks,
      ...(below === undefined || isSocket ? [] : remarksOnPlace(draft, type, below, rendered)),
    ],
  };
}

/** Requests of Elasticsearch whose JSON body is one of lines. */
const BULK = /\/_(?:bulk|msearch)(?:[/?#]|$)/;

/** The headers with the Content-Type of a body that adds a boundary to the written one. */
function withType(headers: HeaderList, type: string): HeaderList {
  if (findHeader(headers, "content-type") === undefined)
    return [...headers, ["Content-Type", type]];
  return headers.map((header) =>
    header[0].toLowerCase() === "content-type" ? [header[0], type] : header,
  );
}

/** A value may be of a response: it names no file outside of the folder that is written before it. */
function strayFault(
  draft: RequestDraft,
  path: string,
  ranges: readonly RenderedRange[],
): Fault | undefined {
  const first = ranges.find(({ placeholder }) => placeholder.kind === "path");
  if (first === undefined) return undefined;
  const folder = path.slice(0, first.start).replace(/[^/\\]*$/, "");
  const within = path.slice(folder.length);
  const isAbsolute = folder === "" && /^(?:[/\\]|[a-z]:)/i.test(within);
  if (!isAbsolute && !leadsUp(within)) return undefined;
  const message = `Cannot save the response to "${path}": a value leads out of its folder`;
  const hint = "Write the folder itself before the first placeholder, as in ./saved/{{name}}.json";
  return createFault(draft, first.placeholder.span, message, hint);
}

function leadsUp(path: string): boolean {
  let depth = 0;
  return path.split(/[/\\]/).some((segment) => {
    if (segment === "..") depth -= 1;
    else if (segment !== "" && segment !== ".") depth += 1;
    return depth < 0;
  });
}

/** The body of a request whose last line is a placeholder, below which nothing follows, and whose value is no header. */
function bodyAmongHeaders(
  { method, headers: written }: RequestDraft,
  headers: HeaderList,
): BodyDraft | undefined {
  const [last, [name, value] = ["", ""]] = [written.at(-1), headers.at(-1)];
  if (WITHOUT_BODY.test(method) || last?.name !== "" || name !== "" || value === "")
    return undefined;
  if (colonOf(last.value) !== -1) return undefined;
  const { value: text, span } = last;
  const isFilled = value !== text.source.slice(span.start, span.end);
  return isFilled ? { kind: "text", text, span } : undefined;
}

/** Whether the bytes of a body are those of a command, whatever its Content-Type says. */
function isExact({ body }: RequestDraft): boolean {
  return body?.kind === "pieces" || (body?.kind === "text" && body.exact === true);
}

/** The fault of a body with a character that the charset of its Content-Type lacks. */
function withCharset(
  { body: written, source }: RequestDraft,
  charset: string,
  rendered: RenderedBody,
): RenderedBody {
  const { body } = rendered;
  if (body === undefined || written === undefined) return rendered;
  const pieces = typeof body === "object" ? ("pieces" in body ? body.pieces : []) : [body];
  for (const piece of pieces) {
    const encoded = typeof piece === "string" ? encodeText(piece, charset) : undefined;
    if (encoded === undefined || "bytes" in encoded) continue;
    const at = source.indexOf(encoded.missing, written.span.start);
    const place = { start: at, end: at + encoded.missing.length };
    const isWritten = at !== -1 && at < written.span.end;
    const fault = {
      code: "body",
      message: explainMissing(encoded.missing, charset),
      hint: "Write charset=utf-8, or leave the charset out",
      span: isWritten ? place : firstLineSpan(source, written.span),
      of: bodyTemplates(written),
    } as const;
    return { ...rendered, fault: rendered.fault ?? fault };
  }
  return rendered;
}

/** Whether a GET opens a WebSocket, by the scheme of its URL. */
function isSocketUrl({ method }: RequestDraft, target: string): boolean {
  return method === "GET" && /^\s*wss?:/i.test(target);
}

/**
 * Remarks on a value among the headers that is the body, and on text below a GET that has no type and is not JSON: it is
 * often a note, or a header after a blank line.
 */
function remarksOnPlace(
  { method, body: draft, headers, source }: RequestDraft,
  type: string | undefined,
  below: BodyDraft,
  { body, addedType }: RenderedBody,
): readonly Remark[] {
  const span = firstLineSpan(source, below.span);
  if (draft === undefined) {
    const line = shorten(source.slice(span.start, span.end));
    const message = `The value of "${line}" is sent as the body, since it is not a header`;
    return [{ code: "body", message, span, of: headers.map(({ value }) => value) }];
  }
  if (method !== "GET" && method !== "HEAD") return [];
  if (typeof body !== "string" || (type ?? addedType) !== undefined) return [];
  const message = `This text is sent as the body of the ${method} request: give it a Content-Type if it is one, or put a line "###" before it`;
  return [{ code: "body", message, span, of: bodyTemplates(draft) }];
}

/** Whether a header names a client certificate. It must be written: no value names a file. */
function isCertificate({ name, value: { parts } }: HeaderDraft): boolean {
  return /clientcert$/i.test(name) && /^(?:cert|pfx):/.test(String(parts[0]));
}

/**
 * Renders a header whose name has a placeholder, or that is a placeholder as a whole; without a name if it is not a
 * header. A value does not divide the name from the value where a colon is written.
 */
function toHeader(
  line: Template,
  render: (template: Template) => string,
): readonly [name: string, value: string] {
  const colon = colonOf(line);
  if (colon === -1) {
    const text = render(line);
    const [name, value] = splitHeader(text) ?? ["", text];
    return [name, trimBlanks(value)];
  }
  const name = render(sliceTemplate(line, 0, colon));
  return isHeaderName(name) ? [name, render(sliceTemplate(line, colon + 1))] : ["", render(line)];
}

/** The written colon of a header line, in its shape; -1 for a line that is a placeholder. */
function colonOf(line: Template): number {
  return shapeOf(line).indexOf(":");
}

type HeaderList = readonly (readonly [name: string, value: string])[];

/** Line breaks, which fetch would trim as well, are kept and refused later. The lookbehind keeps it linear. */
function trimBlanks(value: string): string {
  return value.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
}

/** The faults of headers whose values contain a control character, and of placeholders that are not headers. */
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
    const isNamed = colonOf(header.value) !== -1;
    const what = isNamed ? "its name is not one of a header" : "its value is not a header";
    const message = `Cannot render the header line "${line}": ${what}`;
    const hint = isNamed
      ? "A name has letters, digits and - _ . alone"
      : "Set it to Name: value, or leave a blank line before it if it is the body";
    return { message, hint };
  }
  if (isCertificate(header) && readClientCertificate(value) === undefined) {
    const message = `Cannot read the client certificate of the header "${name}"`;
    return {
      message,
      hint: "Write cert: PATH key: PATH, or pfx: PATH, and passphrase: TEXT after it",
    };
  }
  return explainControl(`header "${name}"`, value);
}

/** The URL of a rendered target, or the fault of one without a host. */
export function completeTarget(
  draft: RequestDraft,
  target: string,
  headers: HeaderList,
  variables: Variables,
  baseUrl?: string | undefined,
): string | Fault {
  if (beginsUnfilled(draft.url, target)) return target;
  // Only a path reads the variables of a host: an option that sets one in vain can be named.
  const isPath = /^[/?#]/.test(target);
  const host = isPath ? (findHeader(headers, "host") ?? hostOf(variables) ?? baseUrl) : undefined;
  const completed = completeUrl(target, host);
  if (completed !== undefined) return completed;
  if (target.trim() === "")
    return createFault(draft, draft.urlSpan, "Cannot render the URL: it is empty", HOST_HINT);
  const unset = isMap(variables) && variables.has("host") ? variables.explain?.("host") : undefined;
  const { message, hint = HOST_HINT } = unset ?? { message: "it has no host" };
  return createFault(
    draft,
    draft.urlSpan,
    `Cannot render the URL "${target}"${unset === undefined ? "" : ", which @host completes"}: ${message}`,
    hint,
  );
}

const HOST_HINT =
  "Write an absolute URL, begin it with a variable such as {{base}}, add a Host header, or set @host or @base";

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

/** As in httpYac, the variable `host` completes a target that is a path, or else `base` does. */
function hostOf(variables: Variables): string | undefined {
  const lookUp = createLookup(variables);
  const host = lookUp("host");
  // One that is set without a value is a mistake to report.
  const hasNone = host === undefined && !(isMap(variables) && variables.has("host"));
  const found = hasNone ? lookUp("base") : host;
  return typeof found === "string" ? found : undefined;
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
  readonly name?: string | undefined;
  /** From the line `### title` before it. */
  readonly title?: string | undefined;
  /** From `# @verify exact` and `# @ignore $.path`. */
  readonly verify?: VerifyRule | undefined;
  /** In upper case if it is a known method. */
  readonly method: string;
  /** The URL as text, before it is parsed. */
  readonly url: string;
  /** The pieces of the URL, if files are in it, which it names in angle brackets. */
  readonly urlWithFiles?: BodyMixture["pieces"] | undefined;
  /** Names and values in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Names of headers that were added, for example `Content-Type`. */
  readonly added: readonly string[];
  /** Headers that are not added, in lower case, from `curl -H 'Accept:'`. */
  readonly without?: readonly string[] | undefined;
  /** The text, a file that is not read yet, text with files in it, or nothing. */
  readonly body: string | BodyFile | BodyMixture | undefined;
  /** Whether text in its body is UTF-8, whatever charset its Content-Type declares: that of a curl command is. */
  readonly exact?: true | undefined;
  /** The messages of a WebSocket request, and its waits for the server. */
  readonly messages?: readonly MessageStep[] | undefined;
  /** From `X-ClientCert: cert: ./c.pem key: ./k.pem`, a header of httpYac that is not sent. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Those that its Authorization header names, such as `Basic {{user}} {{password}}`. They are sent in its place. */
  readonly credentials?: Credentials | undefined;
  /** The file to save the body of the response to. */
  readonly saveTo?:
    | {
        readonly path: string;
        readonly replace: boolean;
        readonly resume?: boolean | undefined;
      }
    | undefined;
  /** Lines without an effect: scripts, annotations of other clients. */
  readonly notes?: readonly string[] | undefined;
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
  /** How their values are written, if a media type says so; else its own text does. */
  readonly place?: Place | undefined;
  /** From `<@encoding path`; UTF-8 by default. */
  readonly encoding?: string | undefined;
  /** How its content is changed: without line breaks and NUL, percent-encoded, as curl does, or as text in JSON. */
  readonly change?: "unbroken" | "encoded" | "json" | "trimmed-json" | undefined;
  /** What it contains, if there is no file: bytes of a curl command that are not UTF-8. */
  readonly bytes?: Uint8Array | undefined;
}

/** A body of text and files, such as a multipart form. */
export interface BodyMixture {
  /** In order. */
  readonly pieces: readonly (string | BodyFile)[];
}
