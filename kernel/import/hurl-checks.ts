import { JsonPathFault, parseJsonPath, stepText } from "../../lib/interpolation/mod.ts";
import { isHeaderName, readText } from "../../lib/request/mod.ts";
import type { Text } from "./collection.ts";
import type { HurlText, HurlToken } from "./hurl.ts";
import { decodeBase64 } from "./values.ts";
import { readAssertion } from "./write-request.ts";

/** Text of Hurl with its variables by their names here. */
type ToText = (text: HurlText) => Text;

/** What an assertion or a capture becomes. */
export interface Converted<T> {
  readonly result: T;
  /** How it differs. */
  readonly change?: string;
}

/** What an assertion is about. */
interface Subject {
  /** As an assertion here names it: `status`, `body $.items[0]`. */
  readonly field: string;
  /**
   * `text` is always a text, `number` a number and `list` a list; `json` is any value, and `many` all values of a
   * JSONPath.
   */
  readonly kind: "text" | "number" | "list" | "json" | "many";
  /** What has to hold as well. */
  readonly before?: readonly Text[];
  readonly rest: readonly HurlToken[];
}

/**
 * Converts an assertion of Hurl. None of the lines passes where Hurl's fails: where a predicate here compares values of
 * any type, another line says the type.
 *
 * @returns `undefined` if nothing here says the same.
 */
export function convertAssert(
  tokens: readonly HurlToken[],
  toText: ToText,
): Converted<readonly Text[]> | undefined {
  const pattern = regexOf(tokens);
  if (pattern !== undefined) return said([["body ", pattern]]);
  const digest = digestOf(tokens);
  if (digest !== undefined) return said([[digest]]);
  const subject = subjectOf(tokens);
  if (subject === undefined) return undefined;
  const isNegated = subject.rest[0]?.source === "not";
  const [name, operand, ...more] = isNegated ? subject.rest.slice(1) : subject.rest;
  if (name?.kind !== "word" || more.length > 0) return undefined;
  const hasList = subject.kind === "many" && /^(?:contains|includes)$/.test(name.source);
  const one = hasList ? listOf(subject) : operand === undefined ? subject : singleOf(subject);
  if (subject.kind === "many" && isNegated && operand !== undefined && !hasList) return undefined;
  const lines = predicateLines(one, name.source, operand, isNegated, toText);
  if (lines === undefined) return undefined;
  const change =
    operand?.kind === "expression"
      ? "The value of the variable is compared by its text"
      : hasList && isNegated
        ? "Where the path has one value, no part of it is compared"
        : undefined;
  const { field, before = [] } = one;
  return said([...before, ...lines.map((line): Text => [`${field} `, ...line])], change);
}

/** All values of a path, as a list. */
function listOf(subject: Subject): Subject {
  return { ...subject, field: `${subject.field}[]`, kind: "list" };
}

/** The value of a path: Hurl takes a single one for itself, and several for a list. */
function singleOf(subject: Subject): Subject {
  if (subject.kind !== "many") return subject;
  const before = [[`${subject.field.replace("body", "count")} == 1`]];
  return { ...subject, kind: "json", before };
}

/** An assertion of the whole body: that it is exactly a text. */
export function bodyIs(text: Text): readonly Text[] | undefined {
  const pattern = wholePattern(text);
  return pattern === undefined ? undefined : said([["body ", pattern]])?.result;
}

/** An assertion of a header of the response. */
export function headerIs(name: string, value: Text): readonly Text[] | undefined {
  const subject: Subject = { field: `header ${name}`, kind: "text", rest: [] };
  const lines = isHeaderName(name) ? equalLines(subject, value, false) : undefined;
  return said(lines?.map((line) => [`${subject.field} `, ...line]))?.result;
}

/** The path of a response that a capture takes its value from: `response.body.token`. */
export function convertCapture(all: readonly HurlToken[]): Converted<string> | undefined {
  const tokens = all.filter(({ source }) => source !== "redact");
  const path = capturePath(tokens);
  if (path === undefined) return undefined;
  const { statements, failure } = readText(`@value = {{name.${path.result}}}`);
  const [line, ...more] = statements;
  const isRead = failure === undefined && line?.kind === "assignment" && more.length === 0;
  return isRead ? path : undefined;
}

