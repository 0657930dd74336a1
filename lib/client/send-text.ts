import { AssertionError, addAssertions, type Exchange, learnRequest } from "../exchange/mod.ts";
import {
  CHAIN,
  type ChainedOptions,
  fillHeaders,
  OWN_OBSERVER,
  type RenderTextOptions,
  type RequestSpec,
  resolveBody,
  resolveSpec,
  type SendOptions,
  withDefaults,
} from "../http/mod.ts";
import { type Placeholder, type Scope, snapshotValue, type Value } from "../interpolation/mod.ts";
import { parseWrittenJson } from "../json/mod.ts";
import {
  entriesOf,
  findHeader,
  LineValues,
  lateLine,
  namedRequests,
  nameFile,
  type ParsedText,
  parseText,
  passesOf,
  placeholdersOf,
  type RenderedRequest,
  type RenderRequestOptions,
  type RequestDraft,
  readText,
  renderRequest,
  resolveAssignment,
  resolvePath,
  skipScripts,
  withGiven,
} from "../request/mod.ts";
import { type EntryActions, PromptError, runEntries } from "../variables/mod.ts";
import { runMessages } from "../websocket/mod.ts";
import { withAnnotations } from "./annotation-options.ts";
import type { ClientOptions } from "./client.ts";
import type { ClientContext } from "./client-session.ts";
import { saveBody } from "./download.ts";
import { runFileScript } from "./file-scripts.ts";
import { type ChangedRequest, createChecks, withChanges } from "./request-checks.ts";

/** Sends all requests of a text in order, and sets its variables. */
export async function sendText(
  text: string | ParsedText,
  sendOptions: SendOptions,
  context: ClientContext,
): Promise<Exchange[]> {
  const { requests, imports, prompter, scopes } = context.session;
  const { runScript } = sendOptions;
  const areRun = runScript !== undefined;
  const { failure, ...parsed } = parsedText(text, sendOptions);
  requests.noteScripts(parsed, areRun);
  if (failure !== undefined) throw failure;
  await imports.load(parsed);
  const expanded = imports.expand(parsed);
  const entries = areRun
    ? expanded.entries
    : expanded.entries.filter(({ kind }) => kind !== "script").map(skipScripts);
  const named = [...expanded.imported, ...namedRequests(entriesOf(parsed))];
  requests.add(
    areRun ? named : named.map(({ draft, before }) => ({ draft: skipScripts(draft), before })),
  );
  const unanswered = prompter.unanswered(entries);
  if (unanswered.length > 0) throw new PromptError(unanswered);
  const needed = [...entries.flatMap(placeholdersOf), ...placeholdersIn(context.defaultHeaders())];
  await scopes.prepareSending(needed, sendOptions.signal);
  const last = entries.findLast((entry) => entry.kind === "request");
  return await runEntries(entries, createActions(context, last), sendOptions);
}

function parsedText(text: string | ParsedText, { firstLine }: SendOptions): ParsedText {
  if (typeof text === "string") return readText(text, firstLine);
  if (typeof text === "object" && text !== null && "statements" in text) return text;
  throw new TypeError(`Cannot send ${typeof text}: a request text or a spec is needed`);
}

/** The placeholders of default headers. */
function placeholdersIn(headers: ReturnType<ClientContext["defaultHeaders"]>): Placeholder[] {
  const parts = headers.flatMap(([, value]) => (typeof value === "string" ? [] : value.parts));
  return parts.filter((part) => typeof part !== "string");
}

/** Sends a request that is given as data. */
export async function sendSpec(
  spec: RequestSpec,
  sendOptions: SendOptions,
  { session: { scopes }, options, defaultHeaders, send }: ClientContext,
): Promise<Exchange> {
  const { body, ...resolved } = await resolveSpec(spec, options);
  const defaults = defaultHeaders();
  await scopes.prepareSending(placeholdersIn(defaults), sendOptions.signal);
  const plain = { ...resolved, body: undefined };
  const request = withDefaults(plain, defaults, scopes.sending(), sendOptions);
  // A further page has the headers of the first one, which may be a text.
  const isPage = (sendOptions as ChainedOptions)[CHAIN]?.home !== undefined;
  const given = isPage ? sendOptions : withoutLogin(request, sendOptions);
  const { auth = given.auth, compress = given.compress } = spec;
  return await send(request, () => ({ ...request, body }), {
    ...given,
    ...(auth === undefined ? {} : { auth }),
    ...(compress === undefined ? {} : { compress }),
  });
}

