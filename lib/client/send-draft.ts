import { AssertionError, addAssertions, type Exchange } from "../exchange/mod.ts";
import {
  CHAIN,
  type ChainedOptions,
  fillHeaders,
  hasParts,
  type ResolvedRequest,
  resolveBody,
  resolveUrl,
  type SendOptions,
  withDefaults,
  withParts,
} from "../http/mod.ts";
import { keepValues, type Scope, snapshotValue, type Value } from "../interpolation/mod.ts";
import {
  findHeader,
  nameFile,
  type RenderedParts,
  type RenderedRequest,
  type RenderRequestOptions,
  type RequestDraft,
  renderRequest,
  resolvePath,
  skipScripts,
  withGiven,
} from "../request/mod.ts";
import { runMessages } from "../websocket/mod.ts";
import { withAnnotations } from "./annotation-options.ts";
import type { ClientOptions } from "./client.ts";
import type { ClientContext } from "./client-session.ts";
import { COOKIE_PATHS, sendWithCookieFiles } from "./cookie-files.ts";
import { saveBody } from "./download.ts";
import { type ChangedRequest, createChecks, withChanges } from "./request-checks.ts";

/**
 * Sends a request of a text, with its scripts and assertions.
 *
 * @param parts What has been rendered of it before.
 * @param asked The answers to its questions, if they have been asked, also whether to send it.
 * @returns `undefined` if one of its scripts has cancelled it.
 * @throws {AssertionError} An assertion or a test has failed.
 */
export async function sendDraft(
  given: RequestDraft,
  sendOptions: SendOptions,
  context: ClientContext,
  parts?: RenderedParts,
  asked?: Asked,
): Promise<Exchange | undefined> {
  const draft = sendOptions.runScript === undefined ? skipScripts(given) : given;
  const { scopes, prompter, fileScripts } = context.session;
  const asking = asked === undefined ? prompter.ask(draft) : undefined;
  const values = new Map(asked?.answers ?? (asking && (await asking)));
  const scope = (): Scope => withGiven(draft, scopes.sending(values));
  const each = fileScripts.of(draft.file ?? sendOptions.file);
  const checked = {
    sendOptions,
    options: relativeTo(draft.file, context.options),
    scope,
    setVar: (name: string, value: unknown) =>
      void values.set(name, snapshotValue(value as Value, name)),
    each,
  };
  const checks = createChecks(draft, checked);
  if (checks === undefined)
    return await sendPlain(draft, scope(), sendOptions, context, { parts, asked });
  const running = checks.before();
  const changed = running instanceof Promise ? await running : running;
  if (changed === undefined) return undefined;
  const { onExchange, [CHAIN]: chain, ...options }: SendOptions & ChainedOptions = sendOptions;
  // A script that runs with each request may have set what this one uses.
  const made = each.length === 0 ? { parts, changed, asked } : { changed, asked };
  const check = async (exchange: Exchange, by = createChecks(draft, checked)): Promise<void> => {
    const { results = [], faults = [], source = "" } = (await by?.after(exchange)) ?? {};
    addAssertions(exchange, results);
    await onExchange?.(exchange);
    if (faults.length > 0) throw new AssertionError(exchange, source, faults);
  };
  const own = {
    ...options,
    [CHAIN]: chain && { ...chain, check: (page: Exchange) => check(page) },
  };
  const exchange = await sendPlain(draft, scope(), own, context, made);
  await check(exchange, checks);
  return exchange;
}

/** What a person has answered before a request is sent. */
export interface Asked {
  readonly answers: ReadonlyMap<string, Value>;
  readonly isConfirmed: boolean;
}

/** What has been rendered of a request before, and what its scripts have changed. */
interface Made {
  readonly parts?: RenderedParts | undefined;
  readonly changed?: ChangedRequest;
  readonly asked?: Asked | undefined;
}