function capturePath(tokens: readonly HurlToken[]): Converted<string> | undefined {
  const [query, argument, ...rest] = tokens;
  const name = argument === undefined ? undefined : literalOf(argument);
  const list = query?.source === "cookie" ? "cookies" : query?.source === "header" && "headers";
  if (list && name !== undefined && rest.length === 0 && /^[\w-]+$/.test(name)) {
    return { result: `response.${list}.${name}` };
  }
  const own = ["body", "status", "url", "duration"].find((one) => one === query?.source);
  if (own !== undefined && argument === undefined) {
    return { result: `response.${own === "duration" ? "time" : own}` };
  }
  const subject = subjectOf(tokens);
  if (subject === undefined || subject.rest.length > 0) return undefined;
  const path = subject.field.replace(/^body \$/, "");
  // Only JSONPath counts from the end of a list.
  if (subject.kind === "json") {
    return { result: `response.body${path.includes("[-") ? `.$${path}` : path}` };
  }
  if (subject.kind !== "many") return undefined;
  const change = "The first value is taken where the path has several";
  return { result: `response.body.$${path}`, change };
}

/** Whether the lines are read as they are meant. */
function said(
  lines: readonly Text[] | undefined,
  change?: string,
): Converted<readonly Text[]> | undefined {
  if (lines === undefined) return undefined;
  for (const line of lines) {
    const assertion = readAssertion(line);
    if (assertion === undefined || assertion.field.kind === "js") return undefined;
  }
  return { result: lines, ...(change !== undefined && { change }) };
}

function literalOf({ kind, text }: HurlToken): string | undefined {
  const [only = "", ...more] = text;
  return kind === "string" && more.length === 0 && typeof only === "string" ? only : undefined;
}

function subjectOf(tokens: readonly HurlToken[]): Subject | undefined {
  const [query, argument, ...rest] = tokens;
  switch (query?.kind === "word" ? query.source : "") {
    case "status":
    case "duration":
      return { field: query?.source ?? "", kind: "number", rest: tokens.slice(1) };
    case "header": {
      const name = argument === undefined ? undefined : literalOf(argument);
      if (name === undefined || !isHeaderName(name)) return undefined;
      return { field: `header ${name}`, kind: "text", rest };
    }
    case "body":
      if (argument?.source === "jsonpath") return subjectOf(tokens.slice(1));
      return { field: "body", kind: "text", rest: tokens.slice(1) };
    case "jsonpath": {
      const path = argument === undefined ? undefined : literalOf(argument);
      return path === undefined ? undefined : jsonSubject(path, rest);
    }
    default:
      return undefined;
  }
}

function jsonSubject(path: string, filters: readonly HurlToken[]): Subject | undefined {
  // Braces would be a placeholder, and a line break would end the line.
  if (/[{}\p{Cc}\u2028\u2029]/u.test(path)) return undefined;
  const found = stepsOf(path);
  if (found === undefined) return undefined;
  let rest = filters;
  if (found === "many") {
    const isCount = rest[0]?.source === "count";
    const kind = isCount ? "number" : "many";
    return {
      field: `${isCount ? "count" : "body"} ${path}`,
      kind,
      rest: rest.slice(isCount ? 1 : 0),
    };
  }
  const steps = [...found];
  for (; ; rest = rest.slice(1)) {
    const [filter, number] = rest;
    if (filter?.source === "first") steps.push(0);
    else if (filter?.source === "last") steps.push(-1);
    else if (filter?.source === "nth" && /^-?\d{1,9}$/.test(number?.source ?? "")) {
      steps.push(Number(number?.source));
      rest = rest.slice(1);
    } else break;
  }
  const text = steps.map(stepText).join("");
  // The elements of the list at a path are counted; of a JSONPath it would be the list itself.
  if (rest[0]?.source === "count") {
    const field = `count ${text === "" ? "$[*]" : text.replace(/^\./, "")}`;
    const before = text === "" ? [["body $ isArray"]] : [];
    return { field, kind: "number", rest: rest.slice(1), before };
  }
  return { field: `body $${text}`, kind: "json", rest };
}

