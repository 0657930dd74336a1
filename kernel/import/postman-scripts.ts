import type { CollectionBuilder, Text } from "./collection.ts";

/** How the scripts of a tool say what others say as well. */
export interface Dialect {
  /** What messages call the tool. */
  readonly name: string;
  /** The body of the response as JSON, at the beginning of an expression. */
  readonly body: RegExp;
  /** A whole expression for each other field of an assertion; group 1 is the name of a header. */
  readonly fields: readonly (readonly [expression: RegExp, field: string])[];
  /** All headers of the response, as a whole expression. */
  readonly headers: RegExp;
  /** A statement that sets a variable: its quoted name, and its value. */
  readonly set: RegExp;
  /** A test: the statements in it, or a condition. */
  readonly test: RegExp;
  /** An expectation: what it is about, its words, the last of them, and the argument. */
  readonly expect: RegExp;
}

/** A script, and when it is run. */
export interface Script {
  readonly listen: "prerequest" | "test";
  readonly text: string;
}

/** What a script becomes. */
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
  dialect: Dialect = POSTMAN_SCRIPTS,
): ConvertedScript {
  const settings: (readonly [string, Text])[] = [];
  const assertions: Text[] = [];
  const captures: (readonly [string, string])[] = [];
  const comments: string[] = [];
  /** The variables of the script that contain a part of the response, with the expressions for it. */
  const scope: Scope = { dialect, aliases: new Map() };

  function convert(statement: string): boolean {
    const [, body = "", condition] = dialect.test.exec(statement) ?? [];
    if (body === "" && condition === undefined && statement.length > LONGEST_STATEMENT)
      return false;
    if (setAlias(statement, scope)) return true;
    const [, quoted, written = ""] = dialect.set.exec(statement) ?? [];
    const name = quoted === undefined ? undefined : literalOf(quoted);
    if (name !== undefined) return set(builder.nameOf(name), written);
    const found =
      condition === undefined
        ? convertTest(body === "" ? statement : body, scope)
        : toCondition(condition, scope);
    if (listen !== "test" || found.length === 0 || found.includes(undefined)) return false;
    assertions.push(...(found as string[]).map((one): Text => [one]));
    return true;
  }

  function set(name: string, written: string): boolean {
    const literal = literalOf(written);
    const path = capturePath(written, scope);
    if (listen === "prerequest" && literal !== undefined) settings.push([name, [literal]]);
    else if (listen === "test" && path !== undefined) captures.push([name, path]);
    else return false;
    return true;
  }

  const isLong = script.length > LONGEST;
  const kept = isLong ? [script] : splitStatements(script).filter((one) => !convert(one));
  if (kept.length > 0) {
    const when = listen === "test" ? "after the response" : "before the request";
    comments.push(`Not converted, a script of ${dialect.name} ${when}:`, ...kept);
  }
  return { settings, assertions, captures, comments };
}

/** Converts the scripts of a request, and says in the report if a part of them is left. */
export function convertScripts(
  scripts: readonly Script[],
  where: string,
  builder: CollectionBuilder,
  dialect?: Dialect,
): ConvertedScript {
  const all = scripts.map(({ text, listen }) => convertScript(text, listen, builder, dialect));
  const comments = all.flatMap((one) => one.comments);
  if (comments.length > 0) {
    const message = "Parts of its scripts have no equivalent: they are comments";
    builder.remark("left out", where, message);
  }
  return {
    settings: all.flatMap((one) => one.settings),
    assertions: all.flatMap((one) => one.assertions),
    captures: all.flatMap((one) => one.captures),
    comments,
  };
}