/** Sends a request without its scripts and assertions. */
async function sendPlain(
  draft: RequestDraft,
  scope: Scope,
  sendOptions: SendOptions,
  context: ClientContext,
  { parts, changed, asked }: Made,
): Promise<Exchange> {
  const { session } = context;
  const defaults = context.defaultHeaders();
  const options = relativeTo(draft.file, context.options);
  const { baseUrl } = context;
  const written = renderDraft(draft, scope, { ...sendOptions, parts, baseUrl }, defaults);
  const rendered = changed === undefined ? written : withChanges(written, changed);
  const confirming =
    asked?.isConfirmed === true ? undefined : session.prompter.confirm(draft, rendered);
  if (confirming !== undefined) await confirming;
  const chain = (sendOptions as ChainedOptions)[CHAIN];
  const whole =
    rendered.urlWithFiles === undefined ? rendered.url : await resolveUrl(rendered, options);
  const url = chain?.toFirst?.(whole) ?? whole;
  const plain = withDefaults({ ...rendered, url }, defaults, scope, sendOptions);
  const added = hasParts(sendOptions) ? await withParts(plain, sendOptions, options) : undefined;
  const request = added === undefined ? plain : { ...plain, ...added, body: plain.body };
  const isLogin = LOGIN.test(writtenAuthorization(draft, defaults, changed));
  const given = isLogin ? sendOptions : withoutLogin(request, sendOptions);
  const { messages, saveTo, body, clientCertificate } = request;
  const certified = clientCertificate && { connection: { ...given.connection, clientCertificate } };
  const annotated = withAnnotations(draft.annotations, { ...given, ...certified });
  if (messages !== undefined) {
    const handshake = { ...request, body: typeof body === "string" ? body : undefined };
    return await runMessages(handshake, messages, annotated, { ...context.http, options });
  }
  const inFolder = { ...context, options };
  const values = isFilledLater(body) ? keepValues(scope) : scope;
  const sendOnce = (given: SendOptions): Promise<Exchange> =>
    saveTo === undefined
      ? sendRendered(request, added?.body, values, given, inFolder)
      : saveBody(inFolder, saveTo, given, (observed) =>
          sendRendered(request, added?.body, values, observed, inFolder),
        );
  const { [COOKIE_PATHS]: cookies } = annotated;
  return cookies === undefined
    ? await sendOnce(annotated)
    : await sendWithCookieFiles(cookies, options, annotated, sendOnce);
}

/** Whether a body has a file with placeholders, which is read when it is sent. */
function isFilledLater(body: RenderedRequest["body"]): boolean {
  if (typeof body !== "object") return false;
  const pieces = "pieces" in body ? body.pieces : [body];
  return pieces.some((piece) => typeof piece === "object" && piece.interpolated);
}

/** A value that gets a token with the variables that it names. It may be of a response, so the scheme has to be written. */
const LOGIN = /^\s*(?:oauth2|openid)\b/i;

/** The options of a request whose Authorization header is sent as it is, even if it is such a value. */
export function withoutLogin({ headers }: RenderedRequest, options: SendOptions): SendOptions {
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

/** @param body The body beside the text, if there is one. */
function sendRendered(
  request: RenderedRequest,
  body: ResolvedRequest["body"],
  scope: Scope,
  sendOptions: SendOptions,
  { options, send, session }: ClientContext,
): Promise<Exchange> {
  const resolve = (): ResolvedRequest | Promise<ResolvedRequest> => {
    if (body !== undefined) return { ...request, body };
    if (!isFilledLater(request.body)) return resolveBody(request, scope, options, sendOptions);
    const fill = async (own: Scope): Promise<ResolvedRequest> =>
      resolveBody(request, own, options, sendOptions);
    return session.scopes.withSecrets(scope, fill, sendOptions.signal);
  };
  return send(request, resolve, sendOptions);
}

/**
 * Renders a request with its values, as its type and that of the default headers say; an error about an imported file
 * names the file.
 */
export function renderDraft(
  draft: RequestDraft,
  scope: Scope,
  options: RenderRequestOptions,
  defaults: ReturnType<ClientContext["defaultHeaders"]>,
): RenderedRequest {
  const types = defaults.filter(([name]) => name.toLowerCase() === "content-type");
  const contentType = findHeader(fillHeaders(types, scope, "keep"), "content-type");
  try {
    const parts = contentType === undefined ? options.parts : undefined;
    return renderRequest(draft, scope, { ...options, contentType, parts });
  } catch (error) {
    throw nameFile(error, draft);
  }
}
