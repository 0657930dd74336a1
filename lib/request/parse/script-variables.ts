import { type Explanation, locate, type SourceText } from "../../interpolation/mod.ts";
import { lineAt, scriptAt, startsPreRequestScript } from "./lines/mod.ts";

/** The variable that contains the members of `$global` of httpYac's scripts. */
export const GLOBAL_VARIABLE = "httpyac_global";

/** The variables that scripts set, or would set if they were run. */
interface ScriptVariables {
  /** Those that scripts set which are run. */
  readonly set: ReadonlySet<string>;
  /** Why each has no value. */
  readonly explanations: ReadonlyMap<string, Explanation>;
  /** Why any other may have none: a script in a file, which is not read. */
  readonly file: Explanation | undefined;
}

/** What sets variables in scripts of JetBrains, kulala, Postman, httpYac and rest.nvim, and script files. */
const SETS =
  /(?:\b(?:global|globals|variables|environment|collectionVariables|vars|env)\.set|\bset_env|\bset[vV]ar)\(\s*(["'`])(?<set>[^"'`\r\n]+)\1(?:\s*,\s*response\.body(?<body>(?:\.[\w$]+)+)\s*\))?|(?<object>\bexports|\$global)\.(?<exported>[\p{L}_$][\p{L}\p{N}_$]*)\s*=(?![=>])(?:\s*response\.parsedBody(?<parsed>(?:\.[\w$]+)+)\s*(?:;|$))?/gmu;

const FILE = /^[<>][ \t]+(\S.*\.(?:[cm]?[jt]s|lua))[ \t]*$/;

/**
 * Finds the variables that the scripts and assertions of a request text set, so that an error about such a variable
 * can name the script.
 *
 * @param areRun Whether the scripts of JetBrains' and httpYac's files are run; others never are.
 */
export function scriptVariables(text: SourceText, areRun: boolean = false): ScriptVariables {
  const found = new Map<string, Explanation>();
  const set = new Set<string>();
  let file: Explanation | undefined;
  for (const { start, source } of scriptsOf(text.source)) {
    const [, path] = FILE.exec(source) ?? [];
    const isRun = areRun && RUN.test(source);
    if (path !== undefined) file ??= explainFile(path, locate(text, start).line, isRun);
    for (const { index, groups = {} } of source.matchAll(SETS)) {
      const name = groups["set"] ?? groups["exported"] ?? "";
      const { line } = locate(text, start + index);
      if (isRun) set.add(groups["object"] === "$global" ? "$global" : name);
      found.set(
        name,
        isRun ? explainRun(line) : explainScript(name, line, groups["body"] ?? groups["parsed"]),
      );
    }
  }
  return { set, explanations: found, file };
}

function* scriptsOf(text: string): Generator<{ readonly start: number; readonly source: string }> {
  for (let at = 0; at < text.length; ) {
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

function explainFile(path: string, line: number, isRun: boolean): Explanation {
  const state = isRun ? "has not set it" : "is not run";
  return {
    message: `there is no such variable, and the script "${path}" at line ${line}, which may set it, ${state}`,
    hint: "Write it as @name = value, or set it with --var or client.setVar",
  };
}