/** The steps of a JSONPath that leads to one value. */
function stepsOf(path: string): readonly (string | number)[] | "many" | undefined {
  try {
    const { path: segments, end } = parseJsonPath(path, 0);
    if (end !== path.length || !path.startsWith("$")) return undefined;
    const steps = segments.map(({ deep, selectors: [only, ...more] }) => {
      if (deep || more.length > 0) return undefined;
      return only?.kind === "name" ? only.name : only?.kind === "index" ? only.index : undefined;
    });
    return steps.every((step) => step !== undefined) ? steps : "many";
  } catch (error) {
    if (error instanceof JsonPathFault) return undefined;
    throw error;
  }
}

/** `regex "…" exists`: the body has a match. */
function regexOf([query, pattern, ...rest]: readonly HurlToken[]): string | undefined {
  const words = rest.map(({ source }) => source).join(" ");
  if (query?.source !== "regex" || pattern === undefined || !/^(?:not )?exists$/.test(words))
    return undefined;
  const text = patternOf(pattern);
  return text === undefined ? undefined : `${words.startsWith("not") ? "not " : ""}${text}`;
}

/** `sha256 == hex,…;` */
function digestOf([query, name, value, ...rest]: readonly HurlToken[]): string | undefined {
  const isDigest = query?.source === "sha256" || query?.source === "md5";
  if (!isDigest || name?.source !== "==" || value?.kind !== "bytes" || rest.length > 0)
    return undefined;
  const [, encoding, text = ""] = /^(hex|base64),\s*([^;]*?)\s*;$/.exec(value.source) ?? [];
  const bytes = encoding === "base64" ? decodeBase64(text) : undefined;
  const hex = bytes === undefined ? text : Buffer.from(bytes).toString("hex");
  const isHex = hex.length === (query?.source === "md5" ? 32 : 64) && /^[\da-f]+$/i.test(hex);
  return isHex ? `body ${query?.source} ${hex}` : undefined;
}

const SYNONYMS: Readonly<Record<string, string>> = {
  equals: "==",
  notEquals: "!=",
  greaterThan: ">",
  greaterThanOrEquals: ">=",
  lessThan: "<",
  lessThanOrEquals: "<=",
};

const TYPES: ReadonlySet<string> = new Set(["isString", "isNumber", "isBoolean"]);

type Lines = readonly Text[] | undefined;

/** The lines of a predicate, without the field. */
function predicateLines(
  subject: Subject,
  name: string,
  operand: HurlToken | undefined,
  isNegated: boolean,
  toText: ToText,
): Lines {
  const predicate = Object.hasOwn(SYNONYMS, name) ? (SYNONYMS[name] ?? name) : name;
  if (subject.kind === "many") {
    return predicate === "exists" && operand === undefined
      ? bareLines(subject, predicate, isNegated)
      : undefined;
  }
  if (operand === undefined) return bareLines(subject, predicate, isNegated);
  const not = isNegated ? "not " : "";
  if (predicate === "!=") {
    if (isNegated) return undefined;
    const lines = valueLines(subject, operand, true, toText);
    // In Hurl a missing value is not different from another.
    return lines === undefined || subject.field === "body" || subject.kind === "number"
      ? lines
      : [["isDefined"], ...lines];
  }
  if (predicate === "==") return valueLines(subject, operand, isNegated, toText);
  if (/^[<>]=?$/.test(predicate)) {
    const value = numberOf(operand) ?? variableOf(operand, toText);
    if (value === undefined || subject.kind === "text") return undefined;
    const line = [`${not}${predicate} `, ...value];
    return subject.kind === "json" ? [["isNumber"], line] : [line];
  }
  if (subject.kind === "number") return undefined;
  const isString: Lines = subject.kind === "json" ? [["isString"]] : [];
  if (predicate === "matches") {
    const pattern = patternOf(operand);
    return pattern === undefined ? undefined : [...isString, [`${not}${pattern}`]];
  }
  if (subject.kind === "list") return listLines(operand, isNegated, toText);
  if (predicate === "includes") {
    const lines = subject.kind === "json" ? listLines(operand, isNegated, toText) : undefined;
    return lines && [["isArray"], ...lines];
  }
  const ends: Readonly<Record<string, readonly [before: string, after: string]>> = {
    startsWith: ["^", ""],
    endsWith: ["", "$"],
    contains: ["", ""],
  };
  const end = Object.hasOwn(ends, predicate) ? ends[predicate] : undefined;
  if (end === undefined || operand.kind !== "string") return undefined;
  const text = toText(operand.text);
  // Lists may contain a text as well; a number has the digits of one.
  const types = predicate === "contains" && !isTyped(text) ? [] : isString;
  if (isEasy(text)) return [...types, [`${not}${predicate} `, ...text]];
  const pattern = exactPattern(text);
  if (pattern === undefined) return undefined;
  return [...isString, [`${not}matches ${end[0]}${pattern}${end[1]}`]];
}

