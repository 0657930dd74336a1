import {
  type CurlBody,
  type CurlCommand,
  type CurlField,
  type CurlPiece,
  parseCurl,
} from "../curl/mod.ts";
import { collectTemplate, type Fault, type Span, type Template } from "../interpolation/mod.ts";
import {
  type Annotation,
  type BodyDraft,
  type HeaderDraft,
  type RequestDraft,
  readNames,
} from "./draft.ts";
import type { Parser } from "./line.ts";
import { toMethod } from "./request-line.ts";

/** The title and annotations before the command. */
interface Preface {
  readonly title?: string;
  readonly annotations: readonly Annotation[];
}

/**
 * Parses a curl command as a request. Its templates refer to the text of an equivalent request, which has no
 * quotes and escapes of a shell.
 */
export function readCurl(
  parser: Parser,
  start: number,
  preface: Preface,
): { readonly request: RequestDraft | undefined; readonly next: number } {
  const { command, next } = parseCurl(parser.source, start, (span, message, hint) =>
    parser.report(span, message, hint),
  );
  return { request: command && toDraft(command, parser, preface), next };
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

function toDraft(command: CurlCommand, parser: Parser, preface: Preface): RequestDraft {
  const builder = createSourceBuilder();
  const method = toMethod(command.method);
  builder.add(`${method} `);
  const url = builder.add(command.url);
  const boundary = boundaryFor(command.body);
  const isForm = command.body?.kind === "form";
  const headers = command.headers
    .concat(isForm ? [["Content-Type", `multipart/form-data; boundary=${boundary}`]] : [])
    .map(([name, value]) => {
      builder.add("\n");
      const start = builder.text.length;
      builder.add(`${name}: `);
      const place = builder.add(value);
      return { name, place, span: { start, end: place.end } };
    });
  builder.add("\n\n");
  const faults: Fault[] = [];
  const runs = command.body && addPieces(piecesOf(command.body, boundary), builder);
  const source = builder.text;
  const template = (span: Span): Template => collectTemplate({ source }, span, faults);
  const draft: RequestDraft = {
    kind: "request",
    ...readNames(preface.annotations, preface.title),
    annotations: [...preface.annotations, ...annotationsOf(command)],
    method,
    url: template(url),
    urlSpan: url,
    headers: headers.map(
      ({ name, place, span }): HeaderDraft => ({ name, value: template(place), span }),
    ),
    ...(runs === undefined ? {} : { body: toBody(runs, template) }),
    ...(command.output === undefined
      ? {}
      : { saveTo: { path: { source: command.output, parts: [command.output] }, replace: true } }),
    span: { start: 0, end: source.trimEnd().length },
    source,
    origin: command.span,
  };
  for (const { message, hint } of faults) {
    parser.report(command.span, message, hint ?? "Write a placeholder as {{name}}");
  }
  return draft;
}

/** The pieces of a body in order. */
function piecesOf(body: CurlBody, boundary: string): readonly CurlPiece[] {
  if (body.kind === "text") return [body];
  if (body.kind === "file") return [{ path: body.path }];
  if (body.kind === "pieces") return body.pieces;
  const parts = body.fields.flatMap((field): CurlPiece[] => [
    { text: `--${boundary}\r\n${partHead(field)}\r\n\r\n` },
    field.value,
    { text: "\r\n" },
  ]);
  return [...parts, { text: `--${boundary}--\r\n` }];
}

/** A text, or the path of a file, in the source of the request. */
type Run = { readonly span: Span; readonly file?: CurlFile };

/** Adds pieces to a source. Neighbouring texts are one, since they may share a placeholder. */
function addPieces(pieces: readonly CurlPiece[], builder: SourceBuilder): readonly Run[] {
  const runs: Run[] = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    if ("path" in piece) {
      builder.add("< ");
      runs.push({ span: builder.add(piece.path), file: piece });
      builder.add("\n");
    } else if (last !== undefined && last.file === undefined) {
      const { end } = builder.add(piece.text);
      runs[runs.length - 1] = { span: { start: last.span.start, end } };
    } else runs.push({ span: builder.add(piece.text) });
  }
  return runs;
}

function toBody(runs: readonly Run[], template: (span: Span) => Template): BodyDraft {
  const start = runs[0]?.span.start ?? 0;
  const span = { start, end: runs.at(-1)?.span.end ?? start };
  const [first] = runs;
  if (first !== undefined && runs.length === 1) {
    const { file } = first;
    if (file === undefined) return { kind: "text", text: template(first.span), exact: true, span };
    if (file.change === undefined) {
      return { kind: "file", path: template(first.span), interpolated: false, span };
    }
  }
  const pieces = runs.map(({ span: place, file }) => {
    if (file === undefined) return template(place);
    const change = file.change === undefined ? {} : { change: file.change };
    return { path: template(place), interpolated: false, ...change };
  });
  return { kind: "pieces", pieces, span };
}

type CurlFile = Extract<CurlPiece, { readonly path: string }>;

function partHead({ name, type, fileName }: CurlField): string {
  const file = fileName === undefined ? "" : `; filename="${escapeName(fileName)}"`;
  const head = `Content-Disposition: form-data; name="${escapeName(name)}"${file}`;
  return type === undefined ? head : `${head}\r\nContent-Type: ${type}`;
}

/** As curl and browsers escape the names of a form. */
function escapeName(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** A boundary that occurs in no field. */
function boundaryFor(body: CurlBody | undefined): string {
  const texts =
    body?.kind === "form"
      ? body.fields.map(({ value }) => ("text" in value ? value.text : "")).join("\n")
      : "";
  let boundary = "restlab-form-5d1c0f7e2b9a";
  while (texts.includes(boundary)) boundary += "x";
  return boundary;
}

/** The options of the command as annotations. */
function annotationsOf(command: CurlCommand): readonly Annotation[] {
  const { follows, redirectLimit, seconds, retries, connection, span } = command;
  const lines: readonly (readonly [key: string, value: string | undefined])[] = [
    ["no-redirect", follows ? undefined : ""],
    ["max-redirects", redirectLimit?.toString()],
    ["timeout", seconds === undefined ? undefined : `${seconds} s`],
    ["retry", retries?.toString()],
    ["connection", connection && JSON.stringify(connection)],
  ];
  return lines.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value, span }]));
}
