import {
  type AssertionDraft,
  type AssertionLocation,
  type AssertionResult,
  createFailure,
  evaluateAssertion,
  isFailedAssertion,
  type LimitTime,
  lineSpan,
} from "../assertions/mod.ts";
import { type Exchange, maskAssertion, ScriptError } from "../exchange/mod.ts";
import type {
  RequestChanges,
  RunScript,
  ScriptEnd,
  ScriptRequest,
  ScriptRun,
  SendOptions,
  WrittenText,
} from "../http/mod.ts";
import {
  createFault,
  type Fault,
  locate,
  renderTemplate,
  type Scope,
  type SourceText,
  type Span,
  snapshotValue,
  type Template,
  type Value,
  writeTemplate,
} from "../interpolation/mod.ts";
import {
  isHeaderName,
  isMethodToken,
  parseAssertions,
  type RenderedRequest,
  type RequestDraft,
  resolvePath,
  type ScriptDraft,
} from "../request/mod.ts";
import { combineSecrets, createMasker } from "../secrets/mod.ts";
import type { ClientContext } from "./client-session.ts";

/** What the scripts and assertions of a request work with. */
interface ChecksContext {
  readonly sendOptions: SendOptions;
  readonly options: {
    readonly readFile?: (path: string) => Promise<Uint8Array>;
    readonly limitTime?: LimitTime;
  };
  /** The values at this moment, which scripts change. */
  readonly scope: () => Scope;
  /** Sets a variable for this request only. */
  readonly setVar: (name: string, value: unknown) => void;
  /** The scripts that run with each request of the file. */
  readonly each: readonly ScriptDraft[];
}

/** The results of all assertions and tests, and the places of those that failed. */
interface CheckResults {
  readonly results: readonly AssertionResult[];
  readonly faults: readonly Fault[];
  /** The text that the spans of the faults refer to. */
  readonly source: string;
}

/** A result, and the place of the assertion or script that it comes from. */
interface Checked {
  readonly result: AssertionResult;
  readonly span: Span;
  readonly text: SourceText;
}

/** Creates the checks of a request; `undefined` if it has neither scripts nor assertions. */
export function createChecks(draft: RequestDraft, context: ChecksContext): DraftChecks | undefined {
  const { assertions = [], scripts = [] } = draft;
  const isPlain = [assertions, scripts, context.each].every(({ length }) => length === 0);
  return isPlain ? undefined : new DraftChecks(draft, context);
}

/** The scripts and assertions of one request. */
class DraftChecks {
  readonly #draft: RequestDraft;
  readonly #context: ChecksContext;
  readonly #checked: Checked[] = [];
  readonly #changed: ChangedRequest = { headers: new Map() };
  readonly #file: string | undefined;

  constructor(draft: RequestDraft, context: ChecksContext) {
    this.#draft = draft;
    this.#context = context;
    this.#file = draft.file ?? context.sendOptions.file;
  }

  /**
   * Runs the scripts before the request.
   *
   * @returns What they have changed of the request, at once if there are none; `undefined` if it is not to be sent.
   * @throws {Error} A script has failed; the request must not be sent.
   */
  before(): Promise<ChangedRequest | undefined> | ChangedRequest {
    const { each } = this.#context;
    const { scripts = [] } = this.#draft;
    const own = this.#only([...each, ...scripts], "before", "request");
    return own.length === 0 ? this.#changed : this.#runBefore(own);
  }

