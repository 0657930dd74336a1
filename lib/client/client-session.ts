import { createHistory, type Exchange, type History, type Show } from "../exchange/mod.ts";
import {
  type CookieJar,
  createCookieJar,
  createInFlight,
  createKyDefaults,
  createTokenSource,
  createTokenStore,
  excludeHeaders,
  headerReader,
  type Limiter,
  nonNegative,
  type SenderParts,
} from "../http/mod.ts";
import { nameOf } from "../request/mod.ts";
import { createSecretStore, type Secrets } from "../secrets/mod.ts";
import {
  createCellVariables,
  createImports,
  createNamedRequests,
  createPrompter,
  createResponseStore,
  createScopes,
  createVariableStore,
  type Imports,
  type Prompter,
  type ScopeParts,
  type Scopes,
  SECURITY,
} from "../variables/mod.ts";
import type { ClientOptions, ExtendOptions } from "./client-options.ts";
import { createLogins } from "./logins.ts";
import { createRecorders, type Recorders } from "./recorders.ts";
import { createFileScripts, type FileScripts } from "./scripts/mod.ts";
import { showCookies } from "./show-cookies.ts";

/** What a client shares with the clients that extend it: everything but its defaults. */
export interface ClientSession extends SenderParts, Omit<ScopeParts, "options" | "logins"> {
  readonly logins: ReturnType<typeof createLogins>;
  readonly history: History;
  readonly parts: ScopeParts;
  readonly scopes: Scopes;
  readonly prompter: Prompter;
  readonly imports: Imports;
  readonly cookies: CookieJar;
  readonly recorders: Recorders;
  /** The scripts of files that run with each of their requests. */
  readonly fileScripts: FileScripts;
  /** The limits of the extended client, for clients that set none of their own. */
  readonly limiter: Limiter | undefined;
}

/** Creates an empty session. */
export function createClientSession(
  options: ClientOptions,
  showWith: (value: object, secrets: Secrets) => ReturnType<Show>,
): ClientSession {
  const secrets = createSecretStore(options.secretNames);
  const show: Show = (value) => showWith(value, secrets);
  const variables = createVariableStore(
    show,
    secrets,
    createCellVariables(options.cellVariables, secrets),
  );
  const history = createHistory({
    count: nonNegative("historyCount", options.historyCount ?? 100),
    bytes: nonNegative("historyBytes", options.historyBytes ?? 64 * 1024 * 1024),
  });
  const responses = createResponseStore();
  const requests = createNamedRequests();
  const inFlight = createInFlight(options);
  const tokens = createTokenStore();
  const authorizers: SenderParts["authorizers"] = new Map();
  const recorders = createRecorders(options.openGrowingFile);
  const observe = (exchange: Exchange): void => {
    recorders.add(exchange);
    options.onExchange?.(exchange);
  };
  const observer = { show, addLogin: observe };
  const source = createTokenSource(options, {
    inFlight,
    secrets,
    tokens,
    authorizers,
    ...observer,
  });
  // What was set is data; a file of an environment has placeholders.
  const logins = createLogins(source, () => variables.origin(SECURITY)?.kind === "environment");
  const parts = { options, variables, responses, requests, logins };
  const scopes = createScopes(parts);
  const imports = createImports({
    readFile: options.readFile,
    secrets,
    requests,
    isOwn: (name) => variables.isOwn(name),
  });
  const cookies = showCookies(createCookieJar(), show);
  return {
    ...observer,
    secrets,
    variables,
    history,
    responses,
    requests,
    parts,
    scopes,
    imports,
    prompter: createPrompter(options, variables),
    logins,
    inFlight,
    cookies,
    recorders,
    fileScripts: createFileScripts(),
    ky: createKyDefaults(options.ky),
    tokens,
    authorizers,
    limiter: undefined,
    lookup: (name) => scopes.sending().get(name),
    add(exchange) {
      history.add(exchange);
      responses.add(exchange);
      const name = nameOf(exchange.request);
      if (name !== undefined) variables.refresh(name);
      observe(exchange);
    },
  };
}

/** Merges the options of a client with other defaults; a header replaces one of the same name. */
export function extendOptions(options: ClientOptions, defaults: ExtendOptions): ClientOptions {
  const { concurrency: _concurrency, rate: _rate, ...base } = options;
  const before = headerReader(options.headers);
  const after = headerReader(defaults.headers);
  const headers: ClientOptions["headers"] = () => {
    const added = after();
    return [...excludeHeaders(before(), added), ...added];
  };
  return { ...base, ...defaults, headers };
}
