import { type CurlBody, type CurlCommand, type CurlField, parseCurl } from "../../curl/mod.ts";
import { collectTemplate, type Fault, type Span } from "../../interpolation/mod.ts";
import type { Annotation, BodyDraft, HeaderDraft, RequestDraft } from "../draft/mod.ts";
import { toMethod } from "../draft/mod.ts";
import type { Parser } from "./parser.ts";

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
  const body = command.body && builder.add(bodyText(command.body, boundary));
  const source = builder.text;
  const faults: Fault[] = [];
  const template = (span: Span): ReturnType<typeof collectTemplate> =>
    collectTemplate(source, span, faults);
  const name = preface.annotations.findLast(({ key }) => key === "name")?.value;
  const draft: RequestDraft = {
    kind: "request",
    ...(name === undefined || name === "" ? {} : { name }),
    ...(preface.title === undefined ? {} : { title: preface.title }),
    annotations: [...preface.annotations, ...annotationsOf(command)],
    method,
    url: template(url),
    urlSpan: url,
    headers: headers.map(
      ({ name, place, span }): HeaderDraft => ({ name, value: template(place), span }),
    ),
    ...(body === undefined ? {} : { body: toBody(command.body, body, template) }),
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

function toBody(
  body: CurlBody | undefined,
  span: Span,
  template: (span: Span) => ReturnType<typeof collectTemplate>,
): BodyDraft {
  if (body?.kind === "file") {
    // After the sign `<` and a space.
    const path = { start: span.start + 2, end: span.end };
    return { kind: "file", path: template(path), interpolated: false, span };
  }
  const hasFile = body?.kind === "form" && body.fields.some(({ value }) => "path" in value);
  return { kind: "text", text: template(span), span, ...(hasFile ? {} : { exact: true }) };
}

function bodyText(body: CurlBody, boundary: string): string {
  if (body.kind === "text") return body.text;
  if (body.kind === "file") return `< ${body.path}`;
  const parts = body.fields.map((field) => `--${boundary}\r\n${partText(field)}\r\n`);
  return `${parts.join("")}--${boundary}--\r\n`;
}

function partText({ name, value, type, fileName }: CurlField): string {
  const file = fileName === undefined ? "" : `; filename="${escapeName(fileName)}"`;
  const head = `Content-Disposition: form-data; name="${escapeName(name)}"${file}`;
  const typed = type === undefined ? "" : `\r\nContent-Type: ${type}`;
  return `${head}${typed}\r\n\r\n${"path" in value ? `< ${value.path}` : value.text}`;
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