  async #runBefore(scripts: readonly ScriptDraft[]): Promise<ChangedRequest | undefined> {
    for (const script of scripts) {
      const { thrown, isCancelled } = await this.#runScript(script, undefined);
      if (isCancelled) return undefined;
      if (thrown === undefined) continue;
      const span = thrownSpan(script, thrown);
      throw new ScriptError(script.source, [createFault(script, span, thrown.message)]);
    }
    return this.#changed;
  }

  /** Runs the scripts after the response and evaluates the assertions, in the order of the text. */
  async after(exchange: Exchange): Promise<CheckResults> {
    const { assertions = [], scripts = [] } = this.#draft;
    const own = [...assertions, ...this.#only(scripts, "after")];
    own.sort((left, right) => left.span.start - right.span.start);
    for (const one of [...own, ...this.#only(this.#context.each, "after")]) {
      if ("when" in one) await this.#runScript(one, exchange);
      else await this.#evaluate(one, exchange);
      // An interrupt ends the request; it does not fail an assertion.
      this.#context.sendOptions.signal?.throwIfAborted();
    }
    const failed = this.#checked.filter(({ result }) => isFailedAssertion(result));
    const { mask } = createMasker(combineSecrets(exchange.secrets));
    return {
      results: this.#checked.map(({ result }) => result),
      faults: failed.map((one) => toFault(one, mask)),
      source: failed[0]?.text.source ?? this.#draft.source,
    };
  }

  /** The scripts that run at these times, in this order; none where scripts are not run. */
  #only(
    scripts: readonly ScriptDraft[],
    ...times: readonly ScriptDraft["when"][]
  ): readonly ScriptDraft[] {
    if (this.#context.sendOptions.runScript === undefined) return [];
    return times.flatMap((time) => scripts.filter(({ when }) => when === time));
  }

  async #evaluate(assertion: AssertionDraft, exchange: Exchange): Promise<void> {
    const { sendOptions, options, scope } = this.#context;
    const { runScript } = sendOptions;
    const evaluate = async (code: string): Promise<unknown> => {
      const location = this.#locate(assertion, assertion.span);
      const run = { dialect: "httpyac", kind: "expression", code, location, exchange } as const;
      const { value, thrown } = await this.#run(runScript, run);
      if (thrown !== undefined) throw new Error(thrown.message);
      return value;
    };
    const result = await evaluateAssertion(assertion, {
      file: this.#file,
      answer: exchange,
      render: (template) => renderTemplate(template, scope(), "text"),
      evaluate: runScript === undefined ? undefined : evaluate,
      limitTime: options.limitTime,
    });
    this.#checked.push({ result, span: assertion.span, text: assertion });
  }

  async #runScript(script: ScriptDraft, exchange: Exchange | undefined): Promise<ScriptEnd> {
    const { span, when, dialect } = script;
    const kind = when === "request" ? "before" : when;
    let end: ScriptEnd;
    try {
      const { code, location } = await this.#read(script);
      const run = { dialect, kind, code, location, ...(exchange && { exchange }) };
      end = await this.#run(this.#context.sendOptions.runScript, run);
    } catch (error) {
      this.#context.sendOptions.signal?.throwIfAborted();
      end = { results: [], thrown: { message: error instanceof Error ? error.message : "" } };
    }
    const isInline = script.from.kind === "code";
    for (const result of end.results) {
      const line = isInline ? lineSpan(script, result.location.line) : span;
      this.#checked.push({ result, span: line, text: script });
    }
    if (end.thrown !== undefined && when === "after") {
      const { message, location = this.#locate(script, span) } = end.thrown;
      const result = { text: "The response handler", passed: false, message, location };
      this.#checked.push({ result, span, text: script });
    }
    return end;
  }

  async #run(
    runScript: RunScript | undefined,
    run: Omit<ScriptRun, "request">,
  ): Promise<ScriptEnd> {
    if (runScript === undefined) return { results: [] };
    const { scope, setVar } = this.#context;
    const request = createScriptRequest(this.#draft, scope, setVar, this.#changed);
    return await runScript({ ...run, request });
  }

  async #read(
    script: ScriptDraft,
  ): Promise<{ readonly code: string; readonly location: AssertionLocation }> {
    const { source, from } = script;
    if (from.kind === "code") {
      const { start, end } = from.code;
      return { code: source.slice(start, end), location: this.#locate(script, from.code) };
    }
    const { readFile } = this.#context.options;
    if (readFile === undefined) {
      throw new Error(`Cannot read the script "${from.path}": this client has no access to files`);
    }
    try {
      // The client resolves paths relative to an imported file.
      const code = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(from.path));
      const file = resolvePath(from.path, this.#draft.file ?? "");
      return { code, location: { file, line: 1, column: 1 } };
    } catch (error) {
      const isMissing = (error as { readonly code?: unknown }).code === "ENOENT";
      const reason = isMissing ? "there is no such file" : (error as Error).message;
      throw new Error(`Cannot read the script "${from.path}": ${reason}`);
    }
  }

  #locate(text: SourceText, { start }: Span): AssertionLocation {
    const file = this.#file;
    return { ...(file === undefined ? {} : { file }), ...locate(text, start) };
  }
}

/** The failure without the secrets in what was found, which a message cuts. */
function toFault({ result, text, span }: Checked, mask: (text: string) => string): Fault {
  return createFailure(maskAssertion(result, mask), text, span);
}

/** The line of a script on which it has thrown, or all of it: one in a file of its own has no line in the text. */
export function thrownSpan(script: ScriptDraft, thrown: ScriptEnd["thrown"]): Span {
  if (thrown?.location === undefined || script.from.kind === "file") return script.span;
  return lineSpan(script, thrown.location.line);
}

/** What the scripts of one request have changed of it so far. */
export interface ChangedRequest {
  method?: string;
  url?: string;
  body?: string;
  /** By the names in lower case. */
  readonly headers: Map<string, { readonly name: string; readonly values: readonly string[] }>;
}

