import {
  denoInspect,
  jupyterDisplay,
  nodeInspect,
  revealExchange,
  type Show,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import { createSender, extendKyDefaults, headerReader, version } from "../http/mod.ts";
import { markRevealed, reveal, type Secrets } from "../secrets/mod.ts";
import { createScopedMembers } from "../variables/mod.ts";
import { createSocketSession } from "../websocket/mod.ts";
import type { Client, ClientOptions, ExtendOptions } from "./client.ts";
import {
  type ClientContext,
  type ClientSession,
  type ClientViews,
  createClientSession,
  extendOptions,
} from "./client-session.ts";
import { evaluateAssertions } from "./request-checks.ts";
import { renderText, sendSpec, sendText } from "./send-text.ts";
import { createTransfers, type TransferClient } from "./transfers.ts";

/**
 * Creates a client.
 *
 * @param options The options of the client.
 * @param showWith Displays an exchange, or the variables.
 * @param viewsWith Creates the members that display values.
 * @throws {TypeError} An option is invalid.
 */
export function createClientWith(
  options: ClientOptions,
  showWith: (value: object, secrets: Secrets) => ReturnType<Show>,
  viewsWith: (secrets: Secrets) => ClientViews,
): Client {
  const session = createClientSession(options, showWith);
  return createClientOn(session, options, viewsWith(session.secrets));
}

/** Creates a client on a session, which it shares with the clients that it extends. */
function createClientOn(
  session: ClientSession,
  options: ClientOptions,
  shown: ClientViews,
): Client {
  const { secrets, variables, history, inFlight } = session;
  const { views } = shown;
  const { send, limiter } = createSender(options, session, session.limiter);
  const defaultHeaders = headerReader(options.headers);
  const context: ClientContext = { session, options, defaultHeaders, send };
  const members = createScopedMembers(session, secrets);
  const describe = (): string => describeSession(session);
  const extend = (defaults: ExtendOptions): Client => {
    const ky = extendKyDefaults(session.ky, defaults.ky);
    // Authorizers log in by the transport and the functions of the client that created them.
    const own = { ...session, limiter, ky, authorizers: new Map() };
    return createClientOn(own, extendOptions(options, defaults), shown);
  };
  const client: Client = {
    ...members,
    ...createClientTransfers(() => client, context, shown.showRows),
    ...views,
    // A spread evaluates getters once.
    get responses() {
      return members.responses;
    },
    get environment() {
      return members.environment;
    },
    version,
    vars: variables.view,
    secrets,
    reveal: (value) => reveal(value === undefined ? client.last : value),
    get last() {
      if (history.last) return history.last;
      throw new Error("Cannot read the last exchange: no request has been answered yet");
    },
    get history() {
      return shown.showHistory(history.all);
    },
    get pending() {
      return inFlight.pending;
    },
    setVar: (name, value, setOptions) => variables.set(name, value, setOptions),
    getVar: (name) => variables.get(name),
    hasVar: (name) => variables.get(name) !== undefined,
    deleteVar: (name) => variables.delete(name),
    clearVars: () => variables.clear(),
    clearHistory: () => clearHistory(session),
    render: (text, renderOptions) => lastOf(client.renderAll(text, renderOptions), "render"),
    renderAll: (text, renderOptions = {}) => renderText(text, renderOptions, context),
    async send(request, sendOptions = {}) {
      inFlight.check();
      if (typeof request !== "object" || request === null) {
        return lastOf(await client.sendAll(request, sendOptions), "send");
      }
      const exchange = await sendSpec(request, sendOptions, context);
      return sendOptions.reveal === true ? revealExchange(exchange) : exchange;
    },
    async sendAll(text, sendOptions = {}) {
      inFlight.check();
      const exchanges = await sendText(text, sendOptions, context);
      if (sendOptions.reveal !== true) return exchanges;
      return markRevealed(exchanges.map(revealExchange), exchanges);
    },
    evaluateAssertions: (text, assertOptions = {}) =>
      evaluateAssertions(text, assertOptions, context),
    cookies: session.cookies,
    clearTokens: () => session.tokens.clear(),
    extend,
    record: (path) => session.recorders.start(path),
    abort: (reason) => inFlight.abort(reason),
    toString: describe,
    [jupyterDisplay]: () => ({ "text/plain": describe() }),
    ...{ [nodeInspect]: describe, [denoInspect]: describe },
  };
  return Object.freeze(client);
}

/** The members for streams and many requests, which send by the client that they belong to. */
function createClientTransfers(
  client: () => Client,
  { session, options }: ClientContext,
  showRows: ClientViews["showRows"],
): TransferClient {
  return createTransfers({
    options,
    showRows,
    mask: (text) => session.secrets.mask(text),
    check: session.inFlight.check,
    send: (request, sendOptions) => client().send(request, sendOptions),
    openSocket: (request, socketOptions) =>
      createSocketSession(request, socketOptions, { ...session, options, showRows }),
    render: (text) => client().render(text),
  });
}

function clearHistory({ history, responses, requests, fileScripts }: ClientSession): void {
  history.clear();
  responses.clear();
  requests.clear();
  fileScripts.clear();
}

function describeSession({ variables, history, inFlight }: ClientSession): string {
  const { size } = variables.values;
  const { length } = history.all;
  return (
    `restlab ${version}: ${size} variable${size === 1 ? "" : "s"}, ` +
    `${length} exchange${length === 1 ? "" : "s"} kept, ${inFlight.pending.length} in flight`
  );
}

function lastOf<T>(list: readonly T[], action: string): T {
  const last = list.at(-1);
  if (last !== undefined) return last;
  throw new UnsendableRequestError(`Cannot ${action} the text: it contains no request`);
}
