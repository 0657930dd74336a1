import {
  createHistory,
  type DisplayData,
  denoInspect,
  type Exchange,
  type History,
  jupyterDisplay,
  nodeInspect,
  type Show,
  type ShowRows,
  UnsendableRequestError,
  type Views,
} from "../exchange/mod.ts";
import { createRecorder, type OpenGrowingFile, type Recorder } from "../har/mod.ts";
import { createTokenStore } from "../http/auth/mod.ts";
import {
  type CookieJar,
  createCookieJar,
  createHttpContext,
  createInFlight,
  excludeHeaders,
  type HttpContext,
  type HttpSession,
  headerReader,
  nonNegative,
  ReceivedBytes,
  type RequestSpec,
  type ResolvedRequest,
  type SendOptions,
  sendRequest,
} from "../http/mod.ts";
import { nameOf, type ParsedText } from "../request/mod.ts";
import { createSecretStore, HIDDEN, type Secrets } from "../secrets/mod.ts";
import {
  createCellVariables,
  createImports,
  createNamedRequests,
  createPrompter,
  createResponseStore,
  createScopes,
  type Imports,
  type Prompter,
  type ReferenceContext,
  type References,
  type ScopeParts,
  type Scopes,
  VariableStore,
  withoutSource,
} from "../variables/mod.ts";
import type { ClientOptions, ExtendOptions } from "./client.ts";
import { createFileScripts, type FileScripts } from "./file-scripts.ts";
import { createLogins } from "./logins.ts";

/** What a client shares with the clients that extend it: everything but its defaults. */
export interface ClientSession extends HttpSession, Omit<ScopeParts, "options" | "logins"> {
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
  /** The ETag, or the Last-Modified, of files of which only a part was saved, by their paths. */
  readonly partFiles: Map<string, string>;
  /** The text that was sent last: programs send one again and again. */
  latestText?: ParsedText;
}

/** Creates an empty session. */
export function createClientSession(
  options: ClientOptions,
  showWith: (value: object, secrets: Secrets) => ReturnType<Show>,
): ClientSession {
  const secrets = createSecretStore(options.secretNames);
  const show: Show = (value) => showWith(value, secrets);
  const owner = (): AbortSignal | undefined => options.owner?.();
  const received = (): readonly Exchange[] => history.all;
  const context: ReferenceContext = { secrets, owner, received };
  const opened = options.secretSource?.open(context) as References | undefined;
  const references = opened ?? withoutSource();
  const cells = createCellVariables(options.cellVariables, secrets, references);
  const variables = new VariableStore(show, secrets, cells, references);
  const history = createHistory({
    count: nonNegative("historyCount", options.historyCount ?? 100),
    bytes: nonNegative("historyBytes", options.historyBytes ?? 64 * 1024 * 1024),
  });
  const responses = createResponseStore();
  const requests = createNamedRequests();
  const recorders = createRecorders(options.openGrowingFile);
  const observe = (exchange: Exchange): void => {
    recorders.add(exchange);
    options.onExchange?.(exchange);
  };
  const logins = createLogins(() => http);
  const parts = { options, variables, responses, requests, logins };
  const scopes = createScopes(parts);
  const imports = createImports({
    readFile: options.readFile,
    secrets,
    requests,
    isOwn: (name) => variables.isOwn(name),
  });
  const session: ClientSession = {
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
    inFlight: createInFlight(options),
    cookies: showCookies(createCookieJar(), show),
    received: new ReceivedBytes(),
    recorders,
    fileScripts: createFileScripts(),
    partFiles: new Map(),
    tokens: createTokenStore(),
    show,
    lookup: (name) => scopes.sending().get(name),
    add(exchange) {
      history.add(exchange);
      responses.add(exchange);
      const name = nameOf(exchange.request);
      if (name !== undefined) variables.refresh(name);
      observe(exchange);
    },
    addLogin: observe,
  };
  // Logins are shared, and so are the options with which they log in.
  const http = createHttpContext(session, options);
  return session;
}

/**
 * Merges the options of a client with other defaults; a header replaces one of the same name. The options of ky are
 * those of the defaults alone, which are added to those of the client.
 */
