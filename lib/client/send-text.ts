import { type Exchange, learnRequest } from "../exchange/mod.ts";
import {
  CHAIN,
  type ChainedOptions,
  hasParts,
  OWN_OBSERVER,
  PARTS,
  type RenderTextOptions,
  type RequestSpec,
  type RunScript,
  resolveSpec,
  type SendOptions,
  type SkippedRequest,
  withDefaults,
  withoutParts,
  withParts,
} from "../http/mod.ts";
import {
  createFault,
  keepValues,
  locate,
  type Placeholder,
  UnresolvedPlaceholderError,
  type Value,
  writeTemplate,
} from "../interpolation/mod.ts";
import { parseWrittenJson } from "../json/mod.ts";
import {
  type AssignmentDraft,
  type Entry,
  entriesOf,
  explainCycle,
  isDisabled,
  LineValues,
  lateLine,
  listName,
  namedRequests,
  nameOf,
  neededLines,
  type ParsedText,
  type PreparedText,
  parseText,
  passesOf,
  placeholdersOf,
  pollingOf,
  type Reference,
  type RenderedRequest,
  RequestCheckError,
  type RequestDraft,
  RequestSyntaxError,
  readText,
  referencesOf,
  resolveAssignment,
  setsAny,
  skipScripts,
  targetOf,
  withGiven,
} from "../request/mod.ts";
import { explainUnknown, PromptError, prepareParsed } from "../variables/mod.ts";
import type { ClientContext, ClientSession } from "./client-session.ts";
import { runFileScript } from "./file-scripts.ts";
import { sendUntilPassed } from "./poll.ts";
import { renderDraft, sendDraft, withoutLogin } from "./send-draft.ts";

/**
 * Sends all requests of a text in order, and sets its variables.
 *
 * A request has the values of the moment of the call: nothing is awaited here unless there is something to wait for.
 */
export async function sendText(
  text: string | ParsedText,
  sendOptions: SendOptions,
  context: ClientContext,
): Promise<Exchange[]> {
  const { requests, imports, prompter, scopes } = context.session;
  const { runScript } = sendOptions;
  const areRun = runScript !== undefined;
  const parsed = parsedText(text, sendOptions, context.session);
  const prepared = isPrepared(parsed) ? parsed : undefined;
  requests.noteScripts(parsed, areRun);
  if (parsed.failure !== undefined) throw parsed.failure;
  const loading = prepared === undefined ? imports.load(parsed) : refuseFaults(prepared);
  if (loading !== undefined) await loading;
  const expanded = prepared?.expanded ?? imports.expand(parsed);
  const entries = areRun
    ? expanded.entries
    : expanded.entries.filter(({ kind }) => kind !== "script").map(skipScripts);
  const named = [...expanded.imported, ...namedRequests(entriesOf(parsed))];
  requests.add(
    areRun ? named : named.map(({ draft, before }) => ({ draft: skipScripts(draft), before })),
  );
  const unanswered = prompter.unanswered(entries);
  if (unanswered.length > 0) throw new PromptError(unanswered);
  const { signal, missing } = sendOptions;
  const placeholders = placeholdersIn(context.defaultHeaders());
  const refuse = (): void => {
    if (prepared !== undefined || missing === "keep") return;
    const parts = { ...context.session, ...context };
    refuseFaults(prepareParsed(parsed, { runsScripts: areRun }, parts, parts.secrets));
  };
  const preparing = scopes.prepareSending({ entries, placeholders, signal, refuse });
  if (preparing !== undefined) await preparing;
  const own = entries.filter((entry) => entry.kind === "request");
  // The faults of a single request are found when it is rendered.
  if (own.length > 1 || own.some((draft) => referencesOf(draft).length > 0)) refuse();
  if (own.length > 1 && hasParts(sendOptions)) {
    throw new TypeError(
      `Cannot add ${Object.keys(PARTS)
        .filter((name) => name in sendOptions)
        .join(" and ")} to a text ` +
        `with ${own.length} requests: write them into the text, or send one request`,
    );
  }
  const last = own.at(-1);
  const checked = prepared !== undefined || sendOptions.checked;
  const runNoted: RunScript = async (run) => {
    const end = await runScript?.(run);
    if (run.kind !== "expression") requests.noteRun(run.code, run.location.line);
    return end ?? { results: [] };
  };
  const options = { ...sendOptions, checked, ...(areRun && { runScript: runNoted }) };
  return await runEntries(entries, { context, options, last, rendered: prepared?.rendered });
}

/** @throws {UnresolvedPlaceholderError | RequestCheckError} A text has errors that a check has found. */
function refuseFaults({ source, faults }: PreparedText): undefined {
  const errors = faults.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return undefined;
  const isName = errors.every(({ code }) => code === "name");
  throw isName
    ? new UnresolvedPlaceholderError(source, errors)
    : new RequestCheckError(source, faults);
}

const isPrepared = (text: ParsedText): text is PreparedText => "faults" in text;

