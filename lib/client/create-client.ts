import type { Views } from "../exchange/mod.ts";
import {
  denoInspect,
  type Exchange,
  jupyterDisplay,
  learnRequest,
  nodeInspect,
  parseWrittenJson,
  revealExchange,
  type Show,
  UnsendableRequestError,
} from "../exchange/mod.ts";
import type { RequestSpec, SendOptions } from "../http/mod.ts";
import {
  createSender,
  extendKyDefaults,
  resolveBody,
  resolveSpec,
  toHeaderList,
  withDefaults,
} from "../http/mod.ts";
import type { Scope } from "../interpolation/mod.ts";
import {
  type AssignmentDraft,
  LineValues,
  lateLine,
  parseEntries,
  type RenderedRequest,
  type RequestDraft,
  renderRequest,
  resolveAssignment,
} from "../request/mod.ts";
import { markRevealed, reveal, type Secrets } from "../secrets/mod.ts";
import {
  createScopedMembers,
  type EntryActions,
  PromptError,
  runEntries,
} from "../variables/mod.ts";
import { createSocketSession, runMessages } from "../websocket/mod.ts";
import { withAnnotations } from "./annotation-options.ts";
import type { Client } from "./client.ts";
import type { ClientOptions } from "./client-options.ts";
import { type ClientSession, createClientSession, extendOptions } from "./client-session.ts";
import { saveBody } from "./stream/mod.ts";
import { createTransfers } from "./transfers.ts";
import { version } from "./version.ts";

/** Creates a client whose exchanges are shown by the function that is handed in. */
export function createClientWith(
  options: ClientOptions,
  showWith: (value: object, secrets: Secrets) => ReturnType<Show>,
  viewsWith: (secrets: Secrets) => Views,
): Client {
  const session = createClientSession(options, showWith);
  return createClientOn(session, options, viewsWith(session.secrets));
}

