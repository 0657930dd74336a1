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
  createInFlight,
  createKyDefaults,
  type createSender,
  createTokenSource,
  excludeHeaders,
  headerReader,
  type Limiter,
  nonNegative,
  type SenderParts,
} from "../http/mod.ts";
import { nameOf } from "../request/mod.ts";
import { createSecretStore, HIDDEN, type Secrets } from "../secrets/mod.ts";
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
import type { ClientOptions, ExtendOptions } from "./client.ts";
import { createFileScripts, type FileScripts } from "./file-scripts.ts";
import { createLogins } from "./logins.ts";

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

/** What the members of a client work with: the session that it shares, and its own defaults. */
export interface ClientContext {
  readonly session: ClientSession;
  readonly options: ClientOptions;
  /** Reads the headers of requests that do not have them. */
  readonly defaultHeaders: ReturnType<typeof headerReader>;
  readonly send: ReturnType<typeof createSender>["send"];
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
