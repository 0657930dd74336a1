import {
  arrivedDetailsOf,
  createContent,
  createExchange,
  isReplayed,
  learnAnswer,
  learnRequest,
  type SentRequest,
} from "../exchange/mod.ts";
import { findHeader } from "../request/mod.ts";
import {
  type Authorizer,
  type Credentials,
  createAuthorizer,
  readAuthorization,
  secretTexts,
  type Token,
} from "./auth/mod.ts";
import { compressBody, encodeBody, isStreamed } from "./body-out.ts";
import { excludeHeaders } from "./headers.ts";
import type { InFlightRequest } from "./in-flight.ts";
import type { ConnectionOptions, SendOptions } from "./options.ts";
import type { ResolvedRequest } from "./outgoing.ts";
import type { HttpContext } from "./send.ts";
import { createFetch } from "./transport.ts";

/** The credentials of a request, ready to be used. */
export interface ResolvedCredentials {
  readonly authorizer: Authorizer;
  /** Whether they replace the `Authorization` header of the request. */
  readonly isWritten: boolean;
}

/**
 * Finds the credentials of a request and waits until they are ready. Those of the send come first, then
 * the `Authorization` header, then those of the client.
 *
 * @param timeout Milliseconds for each request of a login; 0 for no limit.
 * @throws {NoResponseError} The request was aborted meanwhile.
 * @throws {CredentialError} There is no token.
 */
export async function resolveCredentials(
  { headers, credentials: given }: Pick<ResolvedRequest, "headers" | "credentials">,
  flight: InFlightRequest,
  { auth, connection, signal }: SendOptions,
  timeout: number,
  context: HttpContext,
): Promise<ResolvedCredentials | undefined> {
  const header = findHeader(headers, "authorization");
  const written =
    auth === undefined && header !== undefined
      ? (given ?? readAuthorization(header, context.lookup))
      : undefined;
  const clientAuth = header === undefined ? context.options.auth : undefined;
  const credentials = auth ?? written ?? clientAuth;
  if (!credentials) return undefined;
  const authorizer = await findAuthorizer(credentials, context, timeout, connection);
  // Not under the deadline of the request: a person may have to log in.
  if (authorizer.ready) await context.inFlight.wait(flight, signal, authorizer.ready);
  return { authorizer, isWritten: written !== undefined };
}

/** Finds the authorizer of credentials, or creates it. */
function findAuthorizer(
  credentials: Credentials,
  context: HttpContext,
  timeout: number,
  connection?: ConnectionOptions,
): Promise<Authorizer> {
  const { authorizers, secrets, tokens, options } = context;
  for (const text of secretTexts(credentials)) secrets.hide(text);
  const key = JSON.stringify([credentials, connection, timeout]);
  const known = authorizers.get(key);
  if (known !== undefined) return known;
  const created = createAuthorizer(credentials, {
    fetch: observeLogins(createFetch(context.selectTransport, connection), context),
    now: () => (options.now?.() ?? new Date()).getTime(),
    tokens,
    hide: (text) => secrets.hide(text),
    timeout,
    login: options.login,
    listenForRedirect: options.listenForRedirect,
  });
  authorizers.set(key, created);
  created.catch(() => authorizers.delete(key));
  return created;
}

/** Removes an `Authorization` header that the credentials replace, and compresses the body if asked to. */
export async function applyRequestOptions(
  request: ResolvedRequest,
  credentials: ResolvedCredentials | undefined,
  { compress }: SendOptions,
): Promise<ResolvedRequest> {
  const { body } = request;
  const headers = credentials?.isWritten
    ? excludeHeaders(request.headers, [["Authorization", ""]])
    : request.headers;
  if (compress === undefined || body === undefined) return { ...request, headers };
  const encoding = ["Content-Encoding", compress] as const;
  return {
    ...request,
    headers: [...excludeHeaders(headers, [encoding]), encoding],
    added: [...request.added, "Content-Encoding"],
    body: await compressBody(typeof body === "string" ? encodeBody(body, request) : body, compress),
    uncompressed: isStreamed(body) ? undefined : body,
  };
}

/** The tokens that placeholders of request texts took from logins. */
export interface LoginTokens {
  readonly given: ReadonlyMap<string, unknown>;
  /** Returns a new token for one that was rejected, if that may help. */
  refreshRejected(token: string, status: number, signal: AbortSignal): Promise<string | undefined>;
}

/** Gets a token of a login; `pending` shows it and `abort` ends it. */
export async function getLoginToken(
  credentials: Credentials,
  context: HttpContext,
  signal: AbortSignal | undefined,
): Promise<Token | undefined> {
  const authorizer = await findAuthorizer(credentials, context, context.settings.timeout);
  const url = credentials.type === "oauth2" ? (credentials.tokenEndpoint ?? "") : "";
  const flight = { method: "LOGIN", url, startedAt: new Date() };
  return await context.inFlight.wait(
    flight,
    signal,
    async (waiting) => await authorizer.token?.(waiting),
  );
}

/** Gets a new token for one that was rejected, if that may help. */
export async function renewLoginToken(
  credentials: Credentials,
  context: HttpContext,
  sent: string,
  status: number,
  signal: AbortSignal,
): Promise<Token | undefined> {
  const authorizer = await findAuthorizer(credentials, context, context.settings.timeout);
  return await authorizer.refreshRejected?.(sent, status, signal);
}

/** Wraps the fetch of logins, so that a recording has their requests as well. */
function observeLogins(
  fetch: typeof globalThis.fetch,
  { show, addLogin, secrets }: HttpContext,
): typeof globalThis.fetch {
  return async (input, init) => {
    const startedAt = new Date();
    const start = performance.now();
    const sent = toLoginRequest(input, init);
    const response = await fetch(input, init);
    const wait = performance.now() - start;
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    const { method, url, headers, body } = sent;
    const connection = arrivedDetailsOf(response);
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
    learnRequest(sent, secrets, "server");
    learnAnswer(exchange, secrets);
    addLogin(exchange);
    return response;
  };
}

function toLoginRequest(input: Parameters<typeof fetch>[0], init: RequestInit = {}): SentRequest {
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
