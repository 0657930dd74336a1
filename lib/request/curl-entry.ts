import { type AssertionDraft, parseAssertion } from "../assertions/mod.ts";
import {
  type CurlBody,
  type CurlCommand,
  type CurlField,
  type CurlPiece,
  FAIL_ASSERTION,
  splitBytes,
} from "../curl/mod.ts";
import {
  collectTemplate,
  createLocator,
  escapePartName,
  type Fault,
  mapPlaceholders,
  type Span,
  type Template,
} from "../interpolation/mod.ts";
import {
  type Annotation,
  type BodyDraft,
  type FileDraft,
  type HeaderDraft,
  type RequestDraft,
  readNames,
} from "./draft.ts";
import { isJsonType } from "./header-line.ts";
import type { Parser } from "./line.ts";
import { createBoundary } from "./multipart.ts";
import { toMethod } from "./request-line.ts";

/** The title and annotations before the command. */
interface Preface {
  readonly title?: string;
  readonly annotations: readonly Annotation[];
}

/** Builds a text and returns the span of each part. */
interface SourceBuilder {
  readonly text: string;
  add(text: string): Span;
}

function createSourceBuilder(): SourceBuilder {
  let source = "";
  return {
    get text() {
      return source;
    },
    add(text) {
      const start = source.length;
      source += text;
      return { start, end: source.length };
    },
  };
}

/**
 * Converts a curl command to a request. Its templates refer to the text of an equivalent request, which has no
 * quotes and escapes of a shell.
 */
export function toDraft(command: CurlCommand, parser: Parser, preface: Preface): RequestDraft {
  const builder = createSourceBuilder();
  const method = toMethod(command.method);
  builder.add(`${method} `);
  const url = builder.add(command.url);
  const query = command.query && addPieces(command.query, builder);
  const boundary = createBoundary();
  const isForm = command.body?.kind === "form";
  const headers = headersOf(command, boundary).map(([name, value]) => {
    builder.add("\n");
    const start = builder.text.length;
    builder.add(`${name}: `);
    const place = builder.add(value);
    return { name, place, span: { start, end: place.end } };
  });
  builder.add("\n\n");
  const faults: Fault[] = [];
  const runs = command.body && addPieces(piecesOf(command, command.body, boundary), builder);
  const { output, resume } = command;
  // The type of a form is there, whatever it is.
  const without = command.without.filter((name) => !isForm || name !== "content-type");
  if (output !== undefined) builder.add("\n\n>>! ");
  const savePath = output === undefined ? undefined : builder.add(output);
  const source = builder.text;
  const template = (span: Span): Template => collectTemplate({ source }, span, faults);
  const draft: RequestDraft = {
    kind: "request",
    ...readNames(preface.annotations, preface.title),
    annotations: [...preface.annotations, ...annotationsOf(command)],
    method,
    url: template(url),
    ...(query && { query: query.map((run) => toPiece(run, template)) }),
    urlSpan: url,
    headers: headers.map(
      ({ name, place, span }): HeaderDraft => ({ name, value: template(place), span }),
    ),
    ...(without.length > 0 && { without }),
    ...(runs === undefined ? {} : { body: toBody(runs, template) }),
    ...(command.fails && { assertions: failAssertions(command, parser) }),
    ...(savePath && { saveTo: { path: template(savePath), replace: true, resume } }),
    span: { start: 0, end: source.trimEnd().length },
    source,
    origin: command.span,
  };
  for (const { message, hint } of faults) {
    parser.report(command.span, message, hint ?? "Write a placeholder as {{name}}");
  }
  return draft;
}

const isContentType = ([name]: CurlCommand["headers"][number]): boolean =>
  name.toLowerCase() === "content-type";

/** The type of a form without its boundary. Without any, curl still sends the boundary. */
function formType({ headers, without }: CurlCommand): string {
  const unwritten = without.includes("content-type") ? "" : "multipart/form-data";
  return headers.find(isContentType)?.[1] ?? unwritten;
}

/** The headers with the type of a form: a written one gets the boundary, as in curl. */
function headersOf(command: CurlCommand, boundary: string): CurlCommand["headers"] {
  const { headers, body } = command;
  if (body?.kind !== "form") return headers;
  const type = ["Content-Type", `${formType(command)}; boundary=${boundary}`] as const;
  return [...headers.filter((header) => !isContentType(header)), type];
}

/** The pieces of a body in order. */
function piecesOf(command: CurlCommand, body: CurlBody, boundary: string): readonly CurlPiece[] {
  if (body.kind === "text") return [body];
  if (body.kind === "file") return [{ path: body.path }];
  if (body.kind === "pieces") return body.pieces;
  const isForm = /^multipart\/form-data(?:[\s;]|$)/i.test(formType(command));
  const parts = body.fields.flatMap((field): CurlPiece[] => [
    { text: `--${boundary}\r\nContent-Disposition: ${isForm ? "form-data" : "attachment"}; ` },
    ...partHead(field),
    { text: "\r\n\r\n" },
    "text" in field.value && isJsonType(field.type ?? "")
      ? { ...field.value, within: "json" }
      : field.value,
    { text: "\r\n" },
  ]);
  return [...parts, { text: `--${boundary}--\r\n` }];
}

/** A text, or the path of a file or what stands for bytes, in the source of the request. */
interface Run {
  readonly span: Span;
  readonly file?: CurlFile;
  readonly bytes?: Uint8Array;
  /** The names and the JSON of parts in the text. */
  readonly marks: readonly Mark[];
}