/** Predicates without a value. */
function bareLines({ field, kind }: Subject, predicate: string, isNegated: boolean): Lines {
  const not = isNegated ? "not " : "";
  if (predicate === "exists")
    return kind === "number" || field === "body" ? undefined : [[`${not}isDefined`]];
  if (predicate === "isEmpty") {
    // Null is neither empty nor not empty in Hurl.
    if (kind === "number") return undefined;
    return isNegated && kind === "json" ? [["not isNull"], ["not isEmpty"]] : [[`${not}isEmpty`]];
  }
  if (kind !== "json") return undefined;
  if (TYPES.has(predicate)) return [[`${not}${predicate}`]];
  if (predicate === "isList") return [[`${not}isArray`]];
  // The text of a list or an object begins with its bracket.
  if (!isNegated && predicate === "isCollection") return [["not isString"], ["matches ^[\\[{]"]];
  if (!isNegated && predicate === "isObject") return [["not isString"], ["matches ^[{]"]];
  if (predicate === "isInteger" && isNegated) return [["not matches ^-?\\d+$"]];
  if (isNegated || (predicate !== "isInteger" && predicate !== "isFloat")) return undefined;
  return [["isNumber"], [`${predicate === "isFloat" ? "not " : ""}matches ^-?\\d+$`]];
}

/** `==` with any value. */
function valueLines(
  subject: Subject,
  operand: HurlToken,
  isNegated: boolean,
  toText: ToText,
): Lines {
  const { kind } = subject;
  const sign = isNegated ? "!= " : "== ";
  const number = numberOf(operand);
  if (number !== undefined) {
    if (kind === "text") return undefined;
    return kind === "json" && !isNegated ? [["isNumber"], [sign, ...number]] : [[sign, ...number]];
  }
  const variable = variableOf(operand, toText);
  if (variable !== undefined) return subject.field === "body" ? undefined : [[sign, ...variable]];
  if (operand.kind === "word" && kind === "json") {
    if (operand.source === "null") return [[isNegated ? "not isNull" : "isNull"]];
    if (!/^(?:true|false)$/.test(operand.source)) return undefined;
    const line = `${sign}${operand.source}`;
    return isNegated ? [[line]] : [["isBoolean"], [line]];
  }
  if (operand.kind !== "string" || kind === "number") return undefined;
  return equalLines(subject, toText(operand.text), isNegated);
}

/** That a value is a text, or is not. */
function equalLines({ field, kind }: Subject, text: Text, isNegated: boolean): Lines {
  const not = isNegated ? "not " : "";
  const type: Lines = kind === "json" && !isNegated ? [["isString"]] : [];
  if (text.length === 0) return [...type, [`${not}isEmpty`]];
  // The whole body would also be compared as JSON.
  if (isEasy(text) && field !== "body") {
    return [...(isTyped(text) ? type : []), [isNegated ? "!= " : "== ", ...text]];
  }
  const pattern = wholePattern(text);
  return pattern === undefined ? undefined : [...type, [`${not}${pattern}`]];
}