export function extendOptions(options: ClientOptions, defaults: ExtendOptions): ClientOptions {
  const { concurrency: _concurrency, rate: _rate, ...base } = options;
  const before = headerReader(options.headers);
  const after = headerReader(defaults.headers);
  const headers: ClientOptions["headers"] = () => {
    const added = after();
    return [...excludeHeaders(before(), added), ...added];
  };
  // As in the options of a request, `undefined` is not given.
  const given = Object.fromEntries(
    Object.entries(defaults).filter(([, value]) => value !== undefined),
  );
  return { ...base, ...given, headers, ky: defaults.ky };
}

/** How a client displays values. */
export interface ClientViews {
  /** The members of the client that do. */
  readonly views: Views;
  /** Gives a value the display of a table. */
  readonly showRows: ShowRows;
  /** Gives a list of exchanges the display of a history. */
  readonly showHistory: (exchanges: readonly Exchange[]) => readonly Exchange[];
}

/** What the members of a client work with: the session that it shares, and its own defaults. */
export interface ClientContext extends ClientViews {
  readonly session: ClientSession;
  readonly options: ClientOptions;
  readonly http: HttpContext;
  /** Reads the headers of requests that do not have them. */
  readonly defaultHeaders: ReturnType<typeof headerReader>;
  /** The option `baseUrl`. */
  readonly baseUrl: string | undefined;
  /** Sends a request, whose body is read once it is its turn. */
  send(
    request: Pick<ResolvedRequest, "url" | "headers"> & Pick<RequestSpec, "method">,
    resolve: () => ResolvedRequest | Promise<ResolvedRequest>,
    sendOptions: SendOptions,
  ): Promise<Exchange>;
}

/**
 * Creates the context of a client.
 *
 * @param shown How it displays values; for a client that extends another one, the context of that one, whose limits
 * are its own if its options have none.
 */
export function createClientContext(
  session: ClientSession,
  options: ClientOptions,
  shown: ClientViews & Partial<ClientContext>,
): ClientContext {
  const http = createHttpContext(session, options, shown.http);
  return {
    ...shown,
    session,
    options,
    http,
    defaultHeaders: headerReader(options.headers, session.scopes.state),
    baseUrl: options.baseUrl === undefined ? undefined : String(options.baseUrl),
    send: (request, resolve, sendOptions) => sendRequest(request, resolve, sendOptions, http),
  };
}

/** The recorders of a client. */
interface Recorders {
  /** Adds an exchange to all of them. */
  add(exchange: Exchange): void;
  /**
   * Starts a recorder, or returns the one that is writing to the path: a cell may be run again.
   *
   * @throws {UnsendableRequestError} The client cannot write files.
   * @throws {Error} The file cannot be written.
   */
  start(path: string): Promise<Recorder>;
}

/** Creates an empty set of recorders. */
function createRecorders(open: OpenGrowingFile | undefined): Recorders {
  const running = new Map<string, Promise<Recorder>>();
  const active = new Set<Recorder>();

  async function startAt(path: string, openFile: OpenGrowingFile): Promise<Recorder> {
    const recorder = await createRecorder(openFile, path);
    active.add(recorder);
    return Object.freeze({
      path: recorder.path,
      get count() {
        return recorder.count;
      },
      add: recorder.add,
      stop() {
        // Its path may belong to another recorder by now.
        if (!active.delete(recorder)) return;
        running.delete(path);
        recorder.stop();
      },
    });
  }

  return {
    add: (exchange) => {
      for (const recorder of active) recorder.add(exchange);
    },
    async start(path) {
      if (open === undefined) {
        throw new UnsendableRequestError(
          `Cannot record to "${path}": this client cannot write files; pass openGrowingFile of ` +
            "restlab/platform to createClient",
        );
      }
      const known = running.get(path);
      if (known !== undefined) return await known;
      const started = startAt(path, open);
      running.set(path, started);
      started.catch(() => running.delete(path));
      return await started;
    },
  };
}

/** Makes a cookie jar display itself as a table without values, which are mostly secrets. */
function showCookies(jar: CookieJar, show: Show): CookieJar {
  const display = (): DisplayData => show(jar.all().map((it) => ({ ...it, value: HIDDEN })));
  const text = (): string => display()["text/plain"];
  const shown = { [jupyterDisplay]: display, [nodeInspect]: text, [denoInspect]: text };
  return Object.freeze(Object.assign(jar, shown));
}
