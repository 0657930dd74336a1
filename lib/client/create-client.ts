import type { Value } from "../interpolation/mod.ts";
import {
  parseEntries,
  type RenderedRequest,
  renderRequest,
  resolveAssignment,
} from "../request/mod.ts";
import { type Track, watchArrival } from "./arrival/hooks.ts";
import type { Client, ClientOptions, PendingRequest, RequestSpec, SendOptions } from "./client.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { UnsendableRequestError } from "./errors.ts";
import { type Exchange, jupyterDisplay } from "./exchange.ts";
import { createHistory } from "./history.ts";
import { parseJson } from "./json.ts";
import { prepareRequest, type ResolvedRequest } from "./prepare.ts";
import { resolveBody, resolveSpec, toHeaderList, withDefaults } from "./resolve.ts";
import { sendRequest } from "./send.ts";
import { amount, clientSettings, requestSettings } from "./settings.ts";
import { denoInspect, nodeInspect, type Show } from "./show.ts";
import { createVariableStore } from "./variables.ts";
import { version } from "./version.ts";

const parseValue = (text: string): Value => parseJson(text) as Value;

/** Creates a client whose exchanges are shown by the function that is handed in. */
export function createClientWith(options: ClientOptions, show: Show): Client {
  const settings = clientSettings(options);
  const defaultHeaders = toHeaderList(options.headers);
  const variables = createVariableStore(show);
  const history = createHistory({
    count: amount("historyCount", options.historyCount ?? 100),
    bytes: amount("historyBytes", options.historyBytes ?? 64 * 1024 * 1024),
  });
  const parse = rememberLast(parseEntries);
  const inFlight = new Map<Deadline, PendingRequest & Track>();

  /** The bracket around one request: known to `pending` and `abort` from before its first byte. */
  async function run(
    request: RenderedRequest | RequestSpec,
    resolve: () => ResolvedRequest | Promise<ResolvedRequest>,
    sendOptions: SendOptions,
  ): Promise<Exchange> {
    const chosen = requestSettings(sendOptions, settings);
    const deadline = startDeadline(chosen.timeout, sendOptions.signal);
    const { method = "GET", url } = request;
    const flight: PendingRequest & Track = { method, url, startedAt: new Date() };
    inFlight.set(deadline, flight);
    try {
      const exchange = await sendRequest(prepareRequest(await resolve()), {
        ...chosen,
        deadline,
        fetch: options.fetch ?? globalThis.fetch,
        show,
        secrets: variables.secrets(),
        arrival: watchArrival(sendOptions, flight),
      });
      history.add(exchange);
      sendOptions.onExchange?.(exchange);
      return exchange;
    } finally {
      inFlight.delete(deadline);
      deadline.release();
    }
  }

  function sendRendered(request: RenderedRequest, sendOptions: SendOptions): Promise<Exchange> {
    const { missing } = sendOptions;
    const access = {
      variables: variables.values,
      readFile: options.readFile,
      ...(missing ? { missing } : {}),
    };
    return run(request, () => resolveBody(request, access), sendOptions);
  }

  async function sendSpec(spec: RequestSpec, sendOptions: SendOptions): Promise<Exchange> {
    const { body, ...resolved } = resolveSpec(spec);
    const request = withDefaults({ ...resolved, body: undefined }, defaultHeaders);
    return run(request, () => ({ ...request, body }), sendOptions);
  }

  function describe(): string {
    const { size } = variables.values;
    const { length } = history.all;
    return (
      `restlab ${version}: ${size} variable${size === 1 ? "" : "s"}, ` +
      `${length} exchange${length === 1 ? "" : "s"} kept, ${inFlight.size} on the way`
    );
  }

  const client: Client = {
    version,
    vars: variables.view,
    get secrets() {
      return variables.secrets();
    },
    get last() {
      if (history.last) return history.last;
      throw new Error("Cannot read the last exchange: no request has been answered yet");
    },
    get history() {
      return history.all;
    },
    get pending() {
      return [...inFlight.values()];
    },
    setVar: (name, value, setOptions) => variables.set(name, value, setOptions),
    getVar: (name) => variables.get(name),
    hasVar: (name) => variables.values.has(name),
    deleteVar: (name) => variables.delete(name),
    clearVars: () => variables.clear(),
    clearHistory: () => history.clear(),
    render(text, renderOptions) {
      return lastOf(client.renderAll(text, renderOptions), "render");
    },
    renderAll(text, renderOptions = {}) {
      // A preview sets no variable, so its assignments go into a copy.
      const preview = new Map(variables.values);
      const rendered: RenderedRequest[] = [];
      for (const entry of parse(text)) {
        if (entry.kind === "assignment") {
          const value = resolveAssignment(entry, preview, {
            ...renderOptions,
            parseJson: parseValue,
          });
          preview.set(entry.name, value);
        } else {
          rendered.push(withDefaults(renderRequest(entry, preview, renderOptions), defaultHeaders));
        }
      }
      return rendered;
    },
    async send(request, sendOptions = {}) {
      if (typeof request === "object" && request !== null) return sendSpec(request, sendOptions);
      return lastOf(await client.sendAll(request, sendOptions), "send");
    },
    async sendAll(text, sendOptions = {}) {
      if (typeof text !== "string") {
        throw new TypeError(`Cannot send ${typeof text}: a request text or a spec is needed`);
      }
      const { missing } = sendOptions;
      const renderOptions = missing ? { missing } : {};
      const exchanges: Exchange[] = [];
      for (const entry of parse(text)) {
        if (entry.kind === "assignment") {
          const value = resolveAssignment(entry, variables.values, {
            ...renderOptions,
            parseJson: parseValue,
          });
          variables.set(entry.name, value);
        } else {
          const rendered = renderRequest(entry, variables.values, renderOptions);
          exchanges.push(await sendRendered(withDefaults(rendered, defaultHeaders), sendOptions));
        }
      }
      return exchanges;
    },
    abort(reason) {
      const count = inFlight.size;
      for (const deadline of inFlight.keys()) deadline.abort(reason);
      return count;
    },
    toString: describe,
    [jupyterDisplay]: () => ({ "text/plain": describe() }),
    ...{ [nodeInspect]: describe, [denoInspect]: describe },
  };
  return Object.freeze(client);
}

/** A text that is sent again and again is parsed once: entries hold no values. */
function rememberLast<T>(parse: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly result: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: parse(text) };
    return last.result;
  };
}

function lastOf<T>(list: readonly T[], action: string): T {
  const last = list.at(-1);
  if (last !== undefined) return last;
  throw new UnsendableRequestError(`Cannot ${action} the text: it holds no request`);
}