function parsedText(
  text: string | ParsedText,
  { firstLine }: SendOptions,
  session: ClientSession,
): ParsedText {
  if (typeof text === "string") {
    const { latestText: latest } = session;
    if (latest?.source === text && latest.firstLine === firstLine) return latest;
    const parsed = readText(text, firstLine);
    // An error belongs to the call that throws it.
    if (parsed.failure === undefined) session.latestText = parsed;
    return parsed;
  }
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
  const defaults = defaultHeaders();
  const needed = placeholdersIn(defaults);
  const { signal } = sendOptions;
  const preparing = scopes.prepareSending({ entries: [], placeholders: needed, signal });
  if (preparing !== undefined) await preparing;
  const scope = needed.length === 0 ? scopes.sending() : keepValues(scopes.sending());
  const whole = await resolveSpec(spec, options);
  const { body, ...resolved } = hasParts(sendOptions)
    ? await withParts(whole, sendOptions, options)
    : whole;
  const plain = { ...resolved, body: undefined };
  const request = withDefaults(plain, defaults, scope, sendOptions);
  // A further page has the headers of the first one, which may be a text.
  const chain = (sendOptions as ChainedOptions)[CHAIN];
  const given = chain?.home !== undefined ? sendOptions : withoutLogin(request, sendOptions);
  const { auth = given.auth, compress = given.compress } = spec;
  const exchange = await send(request, () => ({ ...request, body }), { ...given, auth, compress });
  await chain?.check?.(exchange);
  return exchange;
}

/** A text that is being sent. */
interface Run {
  readonly context: ClientContext;
  readonly options: SendOptions;
  /** The last request of the text, which is the page of a listing. */
  readonly last: RequestDraft | undefined;
  /** The first request, if it has been rendered. */
  readonly rendered: PreparedText["rendered"];
}

/**
 * Runs variable lines and requests in order, each request after those that it refers to.
 *
 * `# @ref name` first sends a request that has no response, or an error response; `# @forceRef name`
 * always sends it. The variable lines before a request may use the responses that it refers to.
 *
 * @returns The exchanges of the requests in the text itself.
 * @throws {RequestSyntaxError} A reference names no known request, or references are circular.
 */
async function runEntries(entries: readonly Entry[], run: Run): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  let lines: AssignmentDraft[] = [];
  let reached = 0;
  try {
    for (const entry of entries) {
      reached += 1;
      if (entry.kind === "assignment") {
        lines.push(entry);
        continue;
      }
      if (entry.kind === "script") {
        const assigning = assignAll(lines, run);
        if (assigning !== undefined) await assigning;
        lines = [];
        await runFileScript(entry, run.options, run.context.session.fileScripts);
        continue;
      }
      const references = referencesOf(entry);
      const { early, late } = sortLines(lines, references);
      lines = [];
      const assigning = assignAll(early, run);
      if (assigning !== undefined) await assigning;
      const isOff = isDisabled(entry);
      if (isOff) noteSkip(entry, "disabled", run);
      const isSent = !isOff && !(entry.unlessAnswered && isAnswered(nameOf(entry), run));
      if (references.length > 0 && (isSent || late.length > 0)) await sendReferences(entry, run);
      const assigningRest = assignAll(late, run);
      if (assigningRest !== undefined) await assigningRest;
      if (isSent) exchanges.push(...(await sendPasses(entry, run)));
    }
    await assignAll(lines, run);
  } catch (error) {
    for (const entry of entries.slice(reached)) {
      if (entry.kind === "request") noteSkip(entry, "not-reached", run);
    }
    throw error;
  }
  return exchanges;
}

function noteSkip(draft: RequestDraft, reason: SkippedRequest["reason"], { options }: Run): void {
  const { method, url, file, span } = draft;
  const name = nameOf(draft) ?? `${method} ${writeTemplate(url)}`;
  options.onSkip?.({ name, file, line: locate(draft, span.start).line, reason });
}

/** Sets the variables of lines; `undefined` if there is no answer to wait for. */
function assignAll(lines: readonly AssignmentDraft[], run: Run): Promise<void> | undefined {
  const { prompter, scopes, variables } = run.context.session;
  const assign = (draft: AssignmentDraft, answers?: ReadonlyMap<string, Value>): void => {
    const { missing = "error" } = run.options;
    const values = scopes.sending(answers);
    const entry = targetOf(draft, values);
    const line = lateLine(entry, values, (scope) =>
      resolveAssignment(entry, scope, { missing, parseJson: parseWrittenJson }),
    );
    variables.setLine(entry.name, line, entry.file);
  };
  for (const [at, entry] of lines.entries()) {
    const asking = prompter.ask(entry);
    if (asking === undefined) {
      assign(entry);
      continue;
    }
    return asking.then((answers) => {
      assign(entry, answers);
      return assignAll(lines.slice(at + 1), run);
    });
  }
  return undefined;
}

/**
 * Divides the variable lines before a request: those that use the responses of requests that it refers to are set
 * after these are sent. The order of lines that depend on each other stays.
 */
