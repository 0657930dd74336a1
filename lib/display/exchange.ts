import {
  contentOf,
  type Exchange,
  type HeaderList,
  type MaskedExchange,
  maskExchange,
  maskHeaders,
} from "../exchange/mod.ts";
import { answerBody, requestBody } from "./answer-body.ts";
import type { Block, HeadersBlock } from "./blocks/mod.ts";
import {
  createLens,
  cutText,
  DEFAULT_LIMITS,
  formatBytes,
  formatCount,
  formatMilliseconds,
  type Hidden,
  type Lens,
  type Limits,
  viewOrNote,
} from "./blocks/mod.ts";
import { viewBody } from "./bodies/mod.ts";

/**
 * Displays an exchange: request line, redirects, status with its class, time and size, warnings, headers,
 * and the body by its media type.
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
  return viewWith(exchange, createLens(limits, [...(exchange.secrets ?? []), ...secrets]));
}

type PartView = (exchange: Exchange, lens: Lens) => readonly Block[];

const VIEWS: readonly (readonly [what: string, view: PartView])[] = [
  ["the request", viewRequest],
  ["the redirects", viewRedirects],
  ["the status", (exchange, lens) => [viewStatus(exchange, lens)]],
  ["the warnings", (exchange, lens) => viewWarnings(maskedBy(lens, exchange).warnings, lens)],
  ["the request headers", viewRequestHead],
  [
    "the response headers",
    (exchange, lens) => [
      viewHeaderList("Response headers", maskedBy(lens, exchange).headers, lens),
    ],
  ],
  ["the body", viewAnswer],
];

function viewWith(exchange: Exchange, lens: Lens): Block[] {
  return VIEWS.flatMap(([what, view]) => viewOrNote(what, lens, () => view(exchange, lens)));
}

/** The exchange without what the lens hides. */
function maskedBy(lens: Lens, exchange: Exchange): MaskedExchange {
  return maskExchange(exchange, lens.masking, lens.showsSecrets);
}

function viewRequest(exchange: Exchange, lens: Lens): Block[] {
  const cut = (text: string): string => cutText(text, lens.limits.line);
  const { method, url, writtenUrl } = maskedBy(lens, exchange).request;
  // The URL parser gives a host a path; that is not worth a line.
  const isOther = writtenUrl !== url && `${writtenUrl}/` !== url;
  const written = isOther ? { written: cut(writtenUrl) } : {};
  return [{ kind: "request", method: cut(method), url: cut(url), ...written }];
}

function viewStatus(exchange: Exchange, lens: Lens): Block {
  return {
    kind: "status",
    status: exchange.status,
    statusText: cutText(maskedBy(lens, exchange).statusText, lens.limits.line),
    statusClass: exchange.statusClass,
    facts: factsOf(exchange),
  };
}

/** The request headers, and the request body if there is one. */
function viewRequestHead(exchange: Exchange, lens: Lens): Block[] {
  const headers = viewHeaderList("Request headers", maskedBy(lens, exchange).request.headers, lens);
  const body = requestBody(exchange);
  if (body === undefined) return [headers];
  const title = `Request body (${formatBytes(body.content.length)})`;
  return [headers, { kind: "fold", title, blocks: viewBody(body, lens) }];
}

/** The request alone, unfolded. */
export function viewRequestPart(exchange: Exchange, lens: Lens): Block[] {
  const body = requestBody(exchange);
  return [
    ...viewRequest(exchange, lens),
    {
      ...viewHeaderList("Request headers", maskedBy(lens, exchange).request.headers, lens),
      open: true,
    },
    ...(body === undefined ? [] : viewBody(body, lens)),
  ];
}

/** The headers of the request and of the response, unfolded. */
export function viewHeaderLists(exchange: Exchange, lens: Lens): Block[] {
  const { request, headers } = maskedBy(lens, exchange);
  return [
    { ...viewHeaderList("Request headers", request.headers, lens), open: true },
    { ...viewHeaderList("Response headers", headers, lens), open: true },
  ];
}

/** The body of the response, or a note that it is empty. */
export function viewAnswer(exchange: Exchange, lens: Lens): readonly Block[] {
  if (contentOf(exchange).length > 0) return viewBody(answerBody(exchange), lens);
  const isHead = exchange.request.method === "HEAD";
  const text = isHead ? "No body: a response to HEAD has none" : "Empty body";
  return [{ kind: "note", level: "info", text }];
}

/** Headers with a title. */
export function viewHeaders(title: string, headers: HeaderList, lens: Lens): HeadersBlock {
  return viewHeaderList(title, maskHeaders(headers, lens.masking, lens.showsSecrets), lens);
}

/** Headers that are masked already. */
function viewHeaderList(title: string, headers: HeaderList, { limits }: Lens): HeadersBlock {
  const shown = headers
    .slice(0, limits.fields)
    .map(([name, value]) => [cutText(name, limits.cell), cutText(value, limits.cell * 4)] as const);
  return { kind: "headers", title, headers: shown, total: headers.length };
}

function factsOf({ timing, sizes }: Exchange): string[] {
  const total = formatMilliseconds(timing.total);
  const headers = formatMilliseconds(timing.headers);
  const { body, encoded } = sizes.response;
  const size = formatBytes(body);
  return [
    total === headers ? total : `${total} (headers after ${headers})`,
    encoded === undefined || encoded === body ? size : `${size} (${formatBytes(encoded)} sent)`,
  ];
}

function viewRedirects(exchange: Exchange, lens: Lens): Block[] {
  const { limits } = lens;
  const { redirects } = maskedBy(lens, exchange);
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

function viewWarnings(warnings: readonly string[], { limits }: Lens): Block[] {
  const shown: Block[] = warnings
    .slice(0, limits.notes)
    .map((text) => ({ kind: "note", level: "warning", text: cutText(text, limits.line) }));
  return [...shown, ...more(warnings.length - shown.length, "warning")];
}

function more(count: number, noun: string): Block[] {
  if (count <= 0) return [];
  return [{ kind: "note", level: "info", text: `And ${formatCount(count, `more ${noun}`)}` }];
}
