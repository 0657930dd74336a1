import type { CollectionBuilder, Text } from "./collection.ts";

/** What a script of Postman becomes. */
export interface ConvertedScript {
  /** Variable lines above the request. */
  readonly settings: readonly (readonly [name: string, value: Text])[];
  readonly assertions: readonly Text[];
  readonly captures: readonly (readonly [name: string, path: string])[];
  /** The statements that no rule covers. */
  readonly comments: readonly string[];
}

/**
 * Converts the common statements of a script to assertions, variable lines and captures. A statement that no rule
 * covers is kept as a comment. Nothing of a script is run.
 */
export function convertScript(
  script: string,
  listen: "prerequest" | "test",
  builder: Pick<CollectionBuilder, "nameOf">,
): ConvertedScript {
  const settings: (readonly [string, Text])[] = [];
  const assertions: Text[] = [];
  const captures: (readonly [string, string])[] = [];
  const comments: string[] = [];
  /** The variables of the script that contain the body of the response, or a part of it. */
  const bodies = new Map<string, string>();

  function convert(statement: string): boolean {
    const [, alias, value = ""] = ALIAS.exec(statement) ?? [];
    const path = alias === undefined ? undefined : pathOf(value, bodies);
    if (alias !== undefined && path !== undefined) {
      bodies.set(alias, path);
      return true;
    }
    const [, quoted, written = ""] = SET.exec(statement) ?? [];
    const name = quoted === undefined ? undefined : literalOf(quoted);
    if (name !== undefined) return set(builder.nameOf(name), written);
    const [, body = "", condition] = TEST.exec(statement) ?? [];
    const found =
      condition === undefined
        ? splitStatements(body === "" ? statement : body).map((one) => toAssertion(one, bodies))
        : [toCondition(condition, bodies)];
    const all = found.flat();
    if (listen !== "test" || all.length === 0 || all.includes(undefined)) return false;
    assertions.push(...(all as string[]).map((one): Text => [one]));
    return true;
  }

  function set(name: string, written: string): boolean {
    const literal = literalOf(written);
    const path = pathOf(written, bodies);
    if (listen === "prerequest" && literal !== undefined) settings.push([name, [literal]]);
    else if (listen === "test" && path !== undefined) captures.push([name, `response.body${path}`]);
    else return false;
    return true;
  }

  const isLong = script.length > LONGEST;
  const kept = isLong ? [script] : splitStatements(script).filter((one) => !convert(one));
  if (kept.length > 0) {
    const when = listen === "test" ? "after the response" : "before the request";
    comments.push(`Not converted, a script of Postman ${when}:`, ...kept);
  }
  return { settings, assertions, captures, comments };
}

/** Longer scripts are libraries, and would take long to be searched for statements. */
const LONGEST = 100_000;

/** `const jsonData = pm.response.json().data` */
const ALIAS = /^(?:var|let|const)\s+([\w$]+)\s*=\s*([^;]+)$/;

/** `pm.environment.set("name", value)`, and what it was called before. */
const SET =
  /^(?:pm\.(?:environment|collectionVariables|globals|variables)\.set|postman\.set(?:Environment|Global)Variable)\(\s*("[^"\\]*"|'[^'\\]*')\s*,\s*([\s\S]+?)\s*\)$/;

/** `pm.test("name", () => { … })`, or `tests["name"] = …`. */
const TEST =
  /^(?:pm\.test\(\s*(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`$]*`)\s*,\s*(?:function\s*\w*\s*\(\s*\)|\(\s*\)\s*=>)\s*\{([\s\S]*)\}\s*\)|tests\[[^\]]*\]\s*=\s*([\s\S]+))$/;

