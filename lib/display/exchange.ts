import {
  contentOf,
  type Exchange,
  type HeaderList,
  type MaskedExchange,
  maskExchange,
  maskHeaders,
  type SavedBody,
} from "../exchange/mod.ts";
import { answerBody, forAnswer, requestBody } from "./answer-body.ts";
import { countResults, viewMaskedResults } from "./assertion-results.ts";
import type { Block, Cell, Field, HeadersBlock, StatusBlock } from "./block.ts";
import { shortCell } from "./cell.ts";
import { cutText } from "./compact.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { formatBytes, formatCount, formatMilliseconds, groupDigits } from "./units.ts";
import { viewBody } from "./view-body.ts";
import {
  createViewContext,
  HIDDEN,
  type Hidden,
  type ViewContext,
  viewOrNote,
} from "./view-context.ts";

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
  const context = createViewContext(limits, [...(exchange.secrets ?? []), ...secrets]);
  return viewWith(exchange, forAnswer(context, exchange));
}

/** A part of an exchange as blocks; its texts are those of `masked`. */
type PartView = (
  exchange: Exchange,
  context: ViewContext,
  masked: MaskedExchange,
) => readonly Block[];

const COOKIE_COLUMNS = ["cookie", "value", "", "attributes"];

const VIEWS: readonly (readonly [what: string, view: PartView])[] = [
  ["the status", viewStatus],
  ["the redirects", viewRedirects],
  ["the warnings", (_, context, { warnings }) => viewNotes(warnings, "warning", context)],
  ["the notes", (_, context, { notes }) => viewNotes(notes, "info", context)],
  ["the request headers", viewRequestHeaders],
  ["the request body", viewRequestBody],
  ["the response headers", viewResponseHeaders],
  ["the cookies", viewCookies],
  ["the timing", viewTiming],
  ["the body", viewReceived],
  [
    "the assertions",
    (_, context, { assertions }) => viewMaskedResults(assertions, "assertion", context),
  ],
];

/** What is told of an exchange elsewhere. */
export interface ToldElsewhere {
  /** The body was shown while it arrived. */
  readonly body: boolean;
  /** An error reports the assertions that have failed. */
  readonly failures: boolean;
}

/** An exchange without what is told elsewhere; failed assertions are counted. */
export function viewRest(exchange: Exchange, context: ViewContext, told: ToldElsewhere): Block[] {
  const count: PartView = (_, __, { assertions }) => countResults(assertions, "assertion");
  const views = VIEWS.filter(([what]) => !(told.body && what === "the body")).map(
    ([what, view]) => [what, told.failures && what === "the assertions" ? count : view] as const,
  );
  return viewWith(exchange, context, views);
}

function viewWith(exchange: Exchange, context: ViewContext, views: typeof VIEWS = VIEWS): Block[] {
  const masked = maskedBy(context, exchange);
  return views.flatMap(([what, view]) =>
    viewOrNote(what, context, () => view(exchange, context, masked)),
  );
}

/** The exchange without what the context hides. */
function maskedBy(context: ViewContext, exchange: Exchange): MaskedExchange {
  return maskExchange(exchange, context.masking, context.showsSecrets);
}

/** The names of the sections of bodies, by what they show first. */
const SECTIONS: { readonly [Kind in Block["kind"]]?: string } = {
  table: "Table",
  fields: "Tree",
  text: "Text",
  image: "Image",
  media: "Media",
};

/** Makes the body a section beside the headers, for forms that show one section at a time. */
function asSection(blocks: readonly Block[]): readonly Block[] {
  const title = blocks.map(({ kind }) => SECTIONS[kind]).find((name) => name !== undefined);
  return title === undefined ? blocks : [{ kind: "fold", title, blocks, isOpen: true }];
}

function requestLine(
  { request: { method, url, writtenUrl } }: MaskedExchange,
  { limits }: ViewContext,
): StatusBlock["request"] {
  const cut = (text: string): string => cutText(text, limits.line);
  // The URL parser gives a host a path; that is not worth a line.
  const isOther = writtenUrl !== url && `${writtenUrl}/` !== url;
  const written = isOther ? { written: cut(writtenUrl) } : {};
  return { method: cut(method), url: cut(url), ...written };
}

