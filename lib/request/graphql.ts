import {
  mapPlaceholders,
  type Span,
  STANDS_FOR_VALUE,
  shapeOf,
  sliceTemplate,
  type Template,
} from "../interpolation/mod.ts";
import { blankOut, findJsonComments } from "./body-lines.ts";
import type { BodyMixture } from "./render.ts";

/** The first line of a fragment of httpYac: `fragment Parts on User {`, or `gql Parts < ./parts.graphql`. */
const FRAGMENT =
  /^[ \t]*(?:fragment[ \t]+(\w+)[ \t]+on\b|gql[ \t]+(\w+)[ \t]+<[ \t]+(\S.*?)[ \t]*$)/;

/** A query in a file, as a body: `gql Name < ./query.graphql`. */
const QUERY_FILE = /^\s*gql(?:[ \t]+(\w+))?[ \t]+<[ \t]+(?=\S|$)/;

/** Whether a line between requests begins a fragment. */
export function startsFragmentOfGraphql(line: string): boolean {
  return FRAGMENT.test(line);
}

/** The variable that keeps a fragment: its text, or the path of its file. No value makes a path of a text. */
export function readFragment(
  text: string,
): { readonly name: string; readonly file?: string } | undefined {
  const [, own, imported, file] = FRAGMENT.exec(text.split(/[\r\n]/, 1)[0] ?? "") ?? [];
  if (own !== undefined) return { name: TEXT + own };
  return imported === undefined ? undefined : { name: FILE + imported, file };
}

const TEXT = "fragment-";
const FILE = "fragment-file-";

const SPREAD = /\.\.\.\s*(?!on\b)([_A-Za-z]\w*)/g;

/** The variables of the fragments that a query may use. */
export function fragmentsIn(query: string): readonly string[] {
  return spreadsIn(query).flatMap((name) => [TEXT + name, FILE + name]);
}

function spreadsIn(query: string): readonly string[] {
  return Array.from(query.matchAll(SPREAD), ([, name = ""]) => name);
}

/** A query, and what belongs to it. */
interface Query {
  readonly text: string;
  /** The files that follow the text. */
  readonly files: readonly string[];
  /** The name of its operation, where the text does not have it. */
  readonly operation?: string;
}

/**
 * Renders a query with the fragments that it uses, and those that they use, or one in a file. Only what is written decides
 * about them, no value.
 *
 * @param render Renders a template.
 */
export function renderQuery(
  query: Template,
  render: (template: Template) => string,
  lookUp: (name: string) => unknown,
): Query {
  const written = query.parts.filter((part) => typeof part === "string");
  const [mark, operation] = QUERY_FILE.exec(String(query.parts[0])) ?? [];
  const text = render(query).trim();
  if (mark !== undefined)
    return { text: "", files: [text.slice(mark.trimStart().length)], operation };
  const texts = [text];
  const files: string[] = [];
  const names = written.flatMap(spreadsIn);
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    const [fragment, file] = [lookUp(TEXT + name), lookUp(FILE + name)];
    if (typeof fragment === "string") {
      texts.push(fragment);
      names.push(...spreadsIn(fragment));
    } else if (typeof file === "string") files.push(file);
  }
  return { text: texts.join("\n"), files };
}

/** A written GraphQL body. */
export interface GraphqlDraft {
  readonly query: Template;
  /** The JSON below the query, without its comments. */
  readonly variables?: Template;
  /** The offset in the shape of the body where its variables begin, or text that is neither these nor a definition. */
  readonly rest?: number;
}

const BLANK_LINE = /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)/;

/**
 * Whether a request is GraphQL: by `X-REQUEST-TYPE: GraphQL` as in VS Code REST Client, or by the method
 * `GRAPHQL` as in JetBrains' client and httpYac.
 */
export function isGraphql(
  method: string,
  headers: readonly (readonly [name: string, value: string])[],
): boolean {
  return method === "GRAPHQL" || headers.some(isGraphqlMark);
}

