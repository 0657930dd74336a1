import type { Show } from "../exchange/mod.ts";
import { createHistory, type History } from "../exchange/mod.ts";
import type { Limiter, SenderParts } from "../http/mod.ts";
import {
  type CookieJar,
  createCookieJar,
  createInFlight,
  createKyDefaults,
  createTokenSource,
  createTokenStore,
  nonNegative,
  toHeaderList,
} from "../http/mod.ts";
import { createSecretStore, type Secrets } from "../secrets/mod.ts";
import {
  createNamedRequests,
  createPrompter,
  createResponseStore,
  createScopes,
  createVariableStore,
  type Prompter,
  type ScopeParts,
  type Scopes,
} from "../variables/mod.ts";
import type { ClientOptions, ExtendOptions } from "./client-options.ts";
import { createLogins } from "./logins.ts";
import { showCookies } from "./show-cookies.ts";

/** What a client shares with those that it extends: all but its defaults. */
export interface ClientSession extends SenderParts, Omit<ScopeParts, "options" | "logins"> {
  readonly logins: ReturnType<typeof createLogins>;
  readonly history: History;
  readonly parts: ScopeParts;
  readonly scopes: Scopes;
  readonly prompter: Prompter;
  readonly cookies: CookieJar;
  /** The limits of the client that was extended hold for those that set none of their own. */
  readonly limiter: Limiter | undefined;
}

/** Begins a session: no variables, no answers, no cookies. */
export function createClientSession(
  options: ClientOptions,
  showWith: (value: object, secrets: Secrets) => ReturnType<Show>,
): ClientSession {
  const secrets = createSecretStore(options.secretNames);
  const show: Show = (value) => showWith(value, secrets);
  const variables = createVariableStore(show, secrets);
  const history = createHistory({
    count: nonNegative("historyCount", options.historyCount ?? 100),
    bytes: nonNegative("historyBytes", options.historyBytes ?? 64 * 1024 * 1024),
  });
  const responses = createResponseStore();
  const requests = createNamedRequests();
  const inFlight = createInFlight(options.owner);
  const tokens = createTokenStore();
  const authorizers: SenderParts["authorizers"] = new Map();
  const source = createTokenSource(options, { inFlight, secrets, tokens, authorizers });
  const logins = createLogins(source);
  const parts = { options, variables, responses, requests, logins };
  const scopes = createScopes(parts);
  const cookies = showCookies(createCookieJar(), show);
  return {
    show,
    secrets,
    variables,
    history,
    responses,
    requests,
    parts,
    scopes,
    prompter: createPrompter(options, variables),
    logins,
    inFlight,
    cookies,
    ky: createKyDefaults(options.ky),
    tokens,
    authorizers,
    limiter: undefined,
    lookup: (name) => scopes.sending().get(name),
    add(exchange) {
      history.add(exchange);
      responses.add(exchange);
      const { name } = exchange.request;
      if (name !== undefined) variables.refresh(name);
    },
  };
}

/** The options of a client with other defaults; headers are added, one of the same name is replaced. */
export function extendOptions(options: ClientOptions, defaults: ExtendOptions): ClientOptions {
  const { concurrency: _concurrency, rate: _rate, ...base } = options;
  const added = toHeaderList(defaults.headers);
  const replaced = new Set(added.map(([name]) => name.toLowerCase()));
  const kept = toHeaderList(options.headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...base, ...defaults, headers: [...kept, ...added] };
}
