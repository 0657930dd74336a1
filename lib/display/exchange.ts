import { contentOf, type Exchange, type HeaderList } from "../exchange/mod.ts";
import { hideCredential, isCredentialHeader } from "../secrets/mod.ts";
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
  ["the warnings", ({ warnings }, lens) => viewWarnings(warnings, lens)],
  ["the request headers", viewRequestHead],
  [
    "the response headers",
    ({ headers }, lens) => [viewHeaders("Response headers", [...headers], lens)],
  ],
  ["the body", viewAnswer],
];

function viewWith(exchange: Exchange, lens: Lens): Block[] {
  return VIEWS.flatMap(([what, view]) => viewOrNote(what, lens, () => view(exchange, lens)));
}

function viewRequest({ request }: Exchange, { limits, hide }: Lens): Block[] {
  const cut = (text: string): string => cutText(hide(text), limits.line);
  const { method, url, writtenUrl } = request;
  // That the URL parser adds a path to a host is not worth a line.
  const isOther = writtenUrl !== url && `${writtenUrl}/` !== url;
  const written = isOther ? { written: cut(writtenUrl) } : {};
  return [{ kind: "request", method: cut(method), url: cut(url), ...written }];
}

function viewStatus(exchange: Exchange, { limits, hide }: Lens): Block {
  return {
    kind: "status",
    status: exchange.status,
    statusText: cutText(hide(exchange.statusText), limits.line),
    statusClass: exchange.statusClass,
    facts: factsOf(exchange),
  };
}

/** The request headers, and the request body if there is one. */
function viewRequestHead(exchange: Exchange, lens: Lens): Block[] {
  const { request } = exchange;
  const headers = viewHeaders("Request headers", request.headers, lens);
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
    { ...viewHeaders("Request headers", exchange.request.headers, lens), open: true },
    ...(body === undefined ? [] : viewBody(body, lens)),
  ];
}

/** The headers of the request and of the response, unfolded. */
export function viewHeaderLists(exchange: Exchange, lens: Lens): Block[] {
  return [
    { ...viewHeaders("Request headers", exchange.request.headers, lens), open: true },
    { ...viewHeaders("Response headers", [...exchange.headers], lens), open: true },
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
export function viewHeaders(
  title: string,
  headers: HeaderList,
  { limits, hide, showsSecrets }: Lens,
): HeadersBlock {
  const toShown = (name: string, value: string): string =>
    isCredentialHeader(name) && !showsSecrets ? hideCredential(value, hide) : hide(value);
  const shown = headers
    .slice(0, limits.fields)
    .map(
      ([name, value]) =>
        [cutText(hide(name), limits.cell), cutText(toShown(name, value), limits.cell * 4)] as const,
    );
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

function viewRedirects({ redirects }: Exchange, { limits, hide }: Lens): Block[] {
  const shown: Block[] = redirects.slice(0, limits.notes).map((hop) => ({
    kind: "redirect",
    status: hop.status,
    statusText: cutText(hide(hop.statusText), limits.cell),
    statusClass: hop.statusClass,
    method: hop.method,
    url: cutText(hide(hop.url), limits.line),
    location: cutText(hide(hop.location), limits.line),
  }));
  return [...shown, ...more(redirects.length - shown.length, "redirect")];
}

function viewWarnings(warnings: readonly string[], { limits, hide }: Lens): Block[] {
  const shown: Block[] = warnings
    .slice(0, limits.notes)
    .map((text) => ({ kind: "note", level: "warning", text: cutText(hide(text), limits.line) }));
  return [...shown, ...more(warnings.length - shown.length, "warning")];
}

function more(count: number, noun: string): Block[] {
  if (count <= 0) return [];
  return [{ kind: "note", level: "info", text: `And ${formatCount(count, `more ${noun}`)}` }];
}