/** What concerns the request of a call, and not those that it refers to. */
const NOT_OF_CALL = { [OWN_OBSERVER]: undefined, [CHAIN]: undefined };

/** @param last The last request of the text, which is the page of a listing. */
function createActions(
  context: ClientContext,
  last: RequestDraft | undefined,
): EntryActions<SendOptions> {
  const { prompter, requests, responses, scopes, variables } = context.session;
  return {
    requests,
    responses,
    prepare: (entries, { signal }) =>
      scopes.prepareSending(entries.flatMap(placeholdersOf), signal),
    isSet: ({ name, file }) =>
      file === undefined ? variables.lookUp(name) !== undefined : variables.isOwn(name),
    passes: (draft) => passesOf(draft, scopes.sending()),
    async assign(entry, { missing = "error" }) {
      const resolveOptions = { missing, parseJson: parseWrittenJson };
      const line = lateLine(entry, scopes.sending(await prompter.ask(entry)), (scope) =>
        resolveAssignment(entry, scope, resolveOptions),
      );
      variables.setLine(entry.name, line, entry.file);
    },
    runScript: (script, sendOptions) =>
      runFileScript(script, sendOptions, context.session.fileScripts),
    send: (draft, sendOptions) => {
      const isLast = draft.span === last?.span;
      const own = isLast ? sendOptions : { ...sendOptions, ...{ [CHAIN]: undefined } };
      return sendDraft(draft, own, context);
    },
    // The caller streams or saves the response of its own request only.
    sendReference: (draft, sendOptions) =>
      sendDraft(draft, { ...sendOptions, ...NOT_OF_CALL }, context),
  };
}

async function sendDraft(
  given: RequestDraft,
  sendOptions: SendOptions,
  context: ClientContext,
): Promise<Exchange | undefined> {
  const draft = sendOptions.runScript === undefined ? skipScripts(given) : given;
  const { scopes, prompter, fileScripts } = context.session;
  const values = new Map(await prompter.ask(draft));
  const scope = (): Scope => withGiven(draft, scopes.sending(values));
  const checks = createChecks(draft, {
    sendOptions,
    options: relativeTo(draft.file, context.options),
    scope,
    setVar: (name, value) => values.set(name, snapshotValue(value as Value, name)),
    each: fileScripts.of(draft.file ?? sendOptions.file),
  });
  if (checks === undefined) return await sendPlain(draft, scope(), sendOptions, context);
  const changed = await checks.before();
  if (changed === undefined) return undefined;
  const { onExchange, ...options } = sendOptions;
  const exchange = await sendPlain(draft, scope(), options, context, changed);
  const { results, faults, source } = await checks.after(exchange);
  addAssertions(exchange, results);
  onExchange?.(exchange);
  if (faults.length > 0) throw new AssertionError(exchange, source, faults);
  return exchange;
}

/** Sends a request without its scripts and assertions. */
async function sendPlain(
  draft: RequestDraft,
  scope: Scope,
  sendOptions: SendOptions,
  context: ClientContext,
  changed?: ChangedRequest,
): Promise<Exchange> {
  const { session } = context;
  const defaults = context.defaultHeaders();
  const options = relativeTo(draft.file, context.options);
  const written = renderDraft(draft, scope, sendOptions, defaults);
  const rendered = changed === undefined ? written : withChanges(written, changed);
  await session.prompter.confirm(draft, rendered);
  const chain = (sendOptions as ChainedOptions)[CHAIN];
  const url = chain?.toFirst?.(rendered.url) ?? rendered.url;
  const request = withDefaults({ ...rendered, url }, defaults, scope, sendOptions);
  const isLogin = LOGIN.test(writtenAuthorization(draft, defaults, changed));
  const given = isLogin ? sendOptions : withoutLogin(request, sendOptions);
  const annotated = withAnnotations(draft.annotations, given);
  const { messages, saveTo, body } = request;
  if (messages !== undefined) {
    const plain = { ...request, body: typeof body === "string" ? body : undefined };
    return await runMessages(plain, messages, annotated, { ...session, options });
  }
  const inFolder = { ...context, options };
  if (saveTo === undefined) return await sendRendered(request, scope, annotated, inFolder);
  return await saveBody(options.openFileForWriting, saveTo, annotated, (observed) =>
    sendRendered(request, scope, observed, inFolder),
  );
}

