import {
  contentOf,
  type Exchange,
  type HeaderList,
  type MaskedExchange,
  maskExchange,
  maskHeaders,
} from "../exchange/mod.ts";
import { answerBody, requestBody } from "./answer-body.ts";
import {
  type Block,
  createViewContext,
  cutText,
  DEFAULT_LIMITS,
  formatBytes,
  formatCount,
  type HeadersBlock,
  type Hidden,
  type Limits,
  type StatusBlock,
  type ViewContext,
  viewOrNote,
} from "./blocks/mod.ts";
import { viewBody } from "./bodies/mod.ts";
import { sizeOf, timeOf, viewAssertions, viewCookies, viewTiming } from "./details/mod.ts";

/**
 * Displays an exchange: a line of status, request, time and size, redirects, warnings, what is folded (headers,
 * the body of the request, cookies, timing), the body by its media type, and the results of assertions.
 *
 * @param exchange The request and its response.
 * @param limits How much is shown.
 * @param secrets What is masked besides the secrets of the exchange.
 */
export function viewExchange(
  exchange: Exchange,
  limits: Limits = DEFAULT_LIMITS,
  secrets: readonly Hidden[] = [],
): Block[] {
  // An exchange of an older copy of the library may have no secrets.
  return viewWith(exchange, createViewContext(limits, [...(exchange.secrets ?? []), ...secrets]));
}

type PartView = (exchange: Exchange, context: ViewContext) => readonly Block[];

const VIEWS: readonly (readonly [what: string, view: PartView])[] = [
  ["the status", (exchange, context) => [viewStatus(exchange, context)]],
  ["the redirects", viewRedirects],
  [
    "the warnings",
    (exchange, context) => viewNotes(maskedBy(context, exchange).warnings, "warning", context),
  ],
  [
    "the notes",
    (exchange, context) => viewNotes(maskedBy(context, exchange).notes, "info", context),
  ],
  ["the request headers", viewRequestHeaders],
  ["the request body", viewRequestBody],
  [
    "the response headers",
    (exchange, context) =>
      viewHeaderList("Response headers", maskedBy(context, exchange).headers, context),
  ],
  ["the cookies", viewCookies],
  ["the timing", viewTiming],
  ["the body", viewAnswer],
  ["the assertions", viewAssertions],
];

function viewWith(exchange: Exchange, context: ViewContext): Block[] {
  return VIEWS.flatMap(([what, view]) => viewOrNote(what, context, () => view(exchange, context)));
}

/** The exchange without what the context hides. */
function maskedBy(context: ViewContext, exchange: Exchange): MaskedExchange {
  return maskExchange(exchange, context.masking, context.showsSecrets);
}

function requestLine(exchange: Exchange, context: ViewContext): StatusBlock["request"] {
  const cut = (text: string): string => cutText(text, context.limits.line);
  const { method, url, writtenUrl } = maskedBy(context, exchange).request;
  // The URL parser gives a host a path; that is not worth a line.
  const isOther = writtenUrl !== url && `${writtenUrl}/` !== url;
  const written = isOther ? { written: cut(writtenUrl) } : {};
  return { method: cut(method), url: cut(url), ...written };
}

function viewStatus(exchange: Exchange, context: ViewContext): Block {
  return {
    kind: "status",
    status: exchange.status,
    statusText: cutText(maskedBy(context, exchange).statusText, context.limits.line),
    statusClass: exchange.statusClass,
    request: requestLine(exchange, context),
    time: timeOf(exchange),
    facts: [sizeOf(exchange)],
  };
}

function viewRequestHeaders(exchange: Exchange, context: ViewContext): Block[] {
  return viewHeaderList("Request headers", maskedBy(context, exchange).request.headers, context);
}

function viewRequestBody(exchange: Exchange, context: ViewContext): Block[] {
  const body = requestBody(exchange);
  if (body === undefined) return [];
  const title = `Request body (${formatBytes(body.content.length)})`;
  return [{ kind: "fold", title, blocks: viewBody(body, context) }];
}

/** The request alone, unfolded. */
export function viewRequestPart(exchange: Exchange, context: ViewContext): Block[] {
  const body = requestBody(exchange);
  return [
    { kind: "request", ...requestLine(exchange, context) },
    ...viewRequestHeaders(exchange, context).map(unfold),
    ...(body === undefined ? [] : viewBody(body, context)),
  ];
}

/** The headers of the request and of the response, unfolded. */
export function viewHeaderLists(exchange: Exchange, context: ViewContext): Block[] {
  const { request, headers } = maskedBy(context, exchange);
  return [
    ...viewHeaderList("Request headers", request.headers, context),
    ...viewHeaderList("Response headers", headers, context),
  ].map(unfold);
}

function unfold(block: Block): Block {
  return block.kind === "headers" ? { ...block, open: true } : block;
}

/** The body of the response, or a note that it is empty. */
export function viewAnswer(exchange: Exchange, context: ViewContext): readonly Block[] {
  if (contentOf(exchange).length > 0) return viewBody(answerBody(exchange), context);
  const isHead = exchange.request.method === "HEAD";
  const text = isHead ? "No body: a response to HEAD has none" : "Empty body";
  return [{ kind: "note", level: "info", text }];
}

/** Headers with a title. */
export function viewHeaders(
  title: string,
  headers: HeaderList,
  context: ViewContext,
): HeadersBlock[] {
  return viewHeaderList(
    title,
    maskHeaders(headers, context.masking, context.showsSecrets),
    context,
  );
}

/** Headers that are masked already; nothing if there are none. */
function viewHeaderList(
  title: string,
  headers: HeaderList,
  { limits }: ViewContext,
): HeadersBlock[] {
  if (headers.length === 0) return [];
  const shown = headers
    .slice(0, limits.fields)
    .map(([name, value]) => [cutText(name, limits.cell), cutText(value, limits.cell * 4)] as const);
  return [{ kind: "headers", title, headers: shown, total: headers.length }];
}

function viewRedirects(exchange: Exchange, context: ViewContext): Block[] {
  const { limits } = context;
  const { redirects } = maskedBy(context, exchange);
  const shown: Block[] = redirects.slice(0, limits.notes).map((hop) => ({
    kind: "redirect",
    status: hop.status,
    statusText: cutText(hop.statusText, limits.cell),
    statusClass: hop.statusClass,
    method: hop.method,
    url: cutText(hop.url, limits.line),
    location: cutText(hop.location, limits.line),
  }));
  return [...shown, ...more(redirects.length - shown.length, "redirect")];
}

function viewNotes(
  notes: readonly string[],
  level: "warning" | "info",
  { limits }: ViewContext,
): Block[] {
  const shown: Block[] = notes
    .slice(0, limits.notes)
    .map((text) => ({ kind: "note", level, text: cutText(text, limits.line) }));
  return [...shown, ...more(notes.length - shown.length, level === "info" ? "note" : level)];
}

function more(count: number, noun: string): Block[] {
  if (count <= 0) return [];
  return [{ kind: "note", level: "info", text: `And ${formatCount(count, `more ${noun}`)}` }];
}