function sortLines(
  lines: readonly AssignmentDraft[],
  references: ReturnType<typeof referencesOf>,
): Readonly<Record<"early" | "late", readonly AssignmentDraft[]>> {
  const waiting = new Set(references.flatMap(({ name }) => [name, listName(name)]));
  const early: AssignmentDraft[] = [];
  const late: AssignmentDraft[] = [];
  for (const line of lines) {
    const names = [line.name, ...placeholdersOf(line).map(({ name }) => name)];
    const isEarly = !names.some((name) => waiting.has(name));
    (isEarly ? early : late).push(line);
    if (!isEarly) for (const name of names) waiting.add(name);
  }
  return { early, late };
}

/** What concerns the request of a call, and not those that it refers to: they are neither streamed nor saved. */
const NOT_OF_CALL = { [OWN_OBSERVER]: undefined, [CHAIN]: undefined };

/** Sends a request, or each of those that `# @loop` makes of it. */
async function sendPasses(
  draft: RequestDraft,
  run: Run,
  isReference = false,
): Promise<readonly Exchange[]> {
  const { context, options, last, rendered } = run;
  const { scopes, responses } = context.session;
  const isLast = draft.span === last?.span;
  const own = isReference ? NOT_OF_CALL : isLast ? {} : { [CHAIN]: undefined };
  const exchanges: Exchange[] = [];
  const drafts = passesOf(draft, scopes.sending());
  for (const pass of drafts) {
    const parts = !isReference && pass === rendered?.draft ? rendered.parts : undefined;
    const given = { ...(isReference ? withoutParts(options) : options), ...own };
    // Most requests have no annotations.
    const polling = pass.annotations.length === 0 ? undefined : pollingOf(pass);
    const exchange =
      polling === undefined
        ? await sendDraft(pass, given, context, parts)
        : await sendUntilPassed(pass, polling, given, context);
    if (exchange !== undefined) exchanges.push(exchange);
    else if (!isReference) noteSkip(pass, "cancelled", run);
  }
  if (drafts.length === 0 && !isReference) noteSkip(draft, "empty-loop", run);
  const name = nameOf(draft);
  if (drafts[0] !== draft && name !== undefined) responses.addPasses(name, exchanges);
  return exchanges;
}

/** Whether a request has a response that is not an error. */
function isAnswered(name: string | undefined, { context }: Run): boolean {
  const answer = context.session.responses.get(name ?? "");
  return answer !== undefined && answer.status < 400;
}

async function sendReferences(draft: RequestDraft, run: Run): Promise<void> {
  const { requests, scopes, variables } = run.context.session;
  const isSet = (line: AssignmentDraft): boolean =>
    setsAny(line, (name) =>
      line.file === undefined ? variables.lookUp(name) !== undefined : variables.isOwn(name),
    );
  const isNeeded = ({ name, force }: Reference): boolean => force || !isAnswered(name, run);
  const needed = (name: string): readonly string[] => {
    const { draft: other } = requests.get(name) ?? {};
    return other === undefined
      ? []
      : referencesOf(other)
          .filter(isNeeded)
          .map((it) => it.name);
  };
  for (const reference of referencesOf(draft)) {
    // The one before it may have sent it.
    if (!isNeeded(reference)) continue;
    const { name, span } = reference;
    const fail = (message: string, hint = ""): never => {
      const fault = createFault(draft, span, message, hint);
      throw new RequestSyntaxError(draft.source, [fault]);
    };
    const named = requests.get(name);
    if (named === undefined) {
      const { message, hint } = explainUnknown(name, requests.names());
      return fail(message, hint);
    }
    const cycle = explainCycle(name, needed);
    if (cycle !== undefined) return fail(cycle.message, cycle.hint);
    await sendReferences(named.draft, run);
    const lines = neededLines(named).filter((line) => !isSet(line));
    const { signal } = run.options;
    const entries = [...lines, named.draft];
    await scopes.prepareSending({ entries, placeholders: [], signal });
    await assignAll(lines, run);
    await sendPasses(named.draft, run, true);
  }
}

/** Renders all requests of a text. No variable is set: assignments apply to the text only. */
export function renderText(
  text: string,
  options: RenderTextOptions,
  { session: { scopes, secrets, imports }, defaultHeaders, baseUrl }: ClientContext,
): RenderedRequest[] {
  const lines = new LineValues();
  const { entries } = imports.expand(parseText(text));
  const preview = scopes.trial({ first: lines, entries });
  const rendered: RenderedRequest[] = [];
  for (const entry of entries) {
    if (entry.kind === "assignment") {
      const resolveOptions = { ...options, parseJson: parseWrittenJson };
      lines.set(entry, preview, (line, own) => resolveAssignment(line, own, resolveOptions));
    } else if (entry.kind === "request") {
      for (const pass of passesOf(entry, preview)) {
        const scope = withGiven(pass, preview);
        const defaults = defaultHeaders();
        const written = renderDraft(pass, scope, { ...options, baseUrl }, defaults);
        const request = withDefaults(written, defaults, scope, options);
        learnRequest(request, secrets);
        rendered.push(request);
      }
    }
  }
  return rendered;
}
