import type { BrunoRow } from "./bruno-entry.ts";
import type { Text } from "./collection.ts";
import { BRUNO, capturePath, fieldOf, lengthOf, type Scope } from "./postman-scripts.ts";
import type { ReadText } from "./rows.ts";
import { readAssertion } from "./write-request.ts";

const SCOPE: Scope = { dialect: BRUNO, aliases: new Map() };

/** Operators with a value. */
const OPERATORS: Readonly<Record<string, string>> = {
  eq: "==",
  neq: "!=",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  in: "in",
  notIn: "not in",
  contains: "contains",
  notContains: "not contains",
  matches: "matches",
  notMatches: "not matches",
  startsWith: "startsWith",
  endsWith: "endsWith",
  between: "between",
  length: "length",
};

/** Operators without a value. */
const UNARY: Readonly<Record<string, string>> = {
  isEmpty: "isEmpty",
  isNotEmpty: "not isEmpty",
  isNull: "isNull",
  isUndefined: "not isDefined",
  isDefined: "isDefined",
  isTruthy: "== true",
  isFalsy: "== false",
  isNumber: "isNumber",
  isString: "isString",
  isBoolean: "isBoolean",
  isArray: "isArray",
};

/**
 * Converts an assertion such as `res.status`, `eq 200`.
 *
 * @returns `undefined` if there is no equivalent.
 */
export function toAssertions(
  { name, value }: BrunoRow,
  read: ReadText,
): readonly Text[] | undefined {
  const field = fieldOf(withoutCall(name), SCOPE);
  const [word = "", ...rest] = value.split(" ");
  if (field === undefined || word === "isJson") return undefined;
  const unary = Object.hasOwn(UNARY, word) ? UNARY[word] : undefined;
  const operator = Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined;
  const operand = (operator === undefined ? value : rest.join(" ")).trim();
  const lines = unary === undefined ? compare(field, operator ?? "==", operand) : [[field, unary]];
  const texts = lines?.map((words) => read(words.join(" ")));
  return texts?.every((text) => readAssertion(text) !== undefined) === true ? texts : undefined;
}

/** What a variable takes of a response, such as `response.body.token` for `res.body.token`. */
export function toCapture(expression: string): string | undefined {
  return capturePath(withoutCall(expression), SCOPE);
}

/** The words of the assertions that a comparison is. */
function compare(
  field: string,
  operator: string,
  operand: string,
): readonly (readonly string[])[] | undefined {
  const list = operand
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map(unquote);
  const value = unquote(operand);
  const not = operator === "!=" ? "not " : "";
  switch (operator) {
    case "==":
    case "!=":
      if (operand === "null") return [[field, `${not}isNull`]];
      if (operand === "undefined") return [[field, not === "" ? "not isDefined" : "isDefined"]];
      return [[field, value === "" ? `${not}isEmpty` : `${operator} ${value}`]];
    case "between":
      return list.length === 2
        ? [
            [field, ">=", list[0] ?? ""],
            [field, "<=", list[1] ?? ""],
          ]
        : undefined;
    case "length":
      return field.startsWith("body $") ? [[lengthOf(field), "==", value]] : undefined;
    case "in":
    case "not in":
      return [[field, operator, list.join(", ")]];
    case "matches":
    case "not matches":
      return [[field, operator, isWithin(operand, "/") ? operand.slice(1, -1) : operand]];
    default:
      return [[field, operator, value]];
  }
}

function isWithin(text: string, mark: string): boolean {
  return text.length > 1 && text.startsWith(mark) && text.endsWith(mark);
}

/** The value of a quoted text, or the text. */
function unquote(written: string): string {
  const text = written.trim();
  const isQuoted = ["'", '"'].some((mark) => isWithin(text, mark));
  return isQuoted ? text.slice(1, -1) : text;
}

/** `res("a.b")` is `res.body.a.b`. */
function withoutCall(expression: string): string {
  const [, path] = /^\$?res\(\s*["']([\w.[\]-]+)["']\s*\)$/.exec(expression.trim()) ?? [];
  return path === undefined ? expression : `res.body${path.startsWith("[") ? "" : "."}${path}`;
}
