import {
  createContent,
  createExchange,
  detailsOf,
  type Exchange,
  isReplayed,
  learnAnswer,
  learnRequest,
  type SentRequest,
  type Show,
} from "../exchange/mod.ts";
import type { Secrets } from "../secrets/mod.ts";

/** What gets the exchanges of logins. */
export interface LoginObserver {
  readonly show: Show;
  /** Called with the exchange of each token request, which is not in the history. */
  readonly addLogin: (exchange: Exchange) => void;
}

/** Wraps the fetch of logins, so that a recording has their requests as well. */
export function observeLogins(
  fetch: typeof globalThis.fetch,
  { show, addLogin }: LoginObserver,
  secrets: Secrets,
): typeof globalThis.fetch {
  return async (input, init) => {
    const startedAt = new Date();
    const start = performance.now();
    const sent = toSentRequest(input, init);
    const response = await fetch(input, init);
    const wait = performance.now() - start;
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    const { method, url, headers, body } = sent;
    const connection = detailsOf(response);
    const exchange = createExchange({
      request: sent,
      url,
      response,
      content: createContent([bytes]),
      cut: false,
      connection,
      timing: { startedAt, headers: wait, total: performance.now() - start },
      redirects: [],
      hops: [
        {
          ...{ method, url, headers, body, startedAt, wait, response, connection },
          isReplayed: isReplayed(response),
        },
      ],
      warnings: [],
      secrets: [secrets],
      show,
    });
    learnRequest(sent, secrets);
    learnAnswer(exchange, secrets);
    addLogin(exchange);
    return response;
  };
}

function toSentRequest(input: Parameters<typeof fetch>[0], init: RequestInit = {}): SentRequest {
  const { method = "GET", headers, body } = input instanceof Request ? input : init;
  const url = input instanceof Request ? input.url : String(input);
  const isText = typeof body === "string" || body instanceof URLSearchParams;
  return {
    method,
    url,
    writtenUrl: url,
    headers: [...new Headers(headers)],
    added: [],
    // A login sends no streams.
    body: isText ? String(body) : undefined,
  };
}
