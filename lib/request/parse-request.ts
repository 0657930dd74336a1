import { parseAssertion } from "../assertions/mod.ts";
import type { Span, Template } from "../interpolation/mod.ts";
import { type ParsedBody, readBody } from "./body.ts";
import { readCurl } from "./curl-entry.ts";
import { type Annotation, type RequestDraft, readNames, type ScriptDraft } from "./draft.ts";
import { endOfBlock } from "./foreign-block.ts";
import { type Head, readHead } from "./head.ts";
import { indentation, type Line, lineAt, type Parser, trimLine } from "./line.ts";
import { readRequestLine } from "./request-line.ts";
import {
  readScript,
  scriptAt,
  startsAssertion,
  startsHandler,
  unsupportedScript,
} from "./scripts.ts";

/** The title, annotations and scripts before a request. */
export interface Preface {
  readonly title?: string;
  readonly annotations: Annotation[];
  readonly scripts?: readonly ScriptDraft[];
}

/** A request that was read, and where the entries go on after it. */
export interface ReadRequest {
  /** `undefined` if its first line is not a request line, which is reported. */
  readonly request: RequestDraft | undefined;
  /** The variable lines after it. */
  readonly variables: readonly Line[];
  readonly next: number;
}

/** Reads a request in the form of HTTP, from its request line on. */
export function readRequest(parser: Parser, line: Line, preface: Preface): ReadRequest {
  const requestLine = readRequestLine(parser, line);
  if (requestLine === undefined) {
    return { request: undefined, variables: [], next: endOfBlock(parser.source, line) };
  }
  const head = readHead(parser, line, requestLine);
  const { method, next: start } = head;
  const indent = indentation(line.text);
  const parsed: ParsedBody = head.bodiless
    ? { assertions: [], scripts: [], variables: [], next: start }
    : readBody(parser, { start, indent, method, contentType: contentTypeOf(head) });
  const { body, saveTo, variables, next } = parsed;
  const annotations = [...preface.annotations, ...head.annotations];
  const checks = withChecks(parser, preface, {
    ...parsed,
    assertions: [...head.assertions, ...parsed.assertions],
  });
  const remarks = parser.takeRemarks();
  const request: RequestDraft = {
    kind: "request",
    ...readNames(annotations, preface.title),
    annotations,
    method: head.method,
    url: head.url,
    urlSpan: head.urlSpan,
    headers: head.headers,
    ...(body === undefined ? {} : { body }),
    ...(saveTo === undefined ? {} : { saveTo }),
    ...checks,
    ...(remarks.length === 0 ? {} : { remarks }),
    span: { start: trimLine(line).start, end: body?.span.end ?? head.end },
    source: parser.source,
    firstLine: parser.firstLine,
  };
  return { request, variables, next };
}

/** Reads a request that is written as a curl command. */
export function readCurlRequest(parser: Parser, line: Line, preface: Preface): ReadRequest {
  const { request, next } = readCurl(parser, line.start, preface);
  const below = readBelow(parser, next);
  const checked = request && { ...request, ...withChecks(parser, preface, below) };
  return { request: checked, variables: [], next: below.next };
}

function contentTypeOf({ headers }: Head): Template | undefined {
  return headers.find(({ name }) => name.toLowerCase() === "content-type")?.value;
}

type Checks = Pick<RequestDraft, "assertions" | "scripts" | "skipped">;

/** The assertions and scripts of a request; those that are missing are left out. */
function withChecks(
  parser: Parser,
  preface: Preface,
  written: Pick<ParsedBody, "assertions" | "scripts">,
): Checks {
  const { source } = parser;
  const assertions = written.assertions.flatMap((span) => parseAssertion(parser, span) ?? []);
  const read = written.scripts.map((span) => ({ span, draft: readScript(parser, span, "after") }));
  const scripts = [...(preface.scripts ?? []), ...read.flatMap(({ draft }) => draft ?? [])];
  const skipped = read.flatMap(({ span }) => {
    const reason = unsupportedScript(lineAt(source, span.start).text);
    return reason === undefined ? [] : [{ span, source, reason }];
  });
  return {
    ...(assertions.length === 0 ? {} : { assertions }),
    ...(scripts.length === 0 ? {} : { scripts }),
    ...(skipped.length === 0 ? {} : { skipped }),
  };
}

/** The assertions and scripts below a request that is read by another grammar. */
function readBelow(
  { source }: Parser,
  from: number,
): Pick<ParsedBody, "assertions" | "scripts" | "next"> {
  const assertions: Span[] = [];
  const scripts: Span[] = [];
  let next = from;
  for (let at = from; at < source.length; ) {
    const line = lineAt(source, at);
    at = line.next;
    if (line.text.trim() === "") continue;
    if (!startsHandler(line.text)) break;
    if (startsAssertion(line.text)) assertions.push(trimLine(line));
    else {
      const { start, end, next: after } = scriptAt(source, line);
      scripts.push({ start, end });
      at = after;
    }
    next = at;
  }
  return { assertions, scripts, next };
}