function viewStatus(exchange: Exchange, context: ViewContext, masked: MaskedExchange): Block[] {
  return [
    {
      kind: "status",
      status: exchange.status,
      statusText: cutText(masked.statusText, context.limits.line),
      statusClass: exchange.statusClass,
      request: requestLine(masked, context),
      time: timeOf(exchange),
      facts: [sizeOf(exchange)],
    },
  ];
}

function viewRequestHeaders(
  _: Exchange,
  context: ViewContext,
  { request }: MaskedExchange,
): HeadersBlock[] {
  return viewHeaderList("Request headers", request.headers, context);
}

/** The headers of the response, of what came before it, such as 103 Early Hints, and the trailers behind its body. */
function viewResponseHeaders(
  { connection }: Exchange,
  context: ViewContext,
  { headers }: MaskedExchange,
): HeadersBlock[] {
  const { limits, redactor } = context;
  const { informational = [], trailers = [] } = connection ?? {};
  return [
    ...viewHeaderList("Response headers", headers, context),
    ...informational.slice(0, limits.notes).flatMap(({ status, statusText, headers: early }) => {
      const title = cutText(redactor.text(`${status} ${statusText}`), limits.cell);
      return viewHeaders(title, early, context);
    }),
    ...(trailers.length === 0 ? [] : viewHeaders("Trailers", trailers, context)),
  ];
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
  const masked = maskedBy(context, exchange);
  return [
    { kind: "request", ...requestLine(masked, context) },
    ...viewRequestHeaders(exchange, context, masked).map(unfold),
    ...(body === undefined ? [] : viewBody(body, context)),
  ];
}

/** The headers of the request and of the response, unfolded. */
export function viewHeaderLists(exchange: Exchange, context: ViewContext): Block[] {
  const masked = maskedBy(context, exchange);
  return [
    ...viewRequestHeaders(exchange, context, masked),
    ...viewResponseHeaders(exchange, context, masked),
  ].map(unfold);
}

function unfold(block: HeadersBlock): HeadersBlock {
  return { ...block, open: true };
}

/** The body of the response, or where it was saved. */
function viewReceived(
  exchange: Exchange,
  context: ViewContext,
  { saved }: MaskedExchange,
): readonly Block[] {
  if (saved === undefined) {
    // The warnings may say already why a body is incomplete.
    const isCutNoted = exchange.cut && exchange.cutReason === undefined;
    return asSection(viewAnswer(exchange, context, isCutNoted));
  }
  return [{ kind: "note", level: "info", text: describeSaved(saved, exchange.timing.total) }];
}

/** What was saved of a body, in one line. */
export function describeSaved(
  { path, bytes, offset = 0 }: SavedBody,
  milliseconds: number,
): string {
  const whole = formatBytes(offset + bytes);
  if (offset > 0 && bytes === 0) return `${path} is complete: it has all its ${whole}`;
  const what = offset > 0 ? `the last ${formatBytes(bytes)} of ${whole}` : whole;
  return `Saved ${what} to ${path} in ${formatMilliseconds(milliseconds)}`;
}

/** The body of the response, or a note that it is empty. */
export function viewAnswer(
  exchange: Exchange,
  context: ViewContext,
  isCutNoted: boolean = exchange.cut,
): readonly Block[] {
  if (contentOf(exchange).length > 0) return viewBody(answerBody(exchange), context, isCutNoted);
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
    maskHeaders(headers, context.masker, context.masking, context.showsSecrets),
    context,
  );
}

/** A value of a header; of a long one, such as a policy, a number says how long it is. */
function cutHeader(value: string, { line }: Limits): string {
  if (value.length <= line) return value;
  return `${cutText(value, line)} (${groupDigits(value.length)} characters)`;
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
    .map(([name, value]) => [cutText(name, limits.cell), cutHeader(value, limits)] as const);
  return [{ kind: "headers", title, headers: shown, total: headers.length }];
}

