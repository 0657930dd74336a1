import {
  nearNames,
  parsePath,
  type SourceText,
  type Span,
  selectAll,
  shorten,
  type Template,
  type ValuePath,
} from "../interpolation/mod.ts";
import type { AssertionDraft, AssertionField, DurationPart } from "./assertion.ts";
import {
  findPredicate,
  isNumeral,
  itemsOf,
  PREDICATES,
  type Predicate,
  readOrdered,
  readTolerance,
} from "./predicates.ts";

/** What parses templates and receives faults, such as the parser of request texts. */
interface AssertionParser extends SourceText {
  report(span: Span, message: string, hint: string): void;
  template(span: Span): Template;
}

const EXAMPLE = "for example: ?? status == 200";

/**
 * Parses a line such as `?? body name startsWith {{prefix}}`, and reports its faults.
 *
 * @param parser What parses templates and receives faults.
 * @param span The line without surrounding blanks.
 * @returns `undefined` if it has a fault.
 */
export function parseAssertion(parser: AssertionParser, span: Span): AssertionDraft | undefined {
  const { source, firstLine } = parser;
  if (!source.startsWith("??", span.start)) {
    const [line = "", ...sections] = source.slice(span.start, span.end).split(/\s*[\r\n]+/);
    const status = /\d+$/.exec(line)?.[0] ?? "200";
    const lines = [`?? status == ${status}`, ...sections.flatMap(fromHurl)];
    const hint = `Write ${lines.map((one) => `"${one}"`).join(", ")}`;
    const first = { start: span.start, end: span.start + line.length };
    parser.report(first, `Assertions of Hurl are not supported: "${line}"`, hint);
    return undefined;
  }
  const start = span.start + 2;
  const text = source.slice(start, span.end);
  const [, blanks = "", name = ""] = /^(\s*)([^\s=!<>]*)/.exec(text) ?? [];
  const nameSpan = { start: start + blanks.length, end: start + blanks.length + name.length };
  const rest = { start: nameSpan.end, end: span.end };
  const found = findInText(source.slice(rest.start, rest.end), isExpression(name));
  const value = trimSpan(source, {
    start: rest.start,
    end: found === undefined ? rest.end : rest.start + found.start,
  });
  const key = name.toLowerCase();
  const readField = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined;
  if (readField === undefined) {
    const { message, hint } = explainUnknown(name);
    parser.report(name === "" ? span : nameSpan, message, hint);
    return undefined;
  }
  if (found === undefined && !isExpression(name)) {
    reportNoPredicate(parser, span, value);
    return undefined;
  }
  const field = readField(source.slice(value.start, value.end));
  if ("message" in field) {
    parser.report(value.start < value.end ? value : span, field.message, field.hint);
    return undefined;
  }
  const place = { span, source, firstLine };
  if (found === undefined) return { field, predicate: "isTrue", isNegated: false, ...place };
  const operand = trimSpan(source, { start: rest.start + found.end, end: rest.end });
  const { predicate, isNegated, isEach, ignoresCase } = found;
  const [canonical = ""] = predicate.names;
  if (ignoresCase && predicate.isOfText !== true) {
    const at = { start: rest.start + found.start, end: rest.start + found.end };
    parser.report(at, `"${canonical}" has no upper and lower case`, 'Remove "ignoreCase"');
    return undefined;
  }
  const expected = readOperand(parser, field, predicate, operand, span);
  if (expected === "fault") return undefined;
  return {
    field,
    predicate: canonical,
    isNegated,
    ...(isEach && { isEach }),
    ...(ignoresCase && { ignoresCase }),
    ...(expected === undefined ? {} : { expected }),
    ...place,
  };
}

/** A line to write in place of one of Hurl's `[Asserts]` or `[Captures]`; none for one that is not known. */
function fromHurl(line: string): readonly string[] {
  const [, capture, query, argument = "", check = ""] =
    /^\s*(?:([\w-]+)[ \t]*:[ \t]*)?(jsonpath|header|body|duration|status)\b[ \t]*("[^"]*")?[ \t]*(.*)$/.exec(
      line,
    ) ?? [];
  if (query === undefined) return [];
  const what = argument.slice(1, -1);
  if (capture === undefined) {
    return [
      `?? ${query} ${what} ${check.replace(/"([^"]*)"$/, "$1")}`.replace(/ +/g, " ").trimEnd(),
    ];
  }
  if (query === "jsonpath") return [`@${capture} = {{response.parsedBody.${what}}}`];
  return query === "header" ? [`@${capture} = {{response.headers.${what}}}`] : [];
}

interface FoundPredicate {
  readonly predicate: Predicate;
  readonly isNegated: boolean;
  readonly isEach: boolean;
  readonly ignoresCase: boolean;
  /** Offsets of the predicate with the words before it. */
  readonly start: number;
  readonly end: number;
}

const NAMES = PREDICATES.flatMap(({ names }) => names).sort(
  (one, other) => other.length - one.length,
);
const SIGNS = NAMES.filter((name) => !/\w/.test(name)).join("|");
const WORDS = NAMES.filter((name) => /\w/.test(name));
const PREDICATE = new RegExp(
  `(?:^|(?<=\\s))((?:(?:each|not|ignoreCase)\\s+){0,3})(?:(${SIGNS})(?![=<>])|(${WORDS.join("|")})(?!\\S))`,
  "gi",
);