/** That a list has an element. */
function listLines(operand: HurlToken, isNegated: boolean, toText: ToText): Lines {
  const not = isNegated ? "not " : "";
  const number = numberOf(operand);
  if (number !== undefined) {
    const each: Lines = isNegated ? [] : [["each isNumber"]];
    return [...each, [`${not}contains `, ...number]];
  }
  if (operand.kind !== "string") return undefined;
  const text = toText(operand.text);
  if (!isEasy(text)) return undefined;
  const each: Lines = isTyped(text) && !isNegated ? [["each isString"]] : [];
  return [...each, [`${not}contains `, ...text]];
}

function numberOf({ kind, source }: HurlToken): Text | undefined {
  return kind === "word" && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(source) ? [source] : undefined;
}

function variableOf({ kind, text }: HurlToken, toText: ToText): Text | undefined {
  return kind === "expression" ? toText(text) : undefined;
}

/** Whether a text can stand behind a predicate as it is. */
function isEasy(text: Text): boolean {
  const [first, last] = [text[0], text.at(-1)];
  if (first === undefined || (typeof first === "string" && /^\s/.test(first))) return false;
  if (typeof last === "string" && /\s$/.test(last)) return false;
  return text.every((part) => typeof part !== "string" || !/[\p{Cc}\u2028\u2029]/u.test(part));
}

/** Whether a value of another type could equal a text. */
function isTyped(text: Text): boolean {
  const [only, ...more] = text;
  if (typeof only !== "string" || more.length > 0) return true;
  return /^\s*(?:[-+.\d[{]|(?:true|false|null|undefined)\s*$)/.test(only);
}

/** Longer ones are no lines that a person reads. */
const LONGEST = 1_000;

/** An expression that matches exactly a text without variables. */
function exactPattern(text: Text): string | undefined {
  const [only = "", ...more] = text;
  if (typeof only !== "string" || more.length > 0 || only.length > LONGEST) return undefined;
  return only.replace(/[\\^$.*+?()[\]|/{}\p{Cc}\u2028\u2029]|^ | $/gu, (sign) => {
    if (sign === "\n") return "\\n";
    // Two braces after a backslash would be those of a placeholder.
    if (/[{}]/.test(sign)) return `[${sign}]`;
    if (/[\\^$.*+?()[\]|/]/.test(sign)) return `\\${sign}`;
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function wholePattern(text: Text): string | undefined {
  const pattern = exactPattern(text);
  return pattern === undefined ? undefined : `matches ^${pattern}$`;
}

/** What only the regular expressions of Rust have, or mean otherwise. */
const RUST = /\(\?(?!:)|\\[AzZ<>Qapx]|\[\[:|&&|--|~~|[\p{Cc}\u2028\u2029]/u;

/** The predicate of a regular expression of Hurl, as JavaScript writes it. */
function patternOf({ kind, source, text }: HurlToken): string | undefined {
  const [only = "", ...more] = text;
  if ((kind !== "regex" && kind !== "string") || more.length > 0 || typeof only !== "string")
    return undefined;
  const whole = kind === "regex" ? source : only;
  const written = whole.replace(/^\(\?i\)/, "");
  if (written === "" || RUST.test(written)) return undefined;
  const pattern = written.replace(/\\(.)|^ | $/g, (found, sign?: string) => {
    if (sign === undefined) return "\\u0020";
    if (/[-{}]/.test(sign)) return `\\u00${sign.charCodeAt(0).toString(16)}`;
    return /[\w^$\\.*+?()[\]|/]/.test(sign) ? found : sign;
  });
  try {
    new RegExp(pattern, "u");
  } catch {
    // The engine does not know it.
    return undefined;
  }
  return `${written === whole ? "" : "ignoreCase "}matches ${pattern}`;
}
