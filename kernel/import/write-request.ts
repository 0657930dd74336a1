import { writeCurl } from "../../lib/curl/mod.ts";
import { escapeBraces } from "../../lib/interpolation/mod.ts";
import {
  FORBIDDEN_METHOD,
  isHeaderName,
  isJsonType,
  isMethodToken,
  placeholdersOf,
  type RenderedRequest,
  type RequestDraft,
  readText,
  renderRequest,
} from "../../lib/request/mod.ts";
import {
  type Body,
  type ImportedRequest,
  joinText,
  oneLine,
  plainText,
  type Row,
  type Text,
} from "./collection.ts";

/** The name of a variable that has a backslash, which before a placeholder would make it literal. */
const BACKSLASH = "backslash";

/**
 * Writes a request as request text. Whether the text says exactly what the model says is found by parsing and
 * rendering it: what stands in a source can be anything, also lines that request text has a meaning for. Where plain
 * text cannot say it (a line `###` in the body, CRLF), a curl command does.
 *
 * @param name The name for `# @name`.
 * @returns `undefined` if neither can say it.
 */
export function writeRequest(request: ImportedRequest, name: string): string | undefined {
  const normal = normalize(request);
  if (!isMethodToken(normal.method) || FORBIDDEN_METHOD.test(normal.method)) return undefined;
  const head = writeHead(normal, name);
  const below = writeBelow(normal, name);
  for (const write of [writeLines, writePlain, writeCommand]) {
    const text = write(normal);
    const whole = text === undefined ? undefined : [...head, text + below].join("\n");
    if (whole !== undefined && saysExactly(whole, normal, name)) return whole;
  }
  return undefined;
}

/** Comment lines of any text: none of them is an annotation. */
export function writeComment(text: string): readonly string[] {
  return text
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => `# ${oneLine(line).trimEnd().replace(/^\s*@/, "\\@")}`.trimEnd());
}

/** A variable line; its value is JSON where it could be read as something else than its text. */
export function writeSetting(name: string, value: Text): string {
  const [only = "", ...more] = value;
  const isPlain =
    more.length === 0 &&
    typeof only === "string" &&
    /^[\p{L}\p{N}](?:[^\p{Cc}{}"\\]*[^\p{Cc}\p{Z}{}"\\])?$/u.test(only);
  if (isPlain) return `@${name} = ${only}`;
  const written = value.map((part) =>
    typeof part === "string"
      ? escapeBraces(JSON.stringify(part).slice(1, -1).replaceAll("\\\\", "\\u005c"))
      : `{{${part.variable}}}`,
  );
  return `@${name} = "${written.join("")}"`;
}

/** The assertion that a line is; nothing if it cannot be read, or is anything else: it would spoil its request. */
export function readAssertion(
  text: Text,
): NonNullable<RequestDraft["assertions"]>[number] | undefined {
  const line = writeText(text);
  const { failure, statements } = readText(`GET http://a.test/\n\n?? ${line}`);
  const [request, ...more] = statements;
  const isRead = failure === undefined && more.length === 0 && line === oneLine(line);
  if (!isRead || request?.kind !== "request") return undefined;
  const [assertion, ...others] = request.assertions ?? [];
  return others.length === 0 ? assertion : undefined;
}

/** Text as a template. */
export function writeText(text: Text): string {
  return text
    .map((part) => (typeof part === "string" ? escapeBraces(part) : `{{${part.variable}}}`))
    .join("");
}

/** A request whose texts stand on lines of their own, without what would be read as something else. */
type Normal = ImportedRequest & { readonly settings: NonNullable<ImportedRequest["settings"]> };