/** Splits code at the semicolons and line ends outside of brackets and texts; comments are left out. */
function splitStatements(code: string): readonly string[] {
  const statements: string[] = [];
  let depth = 0;
  let current = "";
  const end = (): void => {
    if (current.trim() !== "") statements.push(current.trim());
    current = "";
  };
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|[\s\S]/g;
  for (const [text] of code.matchAll(token)) {
    if (/^\/[/*]/.test(text)) continue;
    if (/^[([{]$/.test(text)) depth += 1;
    if (/^[)\]}]$/.test(text)) depth -= 1;
    const isEnd = depth <= 0 && (text === ";" || text === "\n");
    // A chain may go on in the next line, and a condition have another branch.
    if (!isEnd) current += text;
    else if (text === ";" || !/(?:[.=,&|?:+(]|\belse)\s*$/.test(current)) end();
    else current += text;
  }
  end();
  return joinContinued(statements);
}

function joinContinued(statements: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const statement of statements) {
    const last = joined.at(-1);
    if (last !== undefined && /^(?:\.|else\b|catch\b|finally\b)/.test(statement)) {
      joined.splice(-1, 1, last + (statement.startsWith(".") ? "" : " ") + statement);
    } else joined.push(statement);
  }
  return joined;
}

/** The value of a literal of JavaScript, as the text that an assertion compares with. */
function literalOf(code: string): string | undefined {
  const text = code.trim();
  if (/^(?:-?\d+(?:\.\d+)?|true|false)$/.test(text)) return text;
  const [, double, single] = /^(?:"([^"\\\r\n]*)"|'([^'\\\r\n]*)')$/.exec(text) ?? [];
  const value = double ?? single;
  // The value of an assertion has no blanks around it.
  return value === undefined || value !== value.trim() || value === "" ? undefined : value;
}

const BODY =
  /^(?:pm\.response\.json\(\)|JSON\.parse\(\s*(?:responseBody|pm\.response\.text\(\))\s*\))/;
const PATH = /^(?:\.[A-Za-z_][\w]*|\[\d+\]|\[(?:"[^"\\\]]+"|'[^'\\\]]+')\])*$/;

/** The path in the body of the response that an expression stands for. */
function pathOf(code: string, bodies: ReadonlyMap<string, string>): string | undefined {
  const text = code.trim();
  const whole = BODY.exec(text)?.[0];
  const [name = ""] = whole === undefined ? (/^[\w$]+/.exec(text) ?? []) : [];
  const start = whole === undefined ? bodies.get(name) : "";
  if (start === undefined) return undefined;
  const rest = text.slice((whole ?? name).length).replaceAll("'", '"');
  return PATH.test(rest) ? start + rest : undefined;
}

/** What is expected of a value: `.to.eql(1)`, `.to.be.below(200)`. */
const EXPECT = /^pm\.expect\(([\s\S]+?)\)\s*\.to\.((?:\w+\.)*)(\w+)(?:\(\s*([\s\S]*?)\s*\))?$/;

const PREDICATES: Readonly<Record<string, string>> = {
  eql: "==",
  eq: "==",
  equal: "==",
  equals: "==",
  include: "contains",
  includes: "contains",
  contain: "contains",
  contains: "contains",
  below: "<",
  lessThan: "<",
  above: ">",
  greaterThan: ">",
  least: ">=",
  most: "<=",
};

const TYPES: Readonly<Record<string, string>> = {
  string: "isString",
  number: "isNumber",
  boolean: "isBoolean",
  array: "isArray",
};

type Assertions = readonly (string | undefined)[];
const NONE: Assertions = [undefined];

function toAssertion(statement: string, bodies: ReadonlyMap<string, string>): Assertions {
  const [, status] = /^pm\.response\.to\.have\.status\(\s*(\d{3})\s*\)$/.exec(statement) ?? [];
  if (status !== undefined) return [`status == ${status}`];
  if (/^pm\.response\.to\.be\.(?:ok|success)$/.test(statement))
    return ["status >= 200", "status < 300"];
  if (/^pm\.response\.to\.be\.json$/.test(statement)) return ["header content-type contains json"];
  const [, header = "", value] =
    /^pm\.response\.to\.have\.header\(\s*("[\w-]+"|'[\w-]+')(?:\s*,\s*([\s\S]+?))?\s*\)$/.exec(
      statement,
    ) ?? [];
  if (header !== "") return headerIs(header.slice(1, -1), value);
  const [, subject = "", words = "", last = "", argument] = EXPECT.exec(statement) ?? [];
  if (subject === "") return NONE;
  const field = fieldOf(subject, bodies);
  const isNegated = words.split(".").includes("not");
  const predicate = Object.hasOwn(PREDICATES, last) ? PREDICATES[last] : undefined;
  if (field === undefined || argument === undefined || /deep\.|any\.|all\./.test(words))
    return NONE;
  if (last === "oneOf" && field === "status" && /^\[[\d\s,]+\]$/.test(argument)) {
    const codes = argument.match(/\d+/g) ?? [];
    return [`status ${isNegated ? "not " : ""}in ${codes.join(", ")}`];
  }
  const literal = literalOf(argument);
  if (literal === undefined) return NONE;
  const type = last === "a" || last === "an" ? TYPES[literal] : undefined;
  if (type !== undefined) return [`${field} ${isNegated ? "not " : ""}${type}`];
  if (literal === "" && predicate === "==") return [`${field} ${isNegated ? "not " : ""}isEmpty`];
  return predicate === undefined || literal === ""
    ? NONE
    : [`${field} ${isNegated ? "not " : ""}${predicate} ${literal}`];
}

function headerIs(name: string, value: string | undefined): Assertions {
  if (value === undefined) return [`header ${name} isDefined`];
  const literal = literalOf(value);
  return literal === undefined || literal === "" ? NONE : [`header ${name} == ${literal}`];
}

/** The field of an assertion that an expression stands for. */
function fieldOf(subject: string, bodies: ReadonlyMap<string, string>): string | undefined {
  const text = subject.trim();
  if (/^(?:pm\.response\.code|responseCode\.code)$/.test(text)) return "status";
  if (/^(?:pm\.response\.responseTime|responseTime)$/.test(text)) return "duration";
  if (/^(?:pm\.response\.text\(\)|responseBody)$/.test(text)) return "body";
  const [, header] =
    /^(?:pm\.response\.headers\.get|postman\.getResponseHeader)\(\s*["']([\w-]+)["']\s*\)$/.exec(
      text,
    ) ?? [];
  if (header !== undefined) return `header ${header}`;
  const path = pathOf(text, bodies);
  return path === undefined || path === "" ? undefined : `body $${path}`;
}

/** `responseCode.code === 200`, `responseTime < 200`, `responseBody.has("text")`. */
function toCondition(condition: string, bodies: ReadonlyMap<string, string>): Assertions {
  const [, contained] = /^responseBody\.has\(\s*([\s\S]+?)\s*\)$/.exec(condition) ?? [];
  if (contained !== undefined) {
    const literal = literalOf(contained);
    return literal === undefined || literal === "" ? NONE : [`body contains ${literal}`];
  }
  const [, subject = "", operator = "", value = ""] =
    /^([^=!<>]+?)\s*(===?|!==?|<=?|>=?)\s*([^=!<>]+)$/.exec(condition) ?? [];
  const field = fieldOf(subject, bodies);
  const literal = literalOf(value);
  if (field === undefined || literal === undefined) return NONE;
  if (literal === "") {
    return /^[=!]/.test(operator) ? [`${field} ${operator[0] === "!" ? "not " : ""}isEmpty`] : NONE;
  }
  return [`${field} ${operator.replace(/^([=!]=)=$/, "$1")} ${literal}`];
}