/** Whether a JSON body is in fact a GraphQL query, as httpYac supports it. */
export function startsAsQuery({ parts: [first] }: Template): boolean {
  if (typeof first !== "string") return false;
  if (QUERY_FILE.test(first)) return true;
  return /^\s*(?:query|mutation|subscription)(?:\s+[_A-Za-z]\w*)?\s*[({@]/.test(first);
}

/** The header that marks GraphQL and is not sent. */
export function isGraphqlMark([name, value]: readonly [string, string]): boolean {
  return name.toLowerCase() === "x-request-type" && value.toLowerCase() === "graphql";
}

/**
 * Splits a body into the query and its variables, which are a JSON object below it, as it is written: no value decides. A
 * placeholder alone below a blank line is the variables, too.
 */
export function splitGraphql(template: Template): GraphqlDraft {
  const shape = shapeOf(template);
  const { end, rest = shape.length, strings } = readDocument(shape);
  const below = shape.slice(rest).trim();
  const isValue = below === STANDS_FOR_VALUE && BLANK_LINE.test(shape.slice(end, rest));
  const hasVariables = below.startsWith("{") || isValue;
  const whole = hasVariables ? sliceTemplate(template, 0, end) : template;
  let next = 0;
  const query = mapPlaceholders(whole, (placeholder, at) => {
    while ((strings[next]?.end ?? at) < at) next++;
    const string = strings[next];
    if (string === undefined || string.start > at) return placeholder;
    const isLast = string.kind === "block-string" && shape.startsWith('"""', at + 1);
    return { ...placeholder, within: isLast ? "block-string-end" : string.kind };
  });
  if (hasVariables) return { query, variables: withoutComments(template, shape, rest), rest };
  return below === "" || below.startsWith(STANDS_FOR_VALUE) ? { query } : { query, rest };
}

/** The variables, with spaces in place of their comments. */
function withoutComments(template: Template, shape: string, start: number): Template {
  const comments = findJsonComments(shape, { start, end: shape.length }, []);
  const bare = blankOut(shape, comments, 0);
  let at = start;
  const parts = sliceTemplate(template, start).parts.map((part) => {
    const from = at;
    at += typeof part === "string" ? part.length : 1;
    const text = bare.slice(from, at);
    return typeof part === "string" || text !== STANDS_FOR_VALUE ? text : part;
  });
  return { ...template, parts };
}

/** A string of a query. */
interface StringSpan extends Span {
  readonly kind: "string" | "block-string";
}

/** A document of GraphQL as it is written. */
interface GraphqlDocument {
  /** Where its last definition ends. */
  readonly end: number;
  /** Where text begins that is no definition, comments aside. */
  readonly rest?: number;
  readonly strings: readonly StringSpan[];
}

/** What decides where a definition ends (GraphQL, October 2021, 2.1.8): comments, strings, brackets and words. */
const TOKEN =
  /#[^\r\n]*|\/\/[^\r\n]*|\/\*|"""|"(?:\\.|[^"\\\r\n])*"?|[{}()[\]]|\w+|[^\s\w"#{}()[\]/]|\//g;

const DEFINITION = /^(?:query|mutation|subscription|fragment)$/;

/** Reads the definitions at the beginning of a text. */
function readDocument(shape: string): GraphqlDocument {
  const strings: StringSpan[] = [];
  let end = QUERY_FILE.test(shape) ? endOfFirstLine(shape) : 0;
  let hasOperation = end > 0;
  // A value may be anything: a whole query, or the word before a name.
  const isOpen = shape.trimStart().startsWith(STANDS_FOR_VALUE);
  let isHead = false;
  let depth = 0;
  TOKEN.lastIndex = end;
  for (let match = TOKEN.exec(shape); match !== null; match = TOKEN.exec(shape)) {
    const { 0: token, index: start } = match;
    const isTop = depth === 0 && !isHead;
    if (token.startsWith("#") || (isTop && token.startsWith("//"))) continue;
    if (isTop && token === "/*") {
      TOKEN.lastIndex = indexAfter(shape, "*/", start + 2);
      continue;
    }
    if (isTop) {
      const isJson = token === "{" && JSON_OBJECT.test(shape.slice(start));
      const isWord = DEFINITION.test(token) || (isOpen && token !== STANDS_FOR_VALUE);
      const mayBegin = token === "{" ? !hasOperation : isWord;
      if (end > 0 && (isJson || !mayBegin)) return { end, rest: start, strings };
      if (token === STANDS_FOR_VALUE) {
        end = TOKEN.lastIndex;
        continue;
      }
      hasOperation ||= token !== "fragment";
      isHead = token !== "{";
    }
    if (token.startsWith('"')) {
      const isBlock = token === '"""';
      if (isBlock) TOKEN.lastIndex = endOfBlockString(shape, TOKEN.lastIndex);
      strings.push({ start, end: TOKEN.lastIndex, kind: isBlock ? "block-string" : "string" });
    } else if (/^[{([]$/.test(token)) {
      if (depth === 0 && token === "{") isHead = false;
      depth += 1;
    } else if (/^[})\]]$/.test(token)) {
      depth = Math.max(0, depth - 1);
      if (depth === 0 && !isHead) end = TOKEN.lastIndex;
    }
  }
  return { end, strings };
}

/** The beginning of an object of JSON: no selection of fields is empty or begins with a quote. */
const JSON_OBJECT = /^\{\s*["}]/;

function endOfFirstLine(text: string): number {
  const start = text.length - text.trimStart().length;
  return start + text.slice(start).search(/[\r\n]|$/);
}

function endOfBlockString(shape: string, from: number): number {
  for (let at = shape.indexOf('"""', from); at !== -1; at = shape.indexOf('"""', at + 3)) {
    if (shape[at - 1] !== "\\") return at + 3;
  }
  return shape.length;
}

function indexAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

/** The JSON body of GraphQL over HTTP. The variables are inserted as text, so that numbers keep all their digits. */
export function toGraphqlBody(
  { text: query, files, operation }: Query,
  variables: string | undefined,
): string | BodyMixture {
  const operations = [
    ...query.matchAll(/^[^\S\r\n]*(?:query|mutation|subscription)\s+([_A-Za-z]\w*)/gm),
  ];
  const only = operations.length === 1 ? operations[0]?.[1] : operation;
  const start = `{"query": ${JSON.stringify(query.trim()).slice(0, -1)}`;
  const end = [
    '"',
    ...(only === undefined ? [] : [`"operationName": ${JSON.stringify(only)}`]),
    ...(variables === undefined ? [] : [`"variables": ${variables.trim()}`]),
  ]
    .join(", ")
    .concat("}");
  if (files.length === 0) return start + end;
  const pieces = files.flatMap((path) => [
    "\\n",
    { path, interpolated: false, change: "trimmed-json" } as const,
  ]);
  return { pieces: [start, ...(query === "" ? pieces.slice(1) : pieces), end] };
}