function normalize(request: ImportedRequest): Normal {
  const type = request.headers.find(
    ({ name, disabled }) => !disabled && /^content-type$/i.test(name),
  );
  const isJson = type !== undefined && isJsonType(plainText(type.value));
  const headers = request.headers
    .filter(({ name }) => isHeaderName(name))
    .map((row) => ({ ...row, value: separate(trimText(mapText(row.value, oneLine))) }));
  const body = normalizeBody(
    request.body,
    isJson,
    type !== undefined && /xml/i.test(plainText(type.value)),
  );
  const first = headers.findIndex(isCredential);
  const normal = {
    ...request,
    url: mapText(request.url, encodePath),
    query: request.query.map((row) => ({ ...row, value: mapText(row.value, encodeQuery) })),
    // A request may have it only once.
    headers: headers.map((row, index) =>
      isCredential(row) && index > first ? { ...row, disabled: true } : row,
    ),
    body,
  };
  const { settings = [] } = request;
  const needs = JSON.stringify([normal.headers, normal.body]).includes(
    `{"variable":"${BACKSLASH}"}`,
  );
  return { ...normal, settings: needs ? [...settings, [BACKSLASH, ["\\"]]] : settings };
}

function isCredential({ name, disabled }: Row): boolean {
  return disabled !== true && /^authorization$/i.test(name);
}

function normalizeBody(body: Body | undefined, isJson: boolean, isXml: boolean): Body | undefined {
  if (body?.kind !== "text") return body;
  const texts = body.pieces.every((piece) => typeof piece === "string" || "variable" in piece);
  if (!texts) return body;
  let text = joinText(body.pieces as Text);
  // Neither a parser of JSON nor one of XML sees these line breaks.
  if (isJson || isXml) text = trimText(mapText(text, (part) => part.replace(/\r\n?/g, "\n")));
  text = separate(text, isJson);
  return text.length === 0 ? undefined : { kind: "text", pieces: text };
}

/** Backslashes before a placeholder become placeholders themselves. */
function separate(text: Text, isJson = false): Text {
  const parts = text.flatMap((part, index): Text => {
    const next = text[index + 1];
    if (typeof part !== "string" || !part.endsWith("\\") || next === undefined) return [part];
    if (isJson && part.endsWith("\\\\")) return [`${part.slice(0, -2)}\\u005c`];
    const bare = part.replace(/\\+$/, "");
    return [bare, ...Array.from(part.slice(bare.length), () => ({ variable: BACKSLASH }))];
  });
  return joinText(parts);
}

function mapText(text: Text, change: (part: string) => string): Text {
  return joinText(
    text.map((part) =>
      typeof part === "string" ? change(part.replace(/\p{Surrogate}/gu, "\ufffd")) : part,
    ),
  );
}

function trimText(text: Text): Text {
  return joinText(
    text.map((part, index) => {
      if (typeof part !== "string") return part;
      const start = index === 0 ? part.trimStart() : part;
      return index === text.length - 1 ? start.trimEnd() : start;
    }),
  );
}