/** The first predicate that is in no brackets or quotes; in code the last one, as in httpYac. */
function findInText(text: string, isCode: boolean): FoundPredicate | undefined {
  const isOutside = createNesting(text);
  let last: FoundPredicate | undefined;
  for (const match of text.matchAll(PREDICATE)) {
    const [whole, words = "", sign, word] = match;
    const predicate = findPredicate(sign ?? word ?? "");
    if (predicate === undefined) continue;
    // JavaScript has an operator of that name.
    if (isCode && word?.toLowerCase() === "in") continue;
    const { index } = match;
    const one = {
      predicate,
      isNegated: /not\s/i.test(words),
      isEach: /each/i.test(words),
      ignoresCase: /case/i.test(words),
      start: index,
      end: index + whole.length,
    };
    if (!isOutside(index)) continue;
    if (!isCode) return one;
    last = one;
  }
  return last;
}

const NESTING = /"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?|[()[\]{}]/g;

/** Returns whether an offset of a code is in no brackets or quotes; to be called with growing offsets. */
function createNesting(code: string): (offset: number) => boolean {
  const tokens = code.matchAll(NESTING);
  let next = tokens.next();
  let depth = 0;
  return (offset) => {
    for (; next.done !== true && next.value.index < offset; next = tokens.next()) {
      const { 0: token, index } = next.value;
      if (/^["'`]/.test(token)) {
        const isEnded = token.length > 1 && token.endsWith(token.charAt(0));
        if (!isEnded || index + token.length > offset) return false;
      } else depth += "([{".includes(token) ? 1 : -1;
    }
    return depth === 0;
  };
}

function reportNoPredicate(parser: AssertionParser, span: Span, value: Span): void {
  const text = parser.source.slice(value.start, value.end);
  const words = text.split(/\s+/).filter((word) => word !== "");
  for (const word of words) {
    const [near] = word.length > 2 ? nearNames(word, WORDS) : [];
    if (near === undefined) continue;
    const start = value.start + text.indexOf(word);
    const at = { start, end: start + word.length };
    parser.report(at, `Unknown predicate "${word}"`, `Did you mean "${near}"?`);
    return;
  }
  const last = words.at(-1);
  const hint = `Write one of ${PREDICATES.map(({ names }) => names[0]).join(", ")}, ${EXAMPLE}`;
  parser.report(
    span,
    last === undefined
      ? "The assertion has no predicate"
      : `The assertion has no known predicate: "${shorten(text)}"`,
    hint,
  );
}

/** Reads the expected value, and reports one that no response can have. */
function readOperand(
  parser: AssertionParser,
  field: AssertionField,
  { names: [name = ""], operand }: Predicate,
  span: Span,
  line: Span,
): Template | undefined | "fault" {
  const text = parser.source.slice(span.start, span.end);
  const fail = (at: Span, message: string, hint: string): "fault" => {
    parser.report(at, message, hint);
    return "fault";
  };
  if (operand === "none") {
    if (text === "") return undefined;
    return fail(span, `"${name}" takes no value, found "${text}"`, "Remove it, or use ==");
  }
  if (text === "") {
    const hint =
      name === "=="
        ? 'Write the expected value, or "isEmpty"'
        : `Write the expected value, ${EXAMPLE}`;
    return fail(line, `The predicate "${name}" has no value`, hint);
  }
  const template = parser.template(span);
  if (template.parts.some((part) => typeof part !== "string")) return template;
  const fault = operandFault(text, operand, field);
  if (fault !== undefined) return fail(span, fault.message, fault.hint);
  const problem = operand === "pattern" ? patternProblem(text) : undefined;
  if (problem !== undefined) {
    return fail(span, `The regular expression "${text}" is not valid: ${problem}`, "Correct it");
  }
  return template;
}

/** Why no response can have a value, and what to write. */
function operandFault(
  text: string,
  operand: Predicate["operand"],
  field: AssertionField,
): FieldFault | undefined {
  if (operand === "tolerance") {
    if (readTolerance(text) !== undefined) return undefined;
    const hint = "Write the number, and how far from it: ~= 0.3 ± 0.01, or ~= 0.3 +- 0.01";
    return { message: `"${text}" is not a number with a tolerance`, hint };
  }
  const isNumeric = field.kind === "status" || field.kind === "duration" || field.kind === "count";
  if (isNumeric && (operand === "value" || operand === "list" || operand === "order")) {
    const values = operand === "list" ? itemsOf(text) : [text];
    const other = values.find((value) => !isNumeral(value));
    return other === undefined
      ? undefined
      : { message: `"${other}" is not a number`, hint: numberHint(text, field.kind) };
  }
  if (operand !== "order" || readOrdered(text) !== undefined) return undefined;
  const hint =
    "Write a number, a date such as 2026-01-31 or 2026-01-31T12:00:00Z, or a time such as 09:30";
  return { message: `"${text}" is not a number or a date`, hint };
}

function numberHint(text: string, field: AssertionField["kind"]): string {
  const [hundreds] = /^\d(?=xx$)/i.exec(text) ?? [];
  const [, first, last] = /^(\d{3})\s*(?:-|\.\.)\s*(\d{3})$/.exec(text) ?? [];
  const limits = hundreds === undefined ? [first, last] : [`${hundreds}00`, `${hundreds}99`];
  if (field === "status" && limits[0] !== undefined) {
    return `Write two lines: "?? status >= ${limits[0]}" and "?? status <= ${limits[1]}"`;
  }
  const codes = text.match(/(?<!\d)\d{3}(?!\d)/g) ?? [];
  if (field === "status" && codes.length > 1) return `Write "?? status in ${codes.join(", ")}"`;
  return `Write a number, ${EXAMPLE}`;
}

/** What is wrong with a regular expression. */
export function patternProblem(text: string): string | undefined {
  try {
    new RegExp(text, "u");
    return undefined;
  } catch (error) {
    // The engine quotes the expression before its reason.
    const message = error instanceof Error ? error.message : String(error);
    return message.slice(message.lastIndexOf(": ") + 1).trim();
  }
}

/** What is wrong with a field, and what to do. */
interface FieldFault {
  readonly message: string;
  readonly hint: string;
}

type ReadField = (value: string) => AssertionField | FieldFault;

const DURATION_PARTS: Readonly<Record<DurationPart, true>> = {
  total: true,
  dns: true,
  tcp: true,
  tls: true,
  firstByte: true,
  download: true,
};

/** How each field is read from the text between its name and the predicate. */
const FIELDS: Readonly<Record<string, ReadField>> = {
  status: (value) =>
    value === ""
      ? { kind: "status" }
      : {
          message: `Unexpected text "${value}" after "status"`,
          hint: "Write a predicate, for example: ?? status == 200",
        },
  duration: (value) => {
    if (value === "") return { kind: "duration", part: "total" };
    if (Object.hasOwn(DURATION_PARTS, value)) {
      return { kind: "duration", part: value as DurationPart };
    }
    const hint = `Write one of ${Object.keys(DURATION_PARTS).join(", ")}, or nothing`;
    return { message: `The duration "${value}" is not measured`, hint };
  },
  header: (name) =>
    /^[^\s:]+$/.test(name)
      ? { kind: "header", name }
      : {
          message:
            name === ""
              ? "The assertion has no header name"
              : `The header name "${name}" is not valid`,
          hint: "Write the name before the predicate, for example: ?? header content-type contains json",
        },
  body: (path) => (path === "" ? { kind: "body" } : readBody(path)),
  count: (value) => {
    const field = value === "" ? undefined : readBody(value);
    if (field === undefined || !("kind" in field) || field.kind !== "body") {
      return field !== undefined && "message" in field
        ? field
        : {
            message: "There is no path to count",
            hint: "Write one, for example: ?? count $.items[*] > 2",
          };
    }
    return { kind: "count", path: field.path as ValuePath };
  },
  jsonpath: (value) => readBody(/^(["']).*\1$/.test(value) ? value.slice(1, -1) : value),
  js: (expression) =>
    expression === ""
      ? {
          message: "The assertion has no expression",
          hint: "Write JavaScript after js, for example: ?? js response.parsedBody.id > 0",
        }
      : { kind: "js", expression },
};

/** The fields whose value is code, in which operators occur that look like predicates. */
function isExpression(name: string): boolean {
  return name.toLowerCase() === "js";
}

/** Explains a name that is not the name of a field. */
function explainUnknown(name: string): FieldFault {
  if (name.toLowerCase() === "xpath") {
    const hint = "Use ?? body contains …, or read the XML in a response handler";
    return { message: "XPath is not supported", hint };
  }
  const known = Object.keys(FIELDS);
  const [near] = nearNames(name, known);
  const hint =
    near === undefined
      ? `Write one of ${known.join(", ")}, for example: ?? status == 200`
      : `Did you mean "${near}"?`;
  const message = name === "" ? "The assertion has no field" : `Unknown field "${name}"`;
  return { message, hint };
}

/** A path as a placeholder has it, or a JSONPath; anything else is JavaScript, as in httpYac. */
function readBody(path: string): AssertionField | FieldFault {
  const parsed = parsePath(path);
  if (parsed !== undefined) return { kind: "body", path: parsed };
  if (path.startsWith("$")) {
    const hint = "Write a JSONPath of RFC 9535, for example: ?? body $.items[0].id == 1";
    return { message: queryProblem(path), hint };
  }
  const dot = path.startsWith("[") ? "" : ".";
  return { kind: "js", expression: `(response.parsedBody ?? response.body)${dot}${path}` };
}

function queryProblem(query: string): string {
  try {
    selectAll(null, query);
    return `The JSONPath "${query}" is not valid`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The span without the blanks around it. */
function trimSpan(source: string, { start, end }: Span): Span {
  const text = source.slice(start, end);
  const from = start + text.length - text.trimStart().length;
  return { start: from, end: Math.max(from, start + text.trimEnd().length) };
}