/** A request as its scripts see it: its texts as written, and rendered with the current values. */
function createScriptRequest(
  draft: RequestDraft,
  scope: () => Scope,
  setVar: ScriptRequest["setVar"],
  changed: ChangedRequest,
): ScriptRequest {
  const { method, url, headers, body } = draft;
  const written = (template: Template): WrittenText => ({
    raw: writeTemplate(template),
    render: () => renderTemplate(template, scope(), "text", { missing: "keep" }),
  });
  const writtenBody = body?.kind === "text" ? written(body.text) : fixed("");
  const kept = headers.filter(({ name }) => !changed.headers.has(name.toLowerCase()));
  return {
    method: changed.method ?? method,
    url: changed.url === undefined ? written(url) : fixed(changed.url),
    headers: [
      ...kept.map(({ name, value }) => ({ name, value: written(value) })),
      ...headersOf(changed).map(([name, value]) => ({ name, value: fixed(value) })),
    ],
    body: changed.body === undefined ? writtenBody : fixed(changed.body),
    generate: (name, argument) => generate(name, argument, scope()),
    getVar: (name) => scope().get(name),
    setVar,
    change: (changes) => change(changed, changes),
  };
}

/** A request with what its scripts have changed. */
export function withChanges(request: RenderedRequest, changed: ChangedRequest): RenderedRequest {
  const { headers, ...rest } = changed;
  const kept = request.headers.filter(([name]) => !headers.has(name.toLowerCase()));
  const credentials = headers.has("authorization") ? undefined : request.credentials;
  return { ...request, ...rest, credentials, headers: [...kept, ...headersOf(changed)] };
}

function headersOf({ headers }: ChangedRequest): readonly (readonly [string, string])[] {
  return [...headers.values()].flatMap(({ name, values }) =>
    values.map((value) => [name, value] as const),
  );
}

function change(changed: ChangedRequest, { headers = new Map(), ...rest }: RequestChanges): void {
  const { method } = rest;
  if (method !== undefined && !isMethodToken(method))
    throw new TypeError(`The method ${JSON.stringify(method)} is not valid`);
  for (const [name, value] of headers) {
    if (!isHeaderName(name))
      throw new TypeError(`The header name ${JSON.stringify(name)} is not valid`);
    const values = value === undefined ? [] : [value].flat();
    if (values.some((one) => /[\r\n\0]/.test(one)))
      throw new TypeError(`The value of the header "${name}" contains a line break or NUL`);
    changed.headers.set(name.toLowerCase(), { name, values });
  }
  Object.assign(changed, rest);
}

function fixed(text: string): WrittenText {
  return { raw: text, render: () => text };
}

/** The argument may be of a response: it is never parsed as a part of a template. */
function generate(name: string, argument: string, scope: Scope): string {
  const text = name + argument;
  const source = `{{${text}}}`;
  const span = { start: 0, end: source.length };
  const parts = [{ kind: "generated", name, argument, text, span }] as const;
  return renderTemplate({ source, parts }, scope, "text");
}

/** Options of `evaluateAssertions`. */
export type AssertOptions = Pick<SendOptions, "file" | "firstLine" | "runScript" | "signal">;

/** Evaluates assertions without a request against the latest exchange, which stays as it is. */
export async function evaluateAssertions(
  text: string,
  assertOptions: AssertOptions,
  { session, options }: ClientContext,
): Promise<readonly AssertionResult[]> {
  const assertions = parseAssertions(text, assertOptions.firstLine);
  const exchange = session.history.last;
  if (exchange === undefined)
    throw new Error("Cannot evaluate the assertions: no request has been answered yet");
  const draft = draftOf(exchange, assertions);
  const { scopes } = session;
  const { signal } = assertOptions;
  await scopes.prepareSending({ entries: [draft], placeholders: [], signal });
  const values = new Map<string, Value>();
  const checks = createChecks(draft, {
    sendOptions: assertOptions,
    options,
    scope: () => scopes.sending(values),
    setVar: (name, value) => values.set(name, snapshotValue(value as Value, name)),
    each: [],
  });
  if (checks === undefined) return [];
  return (await checks.after(exchange)).results;
}

/** The request of an exchange as a draft, for the expressions that see it. */
function draftOf({ request }: Exchange, assertions: readonly AssertionDraft[]): RequestDraft {
  const source = assertions[0]?.source ?? "";
  const span = { start: 0, end: source.length };
  const literal = (text: string): Template => ({ source, parts: [text] });
  const { method, url, headers, body } = request;
  return {
    kind: "request",
    annotations: [],
    method,
    url: literal(url),
    urlSpan: span,
    headers: headers.map(([name, value]) => ({ name, value: literal(value), span })),
    ...(typeof body === "string" ? { body: { kind: "text", text: literal(body), span } } : {}),
    assertions,
    span,
    source,
  };
}
