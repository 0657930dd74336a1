import { parseArgs } from "node:util";
import { takesNextWord } from "../../lib/curl/mod.ts";
import type { Form, Pretty, ReplOptions, RequestWords } from "../repl/mod.ts";
import { helpOf, METHODS } from "./help.ts";
import { oneOf, SESSION_OPTIONS, toSessionOptions } from "./options.ts";

/** The prompt, entries of `-e` or standard input, or one request. */
export type ReplCommand =
  | { readonly kind: "repl"; readonly options: ReplOptions }
  | { readonly kind: "text"; readonly text: string };

/** The options of `restlab` without a command, besides those of sessions. */
const REPL_OPTIONS = {
  eval: { type: "string", short: "e", multiple: true },
  json: { type: "boolean" },
  body: { type: "boolean" },
  headers: { type: "boolean" },
  quiet: { type: "boolean", short: "q" },
  verbose: { type: "boolean", short: "v" },
  pretty: { type: "string" },
  "check-status": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const FORMS = ["json", "body", "headers", "quiet"] as const satisfies readonly Form[];

const PRETTY = ["none", "format", "colors", "all"] as const satisfies readonly Pretty[];

/**
 * Parses the arguments of `restlab` without a command.
 *
 * @param request The words of the request, if the command line is one.
 */
export function parseRepl(words: readonly string[], request?: RequestWords): ReplCommand {
  const { values } = parseArgs({
    args: [...words],
    options: { ...REPL_OPTIONS, ...SESSION_OPTIONS },
  });
  if (values.help) return { kind: "text", text: helpOf(request?.kind) ?? "" };
  const form = oneOf(FORMS, values) ?? "shown";
  const pretty = PRETTY.find((one) => one === values.pretty);
  if (values.pretty !== undefined && pretty === undefined) {
    throw new Error(`--pretty "${values.pretty}" is unknown: write ${PRETTY.join(", ")}`);
  }
  return {
    kind: "repl",
    options: {
      request,
      entries: values.eval ?? [],
      form,
      verbose: values.verbose ?? false,
      pretty,
      checkStatus: values["check-status"] ?? false,
      ...toSessionOptions(values),
    },
  };
}

/** A command line that is a request: the words of restlab, and those of the request. */
interface SplitWords {
  readonly own: readonly string[];
  readonly request: RequestWords;
}

/** The options of restlab, with `=` if they have a value. */
const OWN = optionWords({ ...REPL_OPTIONS, ...SESSION_OPTIONS });
/** Those of a request in HTTPie syntax, in which `-h` is for headers and `--json` for the body. */
const { eval: _eval, json: _json, help, headers, body, ...SHARED } = REPL_OPTIONS;
const OWN_OF_HTTPIE = optionWords({
  ...SHARED,
  ...SESSION_OPTIONS,
  body: { ...body, short: "b" },
  headers: { ...headers, short: "h" },
  help: { type: help.type },
});
/** Those of a curl command: what curl itself knows, such as `--json` and `-v`, is curl's. */
const { quiet: _quiet, verbose: _verbose, ...FOREIGN_TO_CURL } = SHARED;
const OWN_OF_CURL = optionWords({ ...FOREIGN_TO_CURL, ...SESSION_OPTIONS, body, headers, help });
const SPELLINGS_OF_HTTPIE: ReadonlyMap<string, string> = new Map([
  ["-b", "--body"],
  ["-h", "--headers"],
]);

/** What follows `--json` of curl, which is a boolean as an option of restlab: JSON, a file or a placeholder. */
const JSON_VALUE = /^\s*(?:[[{"]|@\S|\{\{)/;

interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
}

function optionWords(options: Readonly<Record<string, Option>>): ReadonlySet<string> {
  const words = Object.entries(options).flatMap(([name, { type, short }]) => {
    const spellings = short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
    return type === "string" ? spellings.map((word) => `${word}=`) : spellings;
  });
  return new Set(words);
}

/**
 * Splits a command line such as `--demo GET {{base}}/users -H 'Accept: a/b' --body`, `http :8787/users` or
 * `curl URL`.
 *
 * @returns `undefined` if it is not a request.
 */
export function splitRequest(given: readonly string[]): SplitWords | undefined {
  const own: string[] = [];
  const rest: string[] = [];
  let at = skipOwn(given, 0, OWN, own);
  const kind = kindOf(given[at] ?? "", given[at + 1]);
  if (kind === undefined) return undefined;
  if (kind !== "request") at += 1;
  const isHttpie = kind === "http" || kind === "https";
  const options = isHttpie ? OWN_OF_HTTPIE : kind === "curl" ? OWN_OF_CURL : OWN;
  while (at < given.length) {
    const next = skipOwn(given, at, options, own);
    // A value is not an option, whatever it looks like.
    const length = !isHttpie && takesNextWord(given[next] ?? "") ? 2 : 1;
    rest.push(...given.slice(next, next + length));
    at = next + length;
  }
  const spelled = isHttpie ? own.map((word) => SPELLINGS_OF_HTTPIE.get(word) ?? word) : own;
  return { own: spelled, request: { kind, words: rest } };
}

/** Moves the options of restlab that begin at an index to `own`, and returns where they end. */
function skipOwn(
  given: readonly string[],
  start: number,
  options: ReadonlySet<string>,
  own: string[],
): number {
  let at = start;
  for (; at < given.length; at++) {
    const word = given[at] ?? "";
    if (word === "--json" && JSON_VALUE.test(given[at + 1] ?? "")) break;
    const [name = ""] = word.split("=", 1);
    const hasValue = options.has(`${name}=`);
    if (!hasValue && !options.has(word)) break;
    own.push(word);
    if (hasValue && name === word && at + 1 < given.length) own.push(given[++at] ?? "");
  }
  return at;
}

function kindOf(word: string, next: string | undefined): RequestWords["kind"] | undefined {
  if (word === "http" || word === "https" || word === "curl") return word;
  if (METHODS.includes(word.toUpperCase()) || isTarget(word)) return "request";
  // Other methods, such as PURGE.
  return /^[A-Z][A-Z-]*$/.test(word) && isTarget(next ?? "") ? "request" : undefined;
}

/** Whether a word is a URL, or a path below the base, and neither a command nor the name of a file. */
function isTarget(word: string): boolean {
  if (word.startsWith("/")) return !/\.(?:ipynb|http|rest|ya?ml|json|har)$/i.test(word);
  return /^(?:[a-z][a-z\d+.-]*:\/\/|\{\{|:\d|localhost(?=[:/]|$)|127\.)/i.test(word);
}