/** A place in a text in which values are escaped. */
interface Mark {
  readonly span: Span;
  readonly within: "part-name" | "json";
}

/** Adds pieces to a source. Neighbouring texts are one, since they may share a placeholder. */
function addPieces(pieces: readonly CurlPiece[], builder: SourceBuilder): readonly Run[] {
  const runs: Run[] = [];
  const addFile = (path: string, more: Pick<Run, "file" | "bytes">): void => {
    builder.add("< ");
    runs.push({ span: builder.add(path), ...more, marks: [] });
    builder.add("\n");
  };
  for (const piece of pieces) {
    if ("path" in piece) {
      addFile(piece.path, { file: piece });
      continue;
    }
    for (const part of splitBytes(piece.text)) {
      if (typeof part !== "string") {
        addFile(`${part.length} bytes`, { bytes: part });
        continue;
      }
      const last = runs.at(-1);
      const span = builder.add(part);
      const own = piece.within === undefined ? [] : [{ span, within: piece.within }];
      if (last === undefined || !isText(last)) runs.push({ span, marks: own });
      else {
        const whole = { start: last.span.start, end: span.end };
        runs[runs.length - 1] = { span: whole, marks: [...last.marks, ...own] };
      }
    }
  }
  return runs;
}

function isText({ file, bytes }: Run): boolean {
  return file === undefined && bytes === undefined;
}

function toBody(runs: readonly Run[], template: (span: Span) => Template): BodyDraft {
  const start = runs[0]?.span.start ?? 0;
  const span = { start, end: runs.at(-1)?.span.end ?? start };
  const [first] = runs;
  const textOf = (run: Run): Template => markPlaces(template(run.span), run.marks);
  if (first !== undefined && runs.length === 1) {
    const { file } = first;
    if (isText(first)) return { kind: "text", text: textOf(first), exact: true, span };
    if (file !== undefined && file.change === undefined) {
      return { kind: "file", path: template(first.span), interpolated: false, span };
    }
  }
  const pieces = runs.map((run) => (isText(run) ? textOf(run) : toPiece(run, template)));
  return { kind: "pieces", pieces, span };
}

function toPiece(run: Run, template: (span: Span) => Template): Template | FileDraft {
  if (isText(run)) return template(run.span);
  const { file, bytes } = run;
  return { path: template(run.span), interpolated: false, change: file?.change, bytes };
}

function markPlaces(template: Template, marks: readonly Mark[]): Template {
  return mapPlaceholders(template, (placeholder) => {
    const { start, end } = placeholder.span;
    const mark = marks.find(({ span }) => span.start <= start && end <= span.end);
    if (mark === undefined) return placeholder;
    if (mark.within === "part-name") return { ...placeholder, within: mark.within };
    const quotes = template.source.slice(mark.span.start, start).match(/\\.|"/gs) ?? [];
    const isQuoted = quotes.filter((one) => one === '"').length % 2 === 1;
    return isQuoted ? { ...placeholder, within: "string" } : placeholder;
  });
}

type CurlFile = Extract<CurlPiece, { readonly path: string }>;

/** The headers of a part. What is written is escaped here, and a value when it is known. */
function partHead({ name, type, fileName }: CurlField): readonly CurlPiece[] {
  const quoted = (before: string, text: string): CurlPiece[] => [
    { text: `${before}="` },
    { text: escapePartName(text), within: "part-name" },
    { text: '"' },
  ];
  return [
    ...quoted("name", name),
    ...(fileName === undefined ? [] : quoted("; filename", fileName)),
    ...(type === undefined
      ? []
      : [{ text: "\r\nContent-Type: " }, { text: type, within: "part-name" } as const]),
  ];
}

/** The assertion that stands for `-f`, on the line of the command. */
function failAssertions({ span }: CurlCommand, parser: Parser): readonly AssertionDraft[] {
  const source = `?? ${FAIL_ASSERTION}`;
  const { line: firstLine } = createLocator(parser)(span.start);
  const template = (place: Span): Template => collectTemplate({ source }, place, []);
  const { report } = parser;
  const whole = { start: 0, end: source.length };
  const assertion = parseAssertion({ source, firstLine, report, template }, whole);
  // Errors quote what was written. It is as long, so that the spans stay.
  return assertion === undefined ? [] : [{ ...assertion, source: `-f ${FAIL_ASSERTION}` }];
}

function annotationsOf(command: CurlCommand): readonly Annotation[] {
  return curlAnnotations(command).map(([key, value]) => ({ key, value, span: command.span }));
}

/** The options of a curl command that are annotations of a request. */
export function curlAnnotations(
  command: CurlCommand,
): readonly (readonly [key: string, value: string])[] {
  const { follows, redirectLimit, seconds, retries, connection, cookieFiles, cookieJar } = command;
  const lines: readonly (readonly [key: string, value: string | undefined])[] = [
    ["no-redirect", follows ? undefined : ""],
    ["max-redirects", redirectLimit?.toString()],
    ["timeout", seconds === undefined ? undefined : `${seconds} s`],
    ["retry", retries?.toString()],
    ...cookieFiles.map((path) => ["cookie-file", path] as const),
    ["cookie-jar", cookieJar],
    ["connection", connection && JSON.stringify(connection)],
  ];
  return lines.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
}
