import type { Part, Template } from "../../interpolation/mod.ts";

/** A GraphQL body as written: the query, and behind a blank line its variables as JSON. */
export interface GraphqlDraft {
  readonly query: Template;
  readonly variables: Template | undefined;
}

/** White space with a blank line in it. */
const GAP = /(?<!\s)\s+/g;
const BLANK_LINE = /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)/;
/** The beginning of a JSON object, or nothing but a placeholder behind it. */
const VARIABLES = /\{\s*(?:["}]|$)|$/y;

/**
 * Whether a request is GraphQL: `X-REQUEST-TYPE: GraphQL` in VS Code REST Client's files, the word
 * `GRAPHQL` in place of the method in those of JetBrains and httpYac.
 */
export function isGraphql(
  method: string,
  headers: readonly (readonly [name: string, value: string])[],
): boolean {
  return method === "GRAPHQL" || headers.some(isGraphqlMark);
}

/** Whether a body that is said to be JSON is a query instead, as httpYac takes it without any mark. */
export function startsAsQuery({ parts: [first] }: Template): boolean {
  if (typeof first !== "string") return false;
  return /^\s*(?:query|mutation|subscription)(?:\s+[_A-Za-z]\w*)?\s*[({@]/.test(first);
}

/** The header that marks GraphQL; no server is to see it. */
export function isGraphqlMark([name, value]: readonly [string, string]): boolean {
  return name.toLowerCase() === "x-request-type" && value.toLowerCase() === "graphql";
}

/** Takes query and variables apart at the last blank line that JSON follows. */
export function splitGraphql(template: Template): GraphqlDraft {
  const { source, parts } = template;
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    if (typeof part !== "string") continue;
    const isLast = index === parts.length - 1;
    for (const { start, end } of gapsIn(part).reverse()) {
      const rest = part.slice(end);
      // At the end of a literal the placeholder behind it must be all that there is.
      if (rest === "" && (isLast || !isAlone(parts.slice(index + 1)))) continue;
      return {
        query: { source, parts: [...parts.slice(0, index), part.slice(0, start)] },
        variables: { source, parts: [rest, ...parts.slice(index + 1)].filter((it) => it !== "") },
      };
    }
  }
  return { query: template, variables: undefined };
}

/** The blank lines that variables may stand behind, each with the white space around it. */
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

/** The body of a GraphQL request over HTTP; the digits of the variables stay as they are. */
export function toGraphqlBody(query: string, variables: string | undefined): string {
  const operations = [
    ...query.matchAll(/^[^\S\r\n]*(?:query|mutation|subscription)\s+([_A-Za-z]\w*)/gm),
  ];
  const only = operations.length === 1 ? operations[0]?.[1] : undefined;
  return [
    `{"query": ${JSON.stringify(query.trim())}`,
    ...(only === undefined ? [] : [`"operationName": ${JSON.stringify(only)}`]),
    ...(variables === undefined ? [] : [`"variables": ${variables.trim()}`]),
  ]
    .join(", ")
    .concat("}");
}