function viewRedirects(
  _: Exchange,
  { limits }: ViewContext,
  { redirects }: MaskedExchange,
): Block[] {
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

/** Displays the cookies that were sent, and those that the answer sets; nothing if there are none. */
function viewCookies({ request, headers }: Exchange, context: ViewContext): Block[] {
  const sent = valuesOf(request.headers, "cookie").flatMap((value) => value.split(/;\s*/));
  const cookies = [
    ...sent.filter((pair) => pair !== "").map((pair) => ({ pair, how: "sent", attributes: "" })),
    ...valuesOf([...headers], "set-cookie").map(parseSetCookie),
  ];
  if (cookies.length === 0) return [];
  const rows = cookies.slice(0, context.limits.fields).map((cookie) => toRow(cookie, context));
  const total = cookies.length;
  const table: Block = {
    kind: "table",
    columns: COOKIE_COLUMNS,
    rows,
    total,
    totalColumns: COOKIE_COLUMNS.length,
  };
  return [{ kind: "fold", title: `Cookies (${total})`, blocks: [table], isExtra: true }];
}

interface ShownCookie {
  readonly pair: string;
  readonly how: string;
  readonly attributes: string;
}

function parseSetCookie(line: string): ShownCookie {
  const [pair = "", ...attributes] = line.split(/;\s*/);
  return { pair, how: "received", attributes: attributes.join("; ") };
}

function toRow({ pair, how, attributes }: ShownCookie, context: ViewContext): Cell[] {
  const { limits, redactor, showsSecrets } = context;
  const at = pair.indexOf("=");
  const value = redactor.text(pair.slice(at + 1));
  // A cookie is a credential, as its header is.
  const isShown = showsSecrets || value === "" || /^\{\{[^{}]*\}\}$/.test(value);
  return [
    at < 0 ? "" : redactor.key(pair.slice(0, at)),
    isShown ? value : HIDDEN,
    how,
    redactor.text(attributes),
  ].map((text) => shortCell("text", text, limits.cell));
}

function valuesOf(headers: HeaderList, wanted: string): string[] {
  // A hostile name may have megabytes, and a view is rendered many times until it fits.
  const isWanted = (name: string): boolean =>
    name.length === wanted.length && name.toLowerCase() === wanted;
  return headers.filter(([name]) => isWanted(name)).map(([, value]) => value);
}

/** The time of the headers is worth mentioning if the body took this long after them, in milliseconds. */
const NOTABLE = 100;

/** The time of an answer, for its status line. */
function timeOf({ timing }: Exchange): string {
  const { headers, total } = timing;
  const time = formatMilliseconds(total);
  return total - headers < NOTABLE
    ? time
    : `${time} (headers after ${formatMilliseconds(headers)})`;
}

/** The size of an answer, for its status line. */
function sizeOf({ sizes }: Exchange): string {
  const { body, encoded } = sizes.response;
  const size = formatBytes(body);
  return encoded === undefined || encoded === body
    ? size
    : `${size} (${formatBytes(encoded)} sent)`;
}

/** The steps of a connection, which are known where restlab has opened it. */
const STEPS = [
  ["dns", "name resolved after"],
  ["connect", "connected after"],
  ["tls", "TLS ready after"],
  ["firstByte", "answer began after"],
] as const;

/** Displays when an exchange began, how long it and its steps took, and how large its parts were. */
function viewTiming({ timing, sizes, connection }: Exchange): Block[] {
  const { request, response } = sizes;
  const times: Field[] = [field("started", timing.startedAt.toISOString())];
  for (const [step, key] of STEPS) {
    const time = connection?.times[step];
    if (time !== undefined) times.push(field(key, formatMilliseconds(time)));
  }
  times.push(
    field("headers received after", formatMilliseconds(timing.headers)),
    field("body received after", formatMilliseconds(timing.total)),
  );
  const parts: Field[] = [
    field("sent", describeSize(request.headers, request.body)),
    field("received", describeSize(response.headers, response.encoded ?? response.body)),
  ];
  const fields = [...times, ...parts];
  const block: Block = { kind: "fields", of: "object", fields, total: fields.length };
  return [{ kind: "fold", title: "Timing", blocks: [block], isExtra: true, isTiming: true }];
}

function describeSize(headers: number, body: number): string {
  return `${formatBytes(headers)} of headers, ${formatBytes(body)} of body`;
}

function field(key: string, text: string): Field {
  return { key, value: { text, type: "text" } };
}
