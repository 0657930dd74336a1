import type { Part, Template } from "../interpolation/mod.ts";
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

/** A written GraphQL body: the query, and after a blank line its variables as JSON. */
export interface GraphqlDraft {
  readonly query: Template;
  readonly variables: Template | undefined;
}

/** Whitespace that may contain a blank line. */
const GAP = /(?<!\s)\s+/g;
const BLANK_LINE = /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)/;
/** The beginning of a JSON object, or the end of a literal before a placeholder. */
const VARIABLES = /\{\s*(?:["}]|$)|$/y;

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

/** Splits a body at the last blank line before JSON. */
export function splitGraphql(template: Template): GraphqlDraft {
  const { parts } = template;
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    if (typeof part !== "string") continue;
    const isLast = index === parts.length - 1;
    for (const { start, end } of gapsIn(part).reverse()) {
      const rest = part.slice(end);
      // After the literal there may only be a placeholder.
      if (rest === "" && (isLast || !isAlone(parts.slice(index + 1)))) continue;
      return {
        query: { ...template, parts: [...parts.slice(0, index), part.slice(0, start)] },
        variables: {
          ...template,
          parts: [rest, ...parts.slice(index + 1)].filter((it) => it !== ""),
        },
      };
    }
  }
  return { query: template, variables: undefined };
}

/** The gaps with a blank line that JSON may follow. */
function gapsIn(part: string): { readonly start: number; readonly end: number }[] {
  return [...part.matchAll(GAP)].flatMap(({ 0: gap, index }) => {
    const blank = BLANK_LINE.exec(gap);
    const end = index + gap.length;
    VARIABLES.lastIndex = end;
    if (blank === null || !VARIABLES.test(part)) return [];
    return [{ start: index + blank.index, end }];
  });
}

function isAlone(parts: readonly Part[]): boolean {
  return parts.every((part, index) => index === 0 || (typeof part === "string" && !part.trim()));
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
    { path, interpolated: false, change: "json" } as const,
  ]);
  return { pieces: [start, ...(query === "" ? pieces.slice(1) : pieces), end] };
}