/** Creates a client on what it shares with those that it extends. */
function createClientOn(session: ClientSession, options: ClientOptions, views: Views): Client {
  const { secrets, variables, history, responses, requests, scopes, inFlight } = session;
  const { parts, prompter } = session;
  const defaultHeaders = toHeaderList(options.headers);

  const { send: run, limiter } = createSender(options, session, session.limiter);

  async function sendDraft(draft: RequestDraft, sendOptions: SendOptions): Promise<Exchange> {
    const scope = scopes.sending(await prompter.ask(draft));
    const rendered = renderRequest(draft, scope, sendOptions);
    await prompter.confirm(draft, rendered);
    const annotated = withAnnotations(draft.annotations, sendOptions);
    const request = withDefaults(rendered, defaultHeaders);
    const { messages, saveTo, body } = request;
    if (messages !== undefined) {
      const plain = { ...request, body: typeof body === "string" ? body : undefined };
      return await runMessages(plain, messages, annotated, { ...session, options });
    }
    if (saveTo === undefined) return await sendRendered(request, scope, annotated);
    return await saveBody(options.openFileForWriting, saveTo, annotated, (watched) =>
      sendRendered(request, scope, watched),
    );
  }

  function assign(entry: AssignmentDraft, { missing = "error" }: SendOptions): void {
    const resolveOptions = { missing, parseJson: parseWrittenJson };
    const line = lateLine(entry, scopes.sending(), (scope) =>
      resolveAssignment(entry, scope, resolveOptions),
    );
    variables.setLine(entry.name, line);
  }

  function sendRendered(
    request: RenderedRequest,
    scope: Scope,
    sendOptions: SendOptions,
  ): Promise<Exchange> {
    return run(request, () => resolveBody(request, scope, options, sendOptions), sendOptions);
  }

  async function sendSpec(spec: RequestSpec, sendOptions: SendOptions): Promise<Exchange> {
    const { body, ...resolved } = await resolveSpec(spec, options);
    const request = withDefaults({ ...resolved, body: undefined }, defaultHeaders);
    const { auth = sendOptions.auth, compress = sendOptions.compress } = spec;
    return run(request, () => ({ ...request, body }), {
      ...sendOptions,
      ...(auth === undefined ? {} : { auth }),
      ...(compress === undefined ? {} : { compress }),
    });
  }

  function describe(): string {
    const { size } = variables.values;
    const { length } = history.all;
    return (
      `restlab ${version}: ${size} variable${size === 1 ? "" : "s"}, ` +
      `${length} exchange${length === 1 ? "" : "s"} kept, ${inFlight.pending.length} on the way`
    );
  }

  const actions: EntryActions<SendOptions> = {
    requests,
    responses,
    prepare: (others, { signal }) => scopes.prepareSending(others, signal),
    hasVariable: (name) => variables.lookUp(name) !== undefined,
    assign,
    send: sendDraft,
  };

  const members = createScopedMembers(scopes, prompter, parts, secrets);
  const showRows: Show = (rows) => views.table(rows, { rows: 200 })[jupyterDisplay]();
  const transfers = createTransfers({
    options,
    show: showRows,
    mask: (text) => secrets.mask(text),
    check: inFlight.check,
    send: (request, sendOptions) => client.send(request, sendOptions),
    openSocket: (request, socketOptions) =>
      createSocketSession(request, socketOptions, { ...session, options, show: showRows }),
    render: (text) => client.render(text),
  });
  const client: Client = {
    ...members,
    ...transfers,
    ...views,
    // A spread reads getters once.
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
      return history.all;
    },
    get pending() {
      return inFlight.pending;
    },
    setVar: (name, value, setOptions) => variables.set(name, value, setOptions),
    getVar: (name) => variables.get(name),
    hasVar: (name) => variables.lookUp(name) !== undefined,
    deleteVar: (name) => variables.delete(name),
    clearVars: () => variables.clear(),
    clearHistory() {
      history.clear();
      responses.clear();
      requests.clear();
    },
    render(text, renderOptions) {
      return lastOf(client.renderAll(text, renderOptions), "render");
    },
    renderAll(text, renderOptions = {}) {
      // A preview sets no variable, so its assignments go into a copy.
      const lines = new LineValues();
      const entries = parseEntries(text);
      const preview = scopes.preview(lines, entries);
      const rendered: RenderedRequest[] = [];
      for (const entry of entries) {
        if (entry.kind === "assignment") {
          const resolveOptions = { ...renderOptions, parseJson: parseWrittenJson };
          lines.set(entry, preview, (scope) => resolveAssignment(entry, scope, resolveOptions));
        } else {
          const request = withDefaults(
            renderRequest(entry, preview, renderOptions),
            defaultHeaders,
          );
          learnRequest(request, secrets);
          rendered.push(request);
        }
      }
      return rendered;
    },
    async send(request, sendOptions = {}) {
      inFlight.check();
      if (typeof request === "object" && request !== null) {
        const exchange = await sendSpec(request, sendOptions);
        return sendOptions.reveal === true ? revealExchange(exchange) : exchange;
      }
      return lastOf(await client.sendAll(request, sendOptions), "send");
    },
    async sendAll(text, sendOptions = {}) {
      inFlight.check();
      if (typeof text !== "string") {
        throw new TypeError(`Cannot send ${typeof text}: a request text or a spec is needed`);
      }
      const entries = parseEntries(text);
      requests.add(entries);
      const unanswered = prompter.unanswered(entries);
      if (unanswered.length > 0) throw new PromptError(unanswered);
      await scopes.prepareSending(entries, sendOptions.signal);
      const exchanges = await runEntries(entries, actions, sendOptions);
      if (sendOptions.reveal !== true) return exchanges;
      return markRevealed(exchanges.map(revealExchange), exchanges);
    },
    cookies: session.cookies,
    clearTokens: () => session.tokens.clear(),
    extend: (defaults) =>
      createClientOn(
        { ...session, limiter, ky: extendKyDefaults(session.ky, defaults.ky) },
        extendOptions(options, defaults),
        views,
      ),
    abort: (reason) => inFlight.abort(reason),
    toString: describe,
    [jupyterDisplay]: () => ({ "text/plain": describe() }),
    ...{ [nodeInspect]: describe, [denoInspect]: describe },
  };
  return Object.freeze(client);
}

function lastOf<T>(list: readonly T[], action: string): T {
  const last = list.at(-1);
  if (last !== undefined) return last;
  throw new UnsendableRequestError(`Cannot ${action} the text: it holds no request`);
}
