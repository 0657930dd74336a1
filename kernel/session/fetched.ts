import {
  createContent,
  createExchange,
  type Exchange,
  learnAnswer,
  learnRequest,
  loadDecoders,
  type SentRequest,
} from "../../lib/exchange/mod.ts";
import { renderBundle, type Secrets } from "../../lib/mod.ts";

/** What `fetch` of a cell has sent. */
interface Sent {
  readonly request: SentRequest;
  readonly startedAt: Date;
  /** Milliseconds until the response began. */
  readonly headers: number;
}

const SENT = new WeakMap<Response, Sent>();

/** Remembers the request of a response, so that the response can be shown as an exchange. */
export async function noteFetched(
  [input, init = {}]: Parameters<typeof fetch>,
  fetching: Promise<Response>,
): Promise<Response> {
  const startedAt = new Date();
  const response = await fetching;
  const given = input instanceof Request ? input : undefined;
  const url = given?.url ?? new URL(String(input)).href;
  const request: SentRequest = {
    method: (init.method ?? given?.method ?? "GET").toUpperCase(),
    url,
    writtenUrl: url,
    headers: [...new Headers(init.headers ?? given?.headers)],
    added: [],
    body: typeof init.body === "string" ? init.body : undefined,
  };
  SENT.set(response, { request, startedAt, headers: Date.now() - startedAt.getTime() });
  return response;
}

/**
 * A response of `fetch` as an exchange, to show it; its body can still be read. The body of an event stream, which
 * may have no end, is not read.
 *
 * @returns `undefined` if the value is no such response.
 */
export function exchangeOf(value: unknown, secrets: Secrets): Promise<Exchange> | undefined {
  const sent = SENT.get(value as Response);
  return sent && readExchange(value as Response, sent, secrets);
}

async function readExchange(
  response: Response,
  { request, startedAt, headers }: Sent,
  secrets: Secrets,
): Promise<Exchange> {
  const isRead = response.bodyUsed || response.body?.locked === true;
  const isStream = /^text\/event-stream\b/.test(response.headers.get("content-type") ?? "");
  const bytes = isRead || isStream ? [] : [new Uint8Array(await response.clone().arrayBuffer())];
  const why = isRead ? "The body was read by the program" : "The body is a stream of events";
  await loadDecoders(response.headers.get("content-type"));
  const exchange = createExchange({
    request,
    url: response.url,
    response,
    content: createContent(bytes),
    cut: false,
    timing: { startedAt, headers, total: Date.now() - startedAt.getTime() },
    redirects: [],
    warnings: [],
    notes: isRead || isStream ? [`${why}, and is not shown`] : [],
    secrets: [secrets],
    show: (shown) => renderBundle(shown),
  });
  learnRequest(request, secrets);
  learnAnswer(exchange, secrets);
  return exchange;
}
