import type { AssertionDraft } from "../assertions/mod.ts";
import {
  type Explanation,
  locate,
  type SourceText,
  type Span,
  shorten,
} from "../interpolation/mod.ts";
import type { Entry, RequestDraft, ScriptDraft } from "./draft.ts";
import { type Line, lineAt, type Parser, trimLine } from "./line.ts";

/**
 * The first line of a script: `> {% … %}` and `< {% … %}` of JetBrains' files, `--{% … --%}` of older files of
 * rest.nvim, `{{ … }}` of httpYac's.
 */
const SCRIPT =
  /^[ \t]*(?:(?:[<>][ \t]*|--)\{%|\{\{[+@#]{0,2}(?:request|streaming|response|after|responseLogging)?[ \t]*$)/;

/** The first line of a script of httpYac that is run; the events `streaming` and `responseLogging` never come. */
const BLOCK = /^\{\{(?<each>\+?)@?(?<event>request|response|after)?[ \t]*$/;

/**
 * A script of httpYac on one line, `{{ exports.id = 5 }}` or `{{@response test.status(200) }}`: what sets a value, and what
 * begins with a mark, can be no placeholder.
 */
const ONE_LINE =
  /^(?<open>\{\{(?<each>\+?)@?(?<event>request|response|after)?)(?:(?<=[+@]\w{0,8})[ \t]+\S|[ \t]*(?:(?:module\.)?exports|\$global|request)\b[^={}]{0,200}=(?![=>])).*\}\}[ \t]*$/;

/** `> file.js` and `< file.js`. */
const SCRIPT_FILE = /^[ \t]*([<>])[ \t]+(\S.*\.(?:[cm]?[jt]s|lua))[ \t]*$/;

/** An assertion of httpYac, or the line with the status in files of Hurl, which is reported. */
const ASSERTION = /^[ \t]*(?:\?\?[ \t]*\S|HTTP[ \t]+(?:\d{3}|\*)[ \t]*$)/;

/** Whether a line begins a script. */
export function startsScript(line: string): boolean {
  return SCRIPT.test(line) || ONE_LINE.test(line.trimStart());
}

/** Whether a line is an assertion, or would be one if its first word were a field. */
export function startsAssertion(line: string): boolean {
  return ASSERTION.test(line);
}

/** The start of the line after an assertion; the lines of Hurl's sections belong to its line with the status. */
export function assertionEnd(source: string, first: Line, end: number = source.length): number {
  let { next } = first;
  if (/^[ \t]*\?\?/.test(first.text)) return next;
  while (next < end) {
    const line = lineAt(source, next);
    if (/^[ \t]*(?:###|\?\?|$)/.test(line.text)) break;
    next = line.next;
  }
  return next;
}

/** Whether a line begins a script that is to be run before a request. */
export function startsRequestScript(line: string): boolean {
  return /^[ \t]*<[ \t]*\{%/.test(line);
}

/** Whether a line begins a script of httpYac that is run. */
export function startsScriptBlock(line: string): boolean {
  const text = line.trimStart();
  return BLOCK.test(text) || ONE_LINE.test(text);
}

/** Whether a line begins a script that runs before the request below it. */
export function startsBefore(text: string): boolean {
  if (startsRequestScript(text) || startsScriptBlock(text)) return true;
  return /^[ \t]*<[ \t]+\S.*\.[cm]?js[ \t]*$/.test(text);
}

/** Whether a line begins a response handler. */
export function startsHandler(line: string): boolean {
  if (startsScript(line)) return !startsRequestScript(line);
  return SCRIPT_FILE.exec(line)?.[1] === ">" || startsAssertion(line);
}

/** Whether a line begins a script or an assertion, where a request is expected. */
export function startsPreRequestScript(line: string): boolean {
  return startsScript(line) || SCRIPT_FILE.test(line) || startsAssertion(line);
}

/**
 * Why a script of another client is not run, by its first line.
 *
 * @returns `undefined` for a script that is run.
 */
export function unsupportedScript(
  line: string,
): { readonly message: string; readonly hint: string } | undefined {
  const first = line.trim();
  if (startsScriptBlock(first)) return undefined;
  const event = /^\{\{[+@#]*(\w*)$/.exec(first)?.[1];
  if (event !== undefined) {
    return notRun(
      first,
      `the event "${event}" is`,
      'Write "{{@response", or code in a TypeScript cell',
    );
  }
  if (/^--\{%|\.lua$/.test(first)) {
    return notRun(first, ...IN_LUA);
  }
  if (/\.[cm]?ts$/.test(first)) {
    return notRun(
      first,
      "script files in TypeScript are",
      "Write it in JavaScript, in a file that ends in .js",
    );
  }
  return undefined;
}

const IN_LUA = ["scripts in Lua are", "Write it in JavaScript, or in a TypeScript cell"] as const;

function notRun(first: string, what: string, hint: string): { message: string; hint: string } {
  return { message: `Not run: "${shorten(first)}": ${what} not supported`, hint };
}

/** A script of kulala whose first line says that it is Lua. */
const LUA = /^[<>][ \t]*\{%\s*--[ \t]*lua\b/i;

/**
 * Why a script is not run although its brackets are those of JetBrains: kulala's may be in Lua.
 *
 * @param language From `# @lang=lua`.
 */
export function foreignLanguage(
  { dialect, source, span: { start, end } }: ScriptDraft,
  language: string | undefined,
): ReturnType<typeof unsupportedScript> {
  const isLua = /^lua$/i.test(language ?? "") || LUA.test(source.slice(start, end));
  if (dialect !== "jetbrains" || !isLua) return undefined;
  const [first = ""] = source.slice(start, end).split(/[\r\n]/, 1);
  return notRun(first, ...IN_LUA);
}

/** The span of a script that begins on this line, and the start of the line after it. */
export function scriptAt(
  source: string,
  first: Line,
  end: number = source.length,
): Span & { next: number } {
  const close = closingOf(first.text);
  let line = first;
  while (!close.test(line.text) && line.next < end) line = lineAt(source, line.next);
  return {
    start: trimLine(first).start,
    end: Math.min(end, trimLine(line).end),
    next: line.next,
  };
}

/** What the last line of a script matches; the path of a file is a single line. */
function closingOf(first: string): RegExp {
  if (first.includes("{%")) return /%\}/;
  if (ONE_LINE.test(first.trimStart())) return /^/;
  return /^[ \t]*\{\{/.test(first) ? /^[ \t]*\}\}[ \t]*$/ : /^/;
}

/**
 * Reads a script of JetBrains' or httpYac's files, and reports one that is not closed or whose path is not fixed.
 *
 * @param span From its first to its last line.
 * @param place Where it is written; a script of httpYac without an event runs there.
 * @returns `undefined` for one at fault, and for a script of another client.
 */
export function readScript(
  parser: Parser,
  span: Span,
  place: "before" | "after",
): ScriptDraft | undefined {
  const { source, firstLine } = parser;
  const text = source.slice(span.start, span.end);
  const [block = ""] = text.split(/[\r\n]/, 1);
  if (startsScriptBlock(block)) return readBlock(parser, span, block, place);
  const when = text.startsWith("<") ? "before" : "after";
  const dialect = "jetbrains";
  const [open] = /^[<>][ \t]*\{%/.exec(text) ?? [];
  if (open !== undefined) {
    const close = text.lastIndexOf("%}");
    if (close === -1) {
      const first = trimLine(lineAt(source, span.start));
      parser.report(first, "The script is not closed", 'End it with "%}"');
      return undefined;
    }
    const code = { start: span.start + open.length, end: span.start + close };
    const xpath = /(?<![\w$.]|function\s)xpath\s*\(/.exec(source.slice(code.start, code.end));
    if (xpath !== null) {
      const start = code.start + xpath.index;
      const hint = "Select in the text of the response: response.body.match(/<id>(.*?)</)[1]";
      parser.report(
        { start, end: start + "xpath".length },
        "XPath is not supported in scripts",
        hint,
      );
    }
    return { dialect, when, from: { kind: "code", code }, span, source, firstLine };
  }
  const path = SCRIPT_FILE.exec(text)?.[2];
  if (path === undefined || !/\.[cm]?js$/.test(path)) return undefined;
  if (path.includes("{{")) {
    const message = `The path of the script contains a placeholder: "${path}"`;
    parser.report(span, message, "Write the path: no value decides which code is run");
    return undefined;
  }
  return { dialect, when, from: { kind: "file", path }, span, source, firstLine };
}

/** Reads a script of httpYac, which begins with the line given. */
function readBlock(
  parser: Parser,
  span: Span,
  first: string,
  place: "before" | "after",
): ScriptDraft | undefined {
  const { source, firstLine } = parser;
  const end = /\}\}[ \t]*$/.exec(source.slice(span.start, span.end));
  if (end === null) {
    const line = trimLine(lineAt(source, span.start));
    parser.report(line, "The script is not closed", 'End it with the line "}}"');
    return undefined;
  }
  const {
    open = first,
    each = "",
    event,
  } = (BLOCK.exec(first) ?? ONE_LINE.exec(first))?.groups ?? {};
  const when = event === "request" ? event : event === undefined ? place : "after";
  const code = { start: span.start + open.length, end: span.start + end.index };
  return {
    dialect: "httpyac",
    when: event === undefined && each !== "" ? "before" : when,
    ...(each === "" ? {} : { isForEach: true }),
    from: { kind: "code", code },
    span,
    source,
    firstLine,
  };
}

/** The variable that contains the members of `$global` of httpYac's scripts. */
export const GLOBAL_VARIABLE = "httpyac_global";

/** The variables that scripts set, or would set if they were run. */
interface ScriptVariables {
  /** Those that scripts set which are run. */
  readonly set: ReadonlySet<string>;
  /** Those of them that a script sets which runs with each request, `{{+` of httpYac. */
  readonly setForEach: ReadonlySet<string>;
  /** Why each has no value. */
  readonly explanations: ReadonlyMap<string, Explanation>;
  /** Why any other may have none: a script in a file, which is not read, or one that computes the names. */
  readonly others: Explanation | undefined;
}

/** Most texts have no line with which a script or an assertion begins. */
const MAY_HAVE_SCRIPT = /^[ \t]*(?:[<>]|--\{%|\{\{|\?\?|HTTP[ \t])/m;
const NO_VARIABLES: ScriptVariables = {
  set: new Set(),
  setForEach: new Set(),
  explanations: new Map(),
  others: undefined,
};

/** What sets variables in scripts of JetBrains, kulala, Postman, httpYac and rest.nvim, and script files. */
const SETS =
  /(?:\b(?:global|globals|variables|environment|collectionVariables|vars|env)\.set|\bset_env|\bset[vV]ar)\(\s*(["'`])(?<set>[^"'`\r\n]+)\1(?:\s*,\s*response\.body(?<body>(?:\.[\w$]+)+)\s*\))?|(?<object>\bexports|\$global)(?:\.(?<exported>[\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(?:"(?<quoted>[^"\r\n]+)"|'(?<single>[^'\r\n]+)')\s*\])\s*=(?![=>])(?:\s*response\.parsedBody(?<parsed>(?:\.[\w$]+)+)\s*(?:;|$))?|\bmodule\.exports\s*=\s*\{(?<members>[\s\S]*)/gmu;

/** What sets variables whose names are computed. */
const SETS_COMPUTED =
  /\b(?:global|globals|variables)\.set\(\s*(?:[^\s"'`]|`[^`]{0,200}\$\{|"[^"\r\n]{0,200}"\s*\+|'[^'\r\n]{0,200}'\s*\+)|(?:\bexports|\$global)\[\s*(?!["'])|\bObject\.assign\(\s*(?:module\.)?(?:exports|\$global)\b|\bmodule\.exports\s*=\s*(?:[^\s{]|\{[^}]{0,2000}\.\.\.)/u;

/** A member of an object, or of one in it. */
const MEMBER = /(?:^|[{,])\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*(?=[:,}(])/gu;

const FILE = /^[<>][ \t]+(\S.*\.(?:[cm]?[jt]s|lua))[ \t]*$/;

/**
 * Finds the variables that the scripts and assertions of a request text set, so that an error about such a variable
 * can name the script.
 *
 * @param areRun Whether the scripts of JetBrains' and httpYac's files are run; others never are.
 * @param span Where the scripts are; the whole text by default.
 */
export function scriptVariables(
  text: SourceText,
  areRun: boolean = false,
  span?: Span,
): ScriptVariables {
  if (!MAY_HAVE_SCRIPT.test(text.source)) return NO_VARIABLES;
  const found = new Map<string, Explanation>();
  const set = new Set<string>();
  const setForEach = new Set<string>();
  let others: Explanation | undefined;
  for (const { start, source } of scriptsOf(text.source, span)) {
    const [, path] = FILE.exec(source) ?? [];
    const isRun = areRun && (RUN.test(source) || ONE_LINE.test(source)) && !LUA.test(source);
    const { index: computed } = SETS_COMPUTED.exec(source) ?? {};
    if (path !== undefined || computed !== undefined) {
      const { line } = locate(text, start + (computed ?? 0));
      others ??= explainOthers(path, line, isRun);
    }
    for (const { name, index, object, answer } of settersIn(source)) {
      const { line } = locate(text, start + index);
      if (isRun) set.add(object === "$global" ? object : name);
      if (isRun && source.startsWith("{{+")) setForEach.add(name);
      found.set(name, isRun ? explainRun(line) : explainScript(name, line, answer));
    }
  }
  return { set, setForEach, explanations: found, others };
}

/** A place in a script that sets a variable. */
interface Setter {
  readonly name: string;
  readonly index: number;
  /** The object of httpYac whose member it is. */
  readonly object: string | undefined;
  /** The path in the body of the response that is its value. */
  readonly answer: string | undefined;
}

function* settersIn(code: string): Generator<Setter> {
  for (const { index, groups = {} } of code.matchAll(SETS)) {
    const { members, set, quoted, single, object, body, parsed } = groups;
    const names = members && Array.from(members.matchAll(MEMBER), ([, member = ""]) => member);
    const [own = ""] = [set, groups["exported"], quoted, single].filter(Boolean);
    for (const name of names || [own]) yield { name, index, object, answer: body ?? parsed };
  }
}

/**
 * Why variables have no value although a script that sets them has run.
 *
 * @param code The code of the script.
 * @param firstLine The line on which it begins.
 */
export function explainRunScript(
  code: string,
  firstLine: number,
): readonly (readonly [name: string, reason: Explanation])[] {
  return [...settersIn(code)].map(({ name, index }) => {
    const { line } = locate({ source: code, firstLine }, index);
    const message = `the script at line ${line}, which sets it, has run and gave it no value`;
    const hint = "What it sets was undefined or code there, or the line was not reached";
    return [name, { message, hint }];
  });
}

function* scriptsOf(
  text: string,
  { start, end }: Span = { start: 0, end: text.length },
): Generator<{ readonly start: number; readonly source: string }> {
  for (let at = start; at < end; ) {
    const line = lineAt(text, at);
    at = line.next;
    if (startsPreRequestScript(line.text)) {
      const script = scriptAt(text, line);
      yield { start: script.start, source: text.slice(script.start, script.end) };
      at = script.next;
    }
  }
}

/** Scripts of JetBrains' and httpYac's files. */
const RUN =
  /^(?:[<>](?:[ \t]*\{%|[ \t]+\S.*\.[cm]?js[ \t]*$)|\{\{\+?@?(?:request|response|after)?[ \t]*(?:[\r\n]|$))/;

function explainRun(line: number): Explanation {
  return {
    message: `the script at line ${line}, which sets it, has not run yet`,
    hint: "Run the request of the script first",
  };
}

function explainScript(name: string, line: number, path: string | undefined): Explanation {
  const message = `the script at line ${line}, which would set it, is not run`;
  const hint =
    path === undefined
      ? `Write a line @${name} = value, or set it with --var or client.setVar`
      : `Write "# @name answer" above the request of the script, and {{answer.response.body${path}}} here`;
  return { message, hint };
}

function explainOthers(path: string | undefined, line: number, isRun: boolean): Explanation {
  const state = isRun ? "has not set it" : "is not run";
  const script = path === undefined ? "the script" : `the script "${path}"`;
  return {
    message: `there is no such variable, and ${script} at line ${line}, which may set it, ${state}`,
    hint: "Write it as @name = value, or set it with --var or client.setVar",
  };
}

/**
 * Marks the scripts of an entry as not to be run, since its text may come from a value. It stays so when another
 * text refers to the request.
 */
export function skipScripts(entry: RequestDraft): RequestDraft;
export function skipScripts(entry: Entry): Entry;
export function skipScripts(entry: Entry): Entry {
  if (entry.kind !== "request") return entry;
  const { scripts = [], assertions = [], skipped = [] } = entry;
  if (scripts.length === 0 && !assertions.some(isCode)) return entry;
  const { scripts: _scripts, ...rest } = entry;
  return {
    ...rest,
    skipped: [...skipped, ...scripts.map(({ span, source }) => ({ span, source }))],
    ...(assertions.length === 0 ? {} : { assertions: assertions.map(refuseCode) }),
  };
}

function isCode({ field }: AssertionDraft): boolean {
  return field.kind === "js";
}

function refuseCode(assertion: AssertionDraft): AssertionDraft {
  const { field } = assertion;
  return field.kind === "js" ? { ...assertion, field: { ...field, isRefused: true } } : assertion;
}