/** The description of a folder, with its scripts, which run for each of its requests. */
export function describeFolder(
  description: string | undefined,
  scripts: readonly Script[],
  where: string,
  builder: CollectionBuilder,
): string | undefined {
  if (scripts.length > 0) {
    const message = "The scripts of a folder, which run with each of its requests";
    builder.remark("left out", where, message);
  }
  const code = scripts.map(({ text }) => text.replace(/^/gm, "    "));
  const parts = [description, ...code].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** Longer scripts are libraries, and would take long to be searched for statements. */
const LONGEST = 20_000;
/** Longer statements are none that a rule covers, unless they are tests. */
const LONGEST_STATEMENT = 1000;

/** What the names of a script stand for. */
export interface Scope {
  readonly dialect: Dialect;
  readonly aliases: Map<string, string>;
}

/** The statements of a test; it may name parts of the response for itself. */
function convertTest(body: string, outer: Scope): Assertions {
  const scope = { ...outer, aliases: new Map(outer.aliases) };
  return splitStatements(body).flatMap((statement): Assertions => {
    if (statement.length > LONGEST_STATEMENT) return NONE;
    return setAlias(statement, scope) ? [] : toAssertion(statement, scope);
  });
}

/** Whether a statement names a part of the response. */
function setAlias(statement: string, scope: Scope): boolean {
  const [, alias, members, value = ""] = ALIAS.exec(statement) ?? [];
  const meant = resolve(value, scope);
  const isPart = fieldOf(value, scope) !== undefined || scope.dialect.headers.test(meant);
  if (!isPart) return false;
  if (alias !== undefined) scope.aliases.set(alias, meant);
  for (const member of members?.split(",") ?? []) {
    const [name = "", own = name] = member.split(":").map((one) => one.trim());
    scope.aliases.set(own, `${meant}.${name}`);
  }
  return true;
}

/** `const jsonData = pm.response.json().data`, `const { id, name: user } = jsonData` */
const ALIAS =
  /^(?:var|let|const)\s+(?:([\w$]+)|\{\s*(\w+(?:\s*:\s*\w+)?(?:\s*,\s*\w+(?:\s*:\s*\w+)?)*)\s*\})\s*=\s*([^;]+)$/;

const TEXT = /(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`$]*`)/.source;

/** A test `test("name", () => { … })`, or a condition. */
function testOf(name: string, condition: string): RegExp {
  const head = `${name}\\(\\s*${TEXT}\\s*,\\s*(?:async\\s+)?`;
  const start = `${head}(?:function(?:\\s+\\w+)?\\s*\\(\\s*\\)|\\(\\s*\\)\\s*=>)`;
  return new RegExp(`^(?:${start}\\s*\\{([\\s\\S]*)\\}\\s*\\)${condition})$`);
}

/** What is expected of a value: `.to.eql(1)`, `.to.be.below(200)`. */
function expectOf(name: string): RegExp {
  const words = "\\s*\\.(?:to\\.)?((?:\\w+\\.)*)(\\w+)";
  return new RegExp(`^${name}\\(([\\s\\S]+?)\\)${words}(?:\\(\\s*([\\s\\S]*?)\\s*\\))?$`);
}

/** The scripts of Postman, also as they were written before `pm`. */
export const POSTMAN_SCRIPTS: Dialect = {
  name: "Postman",
  body: /^(?:pm\.response\.json\(\)|JSON\.parse\(\s*(?:responseBody|pm\.response\.text\(\))\s*\))/,
  fields: [
    [/^(?:pm\.response\.code|responseCode\.code)$/, "status"],
    [/^(?:pm\.response\.responseTime|responseTime)$/, "duration"],
    [/^(?:pm\.response\.text\(\)|responseBody)$/, "body"],
    [
      /^(?:pm\.response\.headers\.get|postman\.getResponseHeader)\(\s*["']([\w-]+)["']\s*\)$/,
      "header",
    ],
  ],
  headers: /^pm\.response\.headers$/,
  set: /^(?:pm\.(?:environment|collectionVariables|globals|variables)\.set|postman\.set(?:Environment|Global)Variable)\(\s*("[^"\\]*"|'[^'\\]*')\s*,\s*([\s\S]+?)\s*\)$/,
  test: testOf("pm\\.test", "|tests\\[[^\\]]*\\]\\s*=\\s*([\\s\\S]+)"),
  expect: expectOf("pm\\.expect"),
};

/** The scripts of Bruno. */
export const BRUNO: Dialect = {
  name: "Bruno",
  body: /^(?:\$?res\.body|res\.getBody\(\))(?![\w$(])/,
  fields: [
    [/^\$?res\.(?:status|getStatus\(\))$/, "status"],
    [/^\$?res\.(?:responseTime|getResponseTime\(\))$/, "duration"],
    [/^res\.getHeader\(\s*["']([\w-]+)["']\s*\)$/, "header"],
    [/^\$?res\.(?:headers|getHeaders\(\))(?:\.([\w]+)|\[\s*["']([\w-]+)["']\s*\])$/, "header"],
  ],
  headers: /^\$?res\.(?:headers|getHeaders\(\))$/,
  set: /^bru\.set(?:Var|EnvVar|GlobalEnvVar|CollectionVar)\(\s*("[^"\\]*"|'[^'\\]*')\s*,\s*([\s\S]+?)\s*\)$/,
  test: testOf("test", ""),
  expect: expectOf("expect"),
};

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

/** JSON that is written as an argument. */
function jsonOf(code: string): string | undefined {
  if (!/^[[{]/.test(code)) return undefined;
  try {
    return JSON.stringify(JSON.parse(code));
  } catch {
    return undefined;
  }
}

const PATH = /^(?:\.[A-Za-z_][\w]*|\[\d+\]|\[(?:"[^"\\\]]+"|'[^'\\\]]+')\])*$/;

/** An expression with the variables of the script replaced by what they stand for. */
function resolve(code: string, { aliases }: Scope): string {
  const text = code.trim();
  const [name = ""] = /^[\w$]+/.exec(text) ?? [];
  const meant = aliases.get(name);
  return meant === undefined ? text : meant + text.slice(name.length);
}

/** The path in the body of the response that an expression stands for. */
function bodyPath(code: string, scope: Scope): string | undefined {
  const text = resolve(code, scope);
  if (text.length > LONGEST_STATEMENT) return undefined;
  const whole = scope.dialect.body.exec(text)?.[0];
  if (whole === undefined) return undefined;
  const path = text.slice(whole.length).replaceAll("?.", ".").replaceAll("'", '"');
  return PATH.test(path) ? path : undefined;
}

/** What an expression takes of a response, as a placeholder says it: `response.body.token`. */
export function capturePath(code: string, scope: Scope): string | undefined {
  const path = bodyPath(code, scope);
  if (path !== undefined) return `response.body${path}`;
  const [kind, name] = fieldOf(code, scope)?.split(" ") ?? [];
  if (kind === "header") return `response.headers.${name}`;
  return kind === "status" ? "response.status" : undefined;
}

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

/** Expectations without an argument. */
const WORDS: Readonly<Record<string, string>> = {
  true: "== true",
  false: "== false",
  null: "isNull",
  empty: "isEmpty",
};

const TYPES: Readonly<Record<string, string>> = {
  string: "isString",
  number: "isNumber",
  boolean: "isBoolean",
  array: "isArray",
};

type Assertions = readonly (string | undefined)[];
const NONE: Assertions = [undefined];

function toAssertion(statement: string, scope: Scope): Assertions {
  const [, status] = /^pm\.response\.to\.have\.status\(\s*(\d{3})\s*\)$/.exec(statement) ?? [];
  if (status !== undefined) return [`status == ${status}`];
  const [, other] = /^pm\.response\.to\.not\.have\.status\(\s*(\d{3})\s*\)$/.exec(statement) ?? [];
  if (other !== undefined) return [`status != ${other}`];
  const [, property = ""] = /^pm\.response\.to\.be\.(\w+)$/.exec(statement) ?? [];
  if (Object.hasOwn(RESPONSES, property)) return RESPONSES[property] as Assertions;
  if (/^pm\.response\.to\.not\.be\.error$/.test(statement)) return ["status < 400"];
  const [, whole = ""] = /^pm\.response\.to\.have\.body\(\s*(.+?)\s*\)$/.exec(statement) ?? [];
  const text = literalOf(whole);
  if (text !== undefined) return [`body == ${text}`];
  const [, header = "", value] =
    /^pm\.response\.to\.have\.header\(\s*("[\w-]+"|'[\w-]+')(?:\s*,\s*([\s\S]+?))?\s*\)$/.exec(
      statement,
    ) ?? [];
  if (header !== "") return headerIs(header.slice(1, -1), value);
  const [, subject = "", words = "", last = "", argument] =
    scope.dialect.expect.exec(statement) ?? [];
  if (subject === "") return NONE;
  const field = fieldOf(subject, scope);
  const isNegated = words.split(".").includes("not");
  const predicate = Object.hasOwn(PREDICATES, last) ? PREDICATES[last] : undefined;
  if (field === undefined || /any\.|all\./.test(words)) return NONE;
  const not = isNegated ? "not " : "";
  if (argument === undefined) {
    const word = Object.hasOwn(WORDS, last) ? WORDS[last] : undefined;
    return word === undefined ? NONE : [`${field} ${not}${word}`];
  }
  const [, member = "", wanted] =
    /^["']([^"'\\\]]+)["'](?:\s*,\s*([\s\S]+))?$/.exec(argument) ?? [];
  if (last === "property" && member !== "" && field.startsWith("body $")) {
    const step = /^[A-Za-z_]\w*$/.test(member) ? `.${member}` : `["${member}"]`;
    if (wanted === undefined) return [`${field}${step} ${not}isDefined`];
    if (/^(?:""|'')$/.test(wanted)) return [`${field}${step} ${not}isEmpty`];
    const equal = literalOf(wanted) ?? jsonOf(wanted);
    return equal === undefined ? NONE : [`${field}${step} ${not}== ${equal}`];
  }
  if (/^length(?:Of)?$/.test(last) && field.startsWith("body $") && /^\d+$/.test(argument)) {
    return [`${lengthOf(field)} ${not}== ${argument}`];
  }
  if (last === "oneOf" && field === "status" && /^\[[\d\s,]+\]$/.test(argument)) {
    const codes = argument.match(/\d+/g) ?? [];
    return [`status ${not}in ${codes.join(", ")}`];
  }
  const literal = literalOf(argument) ?? (predicate === "==" ? jsonOf(argument) : undefined);
  if (literal === undefined) return NONE;
  const type = last === "a" || last === "an" ? TYPES[literal] : undefined;
  if (type !== undefined) return [`${field} ${not}${type}`];
  if (literal === "" && predicate === "==") return [`${field} ${not}isEmpty`];
  return predicate === undefined || literal === ""
    ? NONE
    : [`${field} ${not}${predicate} ${literal}`];
}

/** JSONPath has no length of a list or a text; the path of a value has. */
export function lengthOf(field: string): string {
  return `body ${`${field.slice("body $".length)}.length`.replace(/^\./, "")}`;
}

/** What is said of the whole response. */
const RESPONSES: Readonly<Record<string, Assertions>> = {
  ok: ["status >= 200", "status < 300"],
  success: ["status >= 200", "status < 300"],
  redirection: ["status >= 300", "status < 400"],
  clientError: ["status >= 400", "status < 500"],
  serverError: ["status >= 500", "status < 600"],
  error: ["status >= 400", "status < 600"],
  accepted: ["status == 202"],
  badRequest: ["status == 400"],
  unauthorized: ["status == 401"],
  forbidden: ["status == 403"],
  notFound: ["status == 404"],
  rateLimited: ["status == 429"],
  json: ["header content-type contains json"],
};

function headerIs(name: string, value: string | undefined): Assertions {
  if (value === undefined) return [`header ${name} isDefined`];
  const literal = literalOf(value);
  return literal === undefined || literal === "" ? NONE : [`header ${name} == ${literal}`];
}

/** The field of an assertion that an expression stands for. */
export function fieldOf(subject: string, scope: Scope): string | undefined {
  const path = bodyPath(subject, scope);
  if (path?.endsWith(".length")) return lengthOf(`body $${path.slice(0, -".length".length)}`);
  if (path !== undefined) return `body $${path}`;
  const text = resolve(subject, scope);
  for (const [expression, field] of scope.dialect.fields) {
    const [found, name, quoted] = expression.exec(text) ?? [];
    const header = name ?? quoted;
    if (found !== undefined) return header === undefined ? field : `${field} ${header}`;
  }
  return undefined;
}

/** `responseCode.code === 200`, `responseTime < 200`, `responseBody.has("text")`. */
function toCondition(condition: string, scope: Scope): Assertions {
  if (condition.length > LONGEST_STATEMENT) return NONE;
  const [, inner] = /^\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(condition.trim()) ?? [];
  if (inner !== undefined) return toCondition(inner, scope);
  const [, member, object = ""] = /^["'](\w+)["']\s+in\s+(.+)$/.exec(condition.trim()) ?? [];
  const path = member === undefined ? undefined : fieldOf(object, scope);
  if (path?.startsWith("body $")) return [`${path}.${member} isDefined`];
  const [, contained] = /^responseBody\.has\(\s*([\s\S]+?)\s*\)$/.exec(condition) ?? [];
  if (contained !== undefined) {
    const literal = literalOf(contained);
    return literal === undefined || literal === "" ? NONE : [`body contains ${literal}`];
  }
  const [, subject = "", operator = "", value = ""] =
    /^([^=!<>]+?)\s*(===?|!==?|<=?|>=?)\s*([^=!<>]+)$/.exec(condition) ?? [];
  const field = fieldOf(subject, scope);
  const literal = literalOf(value);
  if (field === undefined || literal === undefined) return NONE;
  if (literal === "") {
    return /^[=!]/.test(operator) ? [`${field} ${operator[0] === "!" ? "not " : ""}isEmpty`] : NONE;
  }
  return [`${field} ${operator.replace(/^([=!]=)=$/, "$1")} ${literal}`];
}
