import {
  denoInspect,
  type Exchange,
  jupyterDisplay,
  nodeInspect,
  revealExchange,
  type Show,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import { type RequestInput, readInput, type SendOptions, version } from "../http/mod.ts";
import { markRevealed, reveal, type Secrets } from "../secrets/mod.ts";
import { createScopedMembers } from "../variables/mod.ts";
import { asCall } from "./calls.ts";
import type { Client, ClientOptions } from "./client.ts";
import {
  type ClientContext,
  type ClientSession,
  type ClientViews,
  createClientContext,
  createClientSession,
  extendOptions,
} from "./client-session.ts";
import { checkClientOptions, checkOptionsOf } from "./option-names.ts";
import { evaluateAssertions } from "./request-checks.ts";
import { renderText, sendSpec, sendText } from "./send-text.ts";
import { checkBody, type SchemaOption } from "./standard-schema.ts";
import { createTransfers } from "./transfers.ts";

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
  checkClientOptions(options);
  const session = createClientSession(options, showWith);
  return createClientOn(createClientContext(session, options, viewsWith(session.secrets)));
}

/** Creates a client on a context, whose session it shares with the clients that it extends. */
function createClientOn(context: ClientContext): Client {
  const { session } = context;
  const { secrets, variables, history, inFlight } = session;
  const members = createScopedMembers({ ...session, ...context }, secrets);
  const describe = (): string => describeSession(session);
  const client: Client = {
    ...members,
    ...createTransfers(() => client, context),
    ...context.views,
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
      return context.showHistory(history.all);
    },
    get pending() {
      return inFlight.pending;
    },
    setVar(name, value, setOptions) {
      checkOptionsOf("setVar", [name, value, setOptions]);
      variables.set(name, value, setOptions);
    },
    getVar: <T>(name: string) => variables.get(name) as T | undefined,
    hasVar: (name) => variables.view.has(name),
    deleteVar: (name) => variables.delete(name),
    clearVars: () => variables.clear(),
    clearHistory: () => clearHistory(session),
    render: (text, renderOptions) => lastOf(client.renderAll(text, renderOptions), "render"),
    renderAll: (text, renderOptions = {}) => renderText(text, renderOptions, context),
    async send<Body>(
      input: RequestInput,
      { schema, ...options }: SendOptions & SchemaOption<Body> = {},
    ) {
      inFlight.check();
      const reading = readInput(input, options);
      const [request, sendOptions] = reading instanceof Promise ? await reading : reading;
      const exchange =
        typeof request === "object" && request !== null
          ? await sendSpec(request, sendOptions, context)
          : lastOf(await sendText(request, sendOptions, context), "send");
      const checked = schema === undefined ? exchange : await checkBody(exchange, schema);
      return (sendOptions.reveal === true ? revealExchange(checked) : checked) as Exchange<Body>;
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
    extend(defaults) {
      const extended = extendOptions(context.options, defaults);
      return createClientOn(createClientContext(session, extended, context));
    },
    record: (path) => session.recorders.start(path),
    abort: (reason) => inFlight.abort(reason),
    toString: describe,
    [jupyterDisplay]: () => ({ "text/plain": describe() }),
    ...{ [nodeInspect]: describe, [denoInspect]: describe },
  };
  for (const name of CALLS) {
    const called = client[name] as (...args: unknown[]) => unknown;
    const checked = (...args: unknown[]): unknown => {
      try {
        checkOptionsOf(name, args);
      } catch (error) {
        if (SYNCHRONOUS.has(name)) throw error;
        return Promise.reject(error);
      }
      return called(...args);
    };
    Object.assign(client, { [name]: asCall(checked, secrets) });
  }
  return Object.freeze(client);
}

const SYNCHRONOUS: ReadonlySet<string> = new Set([
  "extend",
  "paginate",
  "render",
  "renderAll",
  "stream",
]);

/** The members that render or send what a person has written, and those with options. */
const CALLS = [
  "extend",
  "render",
  "renderAll",
  "send",
  "sendAll",
  "stream",
  "paginate",
  "all",
  "download",
  "websocket",
  "evaluateAssertions",
  "useEnv",
  "needs",
  "define",
  "prepare",
  "check",
] as const satisfies readonly (keyof Client)[];

function clearHistory(session: ClientSession): void {
  const { history, responses, requests, fileScripts } = session;
  history.clear();
  responses.clear();
  requests.clear();
  fileScripts.clear();
  session.latestText = undefined;
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
