import type { Part, Template } from "../interpolation/mod.ts";

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