/** A value that gets a token with the variables that it names. It may be of a response, so the scheme has to be written. */
const LOGIN = /^\s*(?:oauth2|openid)\b/i;

/** The options of a request whose Authorization header is sent as it is, even if it is such a value. */
function withoutLogin({ headers }: RenderedRequest, options: SendOptions): SendOptions {
  if (!LOGIN.test(findHeader(headers, "authorization") ?? "")) return options;
  return { ...options, auth: options.auth ?? false };
}

/** What is written of the value of Authorization, up to its first placeholder. */
function writtenAuthorization(
  { headers }: RequestDraft,
  defaults: ReturnType<ClientContext["defaultHeaders"]>,
  changed: ChangedRequest | undefined,
): string {
  const isAuthorization = (name: string): boolean => name.toLowerCase() === "authorization";
  // A header without a name is the value of a placeholder.
  if (changed?.headers.has("authorization") || headers.some(({ name }) => name === "")) return "";
  const value =
    headers.find(({ name }) => isAuthorization(name))?.value ??
    defaults.find(([name]) => isAuthorization(name))?.[1];
  const first = typeof value === "object" ? value.parts[0] : undefined;
  return typeof first === "string" ? first : "";
}

/** The options of a client for the files that a request of an imported file names. */
function relativeTo(file: string | undefined, options: ClientOptions): ClientOptions {
  if (file === undefined) return options;
  const { readFile, openFile, openFileForWriting } = options;
  return {
    ...options,
    ...(readFile && { readFile: (path) => readFile(resolvePath(path, file)) }),
    ...(openFile && { openFile: (path) => openFile(resolvePath(path, file)) }),
    ...(openFileForWriting && {
      openFileForWriting: (path, how) => openFileForWriting(resolvePath(path, file), how),
    }),
  };
}

function sendRendered(
  request: RenderedRequest,
  scope: Scope,
  sendOptions: SendOptions,
  { options, send }: ClientContext,
): Promise<Exchange> {
  return send(request, () => resolveBody(request, scope, options, sendOptions), sendOptions);
}

/** Renders all requests of a text. No variable is set: assignments apply to the text only. */
export function renderText(
  text: string,
  options: RenderTextOptions,
  { session: { scopes, secrets, imports }, defaultHeaders }: ClientContext,
): RenderedRequest[] {
  const lines = new LineValues();
  const { entries } = imports.expand(parseText(text));
  const preview = scopes.preview(lines, entries);
  const rendered: RenderedRequest[] = [];
  for (const entry of entries) {
    if (entry.kind === "assignment") {
      const resolveOptions = { ...options, parseJson: parseWrittenJson };
      lines.set(entry, preview, (scope) => resolveAssignment(entry, scope, resolveOptions));
    } else if (entry.kind === "request") {
      for (const pass of passesOf(entry, preview)) {
        const scope = withGiven(pass, preview);
        const defaults = defaultHeaders();
        const written = renderDraft(pass, scope, options, defaults);
        const request = withDefaults(written, defaults, scope, options);
        learnRequest(request, secrets);
        rendered.push(request);
      }
    }
  }
  return rendered;
}

/**
 * Renders a request with its values, as its type and that of the default headers say; an error about an imported file
 * names the file.
 */
function renderDraft(
  draft: RequestDraft,
  scope: Scope,
  options: RenderRequestOptions,
  defaults: ReturnType<ClientContext["defaultHeaders"]>,
): RenderedRequest {
  const types = defaults.filter(([name]) => name.toLowerCase() === "content-type");
  const contentType = findHeader(fillHeaders(types, scope, "keep"), "content-type");
  try {
    return renderRequest(draft, scope, { ...options, contentType });
  } catch (error) {
    throw nameFile(error, draft);
  }
}