/** Encodes what cannot stand in a URL. The rest stays as it is, encoded or not. */
function encodePath(text: string): string {
  return text
    .split(/(?=\?)/)
    .map((part) =>
      part.startsWith("?") ? encodeQuery(part) : encodeBlanks(part, /[\s\p{Cc}"<>\\^`{}|]/gu),
    )
    .join("");
}

function encodeQuery(text: string): string {
  return encodeBlanks(text, /[\s\p{Cc}"<>\\]/gu);
}

function encodeBlanks(text: string, pattern: RegExp): string {
  return text.replace(pattern, (sign) => encodeURIComponent(sign));
}

function writeHead(
  { description, comments = [], annotations = [], settings }: Normal,
  name: string,
): readonly string[] {
  return [
    ...(description === undefined || description.trim() === "" ? [] : writeComment(description)),
    ...comments.flatMap(writeComment),
    `# @name ${name}`,
    ...annotations.map(([key, value]) => `# @${key} ${oneLine(value)}`.trimEnd()),
    ...settings.map(([key, value]) => writeSetting(key, value)),
  ];
}

/** The assertions and variable lines below a request. */
function writeBelow({ assertions = [], captures = [] }: Normal, name: string): string {
  const checks = assertions.map((text) => `?? ${writeText(mapText(text, oneLine))}`);
  const lines = captures.map(([variable, path]) => `@${variable} = {{${name}.${path}}}`);
  return [checks, lines]
    .filter((group) => group.length > 0)
    .map((group) => `\n\n${group.join("\n")}`)
    .join("");
}

/** With the fields of the query and of a form on lines of their own. */
function writeLines(request: Normal): string | undefined {
  const { url, query, body } = request;
  const isShort = query.length < 3 && query.every(({ disabled }) => !disabled);
  if (isShort && body === undefined) return writePlain(request);
  let sign = plainText(url).includes("?") ? "&" : "?";
  const rows = query.map(({ value, disabled }) => {
    const line = `${sign}${writeText(value)}`;
    if (!disabled) sign = "&";
    return disabled ? `# ${line}` : `  ${line}`;
  });
  const target = isShort ? writeUrl(request) : [writeText(url), ...rows].join("\n");
  const isForm = isType(request, "application/x-www-form-urlencoded");
  const text = writeBody(body);
  return joinRequest(request, target, isForm ? text?.replaceAll("&", "\n&") : text);
}

function writePlain(request: Normal): string {
  return joinRequest(request, writeUrl(request), writeBody(request.body));
}

/** A query that does not say so itself is one of GraphQL by this header, which is not sent. */
const GRAPHQL = "X-REQUEST-TYPE: GraphQL";

function joinRequest(
  { method, headers, body: content }: Normal,
  target: string,
  body: string | undefined,
): string {
  const isQuery = content?.kind === "graphql" && !/^(?:query|mutation)\b/.test(body ?? "");
  const lines = [
    `${method} ${target}`,
    ...(isQuery ? [GRAPHQL] : []),
    ...headers.map(({ name, value, disabled }) =>
      `${disabled ? "# " : ""}${name}: ${writeText(value)}`.trimEnd(),
    ),
  ];
  return body === undefined ? lines.join("\n") : `${lines.join("\n")}\n\n${body}`;
}

function writeUrl({ url, query }: Normal): string {
  return writeText(withQuery(url, query));
}

function withQuery(url: Text, query: readonly Row[]): Text {
  const rows = query.filter(({ disabled }) => !disabled);
  const first = plainText(url).includes("?") ? "&" : "?";
  return joinText([
    ...url,
    ...rows.flatMap(({ value }, index) => [index === 0 ? first : "&", ...value]),
  ]);
}

/** Lines of a file end with either line break: the text must not depend on it. */
function writeBody(body: Body | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (body.kind === "graphql") {
    const { query, variables } = body;
    return [query, ...(variables === undefined ? [] : [variables])]
      .map((text) => writeText(trimText(text)))
      .join("\n\n")
      .replaceAll("\r\n", "\n");
  }
  return body.pieces
    .map((piece) =>
      typeof piece === "object" && "file" in piece
        ? `< ${escapeBraces(piece.file)}`
        : writeText([piece]).replaceAll("\r\n", "\n"),
    )
    .join("");
}

/** As a curl command, which can say any text; disabled rows are lost. */
function writeCommand({ method, url, query, headers, body }: Normal): string | undefined {
  const pieces = body?.kind === "text" ? body.pieces : [];
  if (
    body?.kind === "graphql" ||
    pieces.some((piece) => typeof piece === "object" && "file" in piece)
  ) {
    return undefined;
  }
  return writeCurl({
    method,
    url: writeText(withQuery(url, query)),
    headers: headers
      .filter(({ disabled }) => !disabled)
      .map(({ name, value }) => [name, writeText(value)]),
    body: body === undefined ? undefined : writeText(pieces as Text),
    follows: true,
  });
}

function isType({ headers }: Normal, type: string): boolean {
  return headers.some(
    ({ name, value, disabled }) =>
      !disabled &&
      name.toLowerCase() === "content-type" &&
      plainText(value).toLowerCase().startsWith(type),
  );
}

/** What is needed to render a request. The fields of a login are in environment files, or for a person to fill in. */
function valuesOf({ headers }: Normal): ReadonlyMap<string, string> {
  const logins = headers.flatMap(
    ({ value }) => /^OAuth2 \w+ (\S+)$/.exec(plainText(value))?.[1] ?? [],
  );
  return new Map([[BACKSLASH, "\\"], ...logins.map((name) => [`${name}_clientId`, "x"] as const)]);
}

/** Whether a text has exactly the request that it was written for, and nothing else. */
function saysExactly(text: string, request: Normal, name: string): boolean {
  const { statements, imports, failure } = readText(text);
  const [draft, ...more] = statements.filter((one) => one.kind === "request");
  const lines = statements.filter((one) => one.kind === "assignment");
  const { settings, captures = [], assertions = [], annotations = [] } = request;
  if (failure !== undefined || draft === undefined || more.length > 0 || imports.length > 0)
    return false;
  if (statements.length !== 1 + lines.length) return false;
  if (lines.length !== settings.length + captures.length) return false;
  if ((draft.assertions ?? []).length !== assertions.length) return false;
  if (draft.scripts !== undefined || draft.skipped !== undefined || draft.saveTo !== undefined)
    return false;
  const keys = draft.annotations.map(({ key }) => key).filter((key) => !IMPLIED.has(key));
  if (keys.join() !== annotations.map(([key]) => key).join() || draft.name !== name) return false;
  if (placeholdersOf(draft).length !== countVariables(request)) return false;
  let read: RenderedRequest;
  try {
    read = renderRequest(draft, valuesOf(request), { missing: "keep" });
  } catch {
    // It has no host, or a header that no request can have.
    return false;
  }
  const headers = request.headers
    .filter(({ disabled }) => !disabled)
    .map(({ name: header, value }) => [header, shown(value)]);
  return (
    draft.method === request.method &&
    read.url === shown(withQuery(request.url, request.query)) &&
    JSON.stringify(read.headers.filter(([header]) => !read.added.includes(header))) ===
      JSON.stringify(headers) &&
    saysBody(read, draft, request.body)
  );
}

/** Every request that is written has a name. */
const IMPLIED: ReadonlySet<string> = new Set(["name"]);

/** The text with its variables as they stand, but for the backslash. */
function shown(text: Text): string {
  return plainText(joinText(text)).replaceAll(`{{${BACKSLASH}}}`, "\\");
}

function saysBody(
  { body, added }: RenderedRequest,
  draft: RequestDraft,
  wanted: Body | undefined,
): boolean {
  if (wanted?.kind === "graphql") return typeof body === "string" && saysQuery(body, wanted);
  // Without a Content-Type, one is added to JSON: the source has none either, or the reader says so.
  if (added.length > 0 && draft.body === undefined) return false;
  const pieces = wanted === undefined ? [] : wanted.pieces;
  const expected = pieces.map((piece) =>
    typeof piece === "object" && "file" in piece ? { file: piece.file } : shown([piece]),
  );
  return JSON.stringify(joinText(expected)) === JSON.stringify(joinText(piecesOf(body)));
}

type Piece = string | { readonly file: string };

function piecesOf(body: RenderedRequest["body"]): readonly Piece[] {
  if (body === undefined) return [];
  if (typeof body === "string") return [body];
  const pieces = "pieces" in body ? body.pieces : [body];
  return pieces.map((piece) => (typeof piece === "string" ? piece : { file: piece.path }));
}

function saysQuery(
  body: string,
  { query, variables }: Extract<Body, { kind: "graphql" }>,
): boolean {
  const says = (fill: (text: string) => string): boolean => {
    const sent = JSON.parse(fill(body)) as {
      readonly query?: unknown;
      readonly variables?: unknown;
    };
    const own = variables === undefined ? undefined : JSON.parse(fill(shown(variables)));
    return (
      sent.query === fill(shown(trimText(query)).replaceAll("\r\n", "\n")) &&
      JSON.stringify(sent.variables) === JSON.stringify(own)
    );
  };
  try {
    return says((text) => text);
  } catch {
    // A variable outside of a string: it is JSON once it has its value, which may be a number.
  }
  try {
    return says((text) => text.replace(/\{\{[^{}]{1,999}\}\}/g, "0"));
  } catch {
    return false;
  }
}

function countVariables({ url, query, headers, body, assertions = [] }: Normal): number {
  const texts = [
    url,
    ...[...query, ...headers].filter(({ disabled }) => !disabled).map(({ value }) => value),
    ...(body?.kind === "graphql" ? [body.query, body.variables ?? []] : [body?.pieces ?? []]),
    ...assertions,
  ];
  return texts.flat().filter((part) => typeof part === "object" && "variable" in part).length;
}
