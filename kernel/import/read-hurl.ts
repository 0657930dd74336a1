import { beginsAsJson, isHeaderName, isSecretName } from "../../lib/request/mod.ts";
import {
  encodeText,
  type FormField,
  filePath,
  formBody,
  multipartBody,
  type TypedBody,
  textBody,
} from "./bodies.ts";
import {
  type Body,
  type CollectionBuilder,
  type Folder,
  ImportError,
  type ImportedRequest,
  type Item,
  joinText,
  plainText,
  type Row,
  type Text,
  type Variable,
} from "./collection.ts";
import { credentialRows } from "./credentials.ts";
import {
  type HurlBody,
  type HurlCheck,
  type HurlEntry,
  type HurlResponse,
  type HurlRow,
  HurlSyntaxError,
  type HurlText,
  parseHurl,
} from "./hurl.ts";
import { bodyIs, convertAssert, convertCapture, headerIs } from "./hurl-checks.ts";
import type { ReadContent, Source } from "./readers.ts";
import { joinHeaders } from "./rows.ts";

/** Whether a source is a file of Hurl, or a folder that has some. */
export function isHurl({ name, text, files }: Source): boolean {
  return HURL.test(name) || (text === "" && [...files.keys()].some((path) => HURL.test(path)));
}

const HURL = /\.hurl$/i;

/** Reads a file of Hurl, or all of a folder, in which one with a fault is left out. */
export function readHurl({ name, text, files }: Source, builder: CollectionBuilder): ReadContent {
  const paths = [...files.keys()].filter((path) => HURL.test(path)).sort();
  const title = titleOf(name);
  if (paths.length === 0 || text !== "") {
    try {
      return { name: title, ...new HurlReader(builder, "").read(text) };
    } catch (error) {
      if (!(error instanceof HurlSyntaxError)) throw error;
      throw new ImportError(`Reading "${name}" failed: ${error.message}`);
    }
  }
  return { name: title, items: readTree(paths, 0, files, builder) };
}

function titleOf(path: string): string {
  const [last = ""] = path.split(/[\\/]/).slice(-1);
  return last.replace(HURL, "") || "Hurl";
}

/** The files of a folder and those of its folders, as folders of their own. */
function readTree(
  paths: readonly string[],
  depth: number,
  files: ReadonlyMap<string, string>,
  builder: CollectionBuilder,
): readonly Folder[] {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = path.split("/")[depth] ?? "";
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return [...byName].flatMap(([name, inner]): readonly Folder[] => {
    const [path = ""] = inner;
    if (path.split("/").length > depth + 1) {
      return [{ kind: "folder", title: name, items: readTree(inner, depth + 1, files, builder) }];
    }
    try {
      const content = new HurlReader(builder, `${path}: `).read(files.get(path) ?? "");
      return [{ kind: "folder", title: titleOf(name), ...content }];
    } catch (error) {
      if (!(error instanceof HurlSyntaxError)) throw error;
      builder.remark("left out", path, error.message);
      return [];
    }
  });
}

/** What the sections of a request make of it, besides its rows. */
interface Options {
  readonly annotations: (readonly [key: string, value: string])[];
  readonly settings: (readonly [name: string, value: Text])[];
  readonly headers: Row[];
}

class HurlReader {
  readonly #builder: CollectionBuilder;
  /** What stands before the line in remarks. */
  readonly #prefix: string;

  constructor(builder: CollectionBuilder, prefix: string) {
    this.#builder = builder;
    this.#prefix = prefix;
  }

  read(text: string): { readonly description?: string; readonly items: readonly Item[] } {
    const entries = parseHurl(text);
    const versions = entries.flatMap(({ response }) =>
      response !== undefined && /\/\d/.test(response.version) ? [response.line] : [],
    );
    const [line] = versions;
    if (line !== undefined) {
      const count = versions.length === 1 ? "a response" : `${versions.length} responses`;
      this.#remark("left out", line, `The version of HTTP that ${count} must have`);
    }
    // What stands apart above the first request is about the file.
    const [first] = entries;
    const about = wordsOf(first?.above.slice(0, -1).flat() ?? []);
    const items = entries.map((entry) =>
      this.#request(entry === first ? { ...entry, above: entry.above.slice(-1) } : entry),
    );
    return { ...(about.length > 0 && { description: about.join("\n") }), items };
  }

  #where(line: number): string {
    return `${this.#prefix}line ${line}`;
  }

  #remark(kind: "changed" | "left out", line: number, message: string): void {
    this.#builder.remark(kind, this.#where(line), message);
  }

  #text(text: HurlText, line: number): Text {
    return joinText(
      text.map((part) => (typeof part === "string" ? part : this.#variable(part.expression, line))),
    );
  }

  #variable(expression: string, line: number): Variable {
    const [name = "", ...filters] = expression.split(/\s+/);
    if (filters.length === 0 && Object.hasOwn(FUNCTIONS, name)) {
      return { variable: FUNCTIONS[name] ?? "" };
    }
    if (name === "getEnv" && filters.length === 1) {
      return { variable: this.#builder.nameOf(filters.join("").replace(/^"|"$/g, "")) };
    }
    const variable = this.#builder.nameOf(name);
    if (filters.join() === "urlEncode") {
      this.#remark("changed", line, `A slash in the value of {{${name}}} is encoded as well`);
      return { variable: `%${variable}` };
    }
    if (filters.length > 0) {
      this.#remark("left out", line, `What {{${expression}}} does with the value of "${name}"`);
    }
    return { variable };
  }

  #request(entry: HurlEntry): ImportedRequest {
    const { line, method, response, sections } = entry;
    const rows = (name: string): readonly HurlRow[] => sections.get(name) ?? [];
    const pairs = (name: string): readonly (readonly [Text, Text])[] =>
      rows(name).map((row) => [this.#text(row.key, row.line), this.#text(row.value, row.line)]);
    const checks = this.#checks(response);
    const hasChecks = checks.assertions.length > 0;
    const options = this.#options(rows("Options"), hasChecks);
    const headers = [...this.#headers(entry.headers), ...options.headers];
    const typed = this.#body(entry, pairs("FormParams"));
    const hasType = headers.some((row) => /^content-type$/i.test(row.name));
    if (typed !== undefined && typed.type === undefined && !hasType) this.#untyped(entry);
    const cookies = pairs("Cookies").map(([name, value]) => [...name, "=", ...value]);
    const cookie =
      cookies.length === 0
        ? []
        : [
            {
              name: "Cookie",
              value: joinText(cookies.flatMap((one, at) => [at === 0 ? "" : "; ", ...one])),
            },
          ];
    const login = pairs("BasicAuth").flatMap(([username, password]) =>
      this.#login(username, password),
    );
    const url = this.#text(entry.url, line);
    const title = wordsOf(entry.above.at(-1) ?? []);
    const more = wordsOf(entry.above.slice(0, -1).flat());
    const path = plainText(url)
      .replace(/^[a-z]+:\/\/[^/?]*/i, "")
      .replace(/\?.*$/s, "");
    return {
      kind: "request",
      title: title[0] ?? `${method} ${path || "/"}`,
      where: this.#where(line),
      description: [...more, ...title.slice(1)].join("\n"),
      comments: [...wordsOf(entry.comments), ...checks.comments],
      annotations: options.annotations,
      settings: options.settings,
      method,
      url,
      query: pairs("QueryStringParams").map(([name, value]) => this.#queryRow(name, value)),
      headers: joinHeaders([...headers, ...login, ...cookie], typed, [], this.#builder),
      body: typed?.body,
      assertions: checks.assertions,
      captures: checks.captures,
    };
  }

  #login(username: Text, password: Text): readonly Row[] {
    return credentialRows({ type: "basic", username, password }, "auth", this.#builder).headers;
  }

  #headers(rows: readonly HurlRow[]): readonly Row[] {
    return rows.flatMap(({ line, key, value }) => {
      const name = plainText(this.#text(key, line));
      if (isHeaderName(name)) return [{ name, value: this.#text(value, line) }];
      this.#remark("left out", line, `No header can have the name ${JSON.stringify(name)}`);
      return [];
    });
  }

  #queryRow(key: Text, value: Text): Row {
    const name = plainText(key);
    const isSecret = isSecretName(name) && value.length > 0 && typeof value[0] === "string";
    const shown = isSecret ? [this.#builder.secret(name, value)] : encodeText(value);
    return { name, value: joinText([...encodeAll(encodeText(key)), "=", ...encodeAll(shown)]) };
  }

  #options(rows: readonly HurlRow[], hasChecks: boolean): Options {
    const options: Options = { annotations: [], settings: [], headers: [] };
    const { annotations, settings, headers } = options;
    const values = new Map<string, Text>();
    for (const row of rows) {
      const name = plainText(this.#text(row.key, row.line));
      const value = this.#text(row.value, row.line);
      const written = plainText(value);
      values.set(name, value);
      if (name === "variable") settings.push(...this.#setting(value));
      else if (name === "user") headers.push(...this.#user(value));
      else if (name === "header") headers.push(...this.#headerOption(value));
      else if (name === "retry") {
        const every = plainText(values.get("retry-interval") ?? intervalOf(rows));
        annotations.push(...this.#retry(written, every, hasChecks, row.line));
      } else if (!IGNORED.has(name)) {
        const annotation = annotationOf(name, written);
        if (annotation === undefined) this.#remark("left out", row.line, `The option "${name}"`);
        else if (annotation !== "none") annotations.push(annotation);
      }
    }
    const follows = ["location", "location-trusted"].some(
      (name) => plainText(values.get(name) ?? []) === "true",
    );
    // Hurl follows no redirect unless a request says so.
    return follows ? options : { ...options, annotations: [["no-redirect", ""], ...annotations] };
  }

  #setting(value: Text): Options["settings"] {
    const [first, ...more] = value;
    const [, name, start = ""] =
      /^([\w-]+)[ \t]*=[ \t]*(.*)$/s.exec(typeof first === "string" ? first : "") ?? [];
    if (name === undefined) return [];
    const text = joinText([start, ...more]);
    const [only = ""] = text;
    const isQuoted = text.length === 1 && typeof only === "string" && /^".*"$/s.test(only);
    return [[this.#builder.nameOf(name), isQuoted ? [only.slice(1, -1)] : text]];
  }

  #user(value: Text): readonly Row[] {
    const at = value.findIndex((part) => typeof part === "string" && part.includes(":"));
    const colon = value[at];
    if (typeof colon !== "string") return [];
    const [user = "", ...password] = colon.split(":");
    return this.#login(
      joinText([...value.slice(0, at), user]),
      joinText([password.join(":"), ...value.slice(at + 1)]),
    );
  }

  #headerOption(value: Text): readonly Row[] {
    const [first, ...more] = value;
    const [, name = "", start = ""] =
      /^([^:\s]+)[ \t]*:[ \t]*(.*)$/s.exec(typeof first === "string" ? first : "") ?? [];
    return isHeaderName(name) ? [{ name, value: joinText([start, ...more]) }] : [];
  }

  #retry(count: string, every: string, hasChecks: boolean, line: number): Options["annotations"] {
    const [, number = "1000", unit = "ms"] = /^(\d{1,9})[ \t]*(ms|s|m)?$/.exec(every) ?? [];
    if (hasChecks && /^\d{1,6}$/.test(count)) return [["retry", `${count} every ${number}${unit}`]];
    const reason = hasChecks ? "it has no end" : "nothing says when the response is right";
    this.#remark("left out", line, `The option "retry": ${reason}`);
    return [];
  }

  #body(
    entry: HurlEntry,
    form: readonly (readonly [Text, Text])[],
  ): { readonly type?: string; readonly body: Body } | undefined {
    const { body, sections } = entry;
    if (body !== undefined) return this.#content(body);
    if (form.length > 0) {
      return formBody(form.map(([name, value]) => [encodeAll(name), encodeAll(value)]));
    }
    const parts = sections.get("MultipartFormData") ?? [];
    if (parts.length === 0) return undefined;
    return multipartBody(parts.map((part) => this.#part(part)));
  }

  /** A body without a Content-Type gets one here if it looks like JSON or a form. */
  #untyped({ body, line }: HurlEntry): void {
    const text = body === undefined ? "" : plainText(this.#text(body.text, line));
    // With a line break at its end it becomes a command, which has no type either.
    if (text.endsWith("\n")) return;
    const type = beginsAsJson(text) ? "JSON" : /^[\w.-]+=[^\s=]*(?:&|$)/.test(text) && "a form";
    if (type) this.#remark("changed", line, `The Content-Type of ${type} is added to the body`);
  }

  #part({ line, key, value, file }: HurlRow): FormField {
    const name = this.#text(key, line);
    if (file === undefined) return { name, value: this.#text(value, line) };
    const path = plainText(this.#text(value, line));
    const type = plainText(this.#text(file.type, line));
    return { name, value: this.#file(path, line), type: type || mediaType(path) };
  }

  #file(path: string, line: number): { readonly file: string } {
    const near = filePath(path);
    if (near !== `./${path.replace(/^\.\//, "")}`) {
      this.#remark("changed", line, `The file "${path}" is read from "${near}": put it there`);
    }
    return { file: near };
  }

  /** With the Content-Type that Hurl adds. */
  #content(body: HurlBody): { readonly type?: string; readonly body: Body } {
    const { kind, line, bytes } = body;
    const text = this.#text(body.text, line);
    if (bytes !== undefined) {
      const name = `body-${this.#builder.files.size + 1}.bin`;
      this.#builder.files.set(name, bytes);
      return { body: { kind: "text", pieces: [{ file: `./${name}` }] } };
    }
    if (kind === "file") {
      return { body: { kind: "text", pieces: [this.#file(plainText(text), line)] } };
    }
    if (kind === "graphql") {
      const variables = body.variables && { variables: this.#text(body.variables, line) };
      // A line of a comment would be none of the query, and the variables have to be JSON as they stand.
      const isPlain = !plainText(text).includes("#") && isJson(variables?.variables ?? ["{}"]);
      if (!isPlain) return queryBody(text, variables?.variables);
      return { type: "application/json", body: { kind: "graphql", query: text, ...variables } };
    }
    const typed: TypedBody = textBody(
      text,
      kind === "xml" ? "application/xml" : "application/json",
    );
    return kind === "text" ? { body: typed.body } : typed;
  }

  #checks(
    response: HurlResponse | undefined,
  ): Required<Pick<ImportedRequest, "assertions" | "captures" | "comments">> {
    const assertions: Text[] = [];
    const captures: (readonly [string, string])[] = [];
    const left: string[] = [];
    if (response === undefined) return { assertions, captures, comments: left };
    const { line, status, headers, body } = response;
    const leave = (at: number, source: string): void => {
      left.push(source);
      this.#remark("left out", at, `No assertion here says the same: ${firstLine(source)}`);
    };
    if (status !== "*") assertions.push([`status == ${Number(status)}`]);
    const names = headers.map(({ key }) => plainText(this.#text(key, line)).toLowerCase());
    for (const [at, row] of headers.entries()) {
      const name = plainText(this.#text(row.key, row.line));
      const value = this.#text(row.value, row.line);
      // The values of a repeated header are one text here.
      const isRepeated = names.indexOf(names[at] ?? "") !== names.lastIndexOf(names[at] ?? "");
      const lines = isRepeated ? undefined : headerIs(name, value);
      if (lines === undefined) leave(row.line, `${name}: ${plainText(value)}`);
      else assertions.push(...lines);
    }
    for (const check of response.asserts) {
      const converted = convertAssert(check.tokens, (text) => this.#text(text, check.line));
      if (converted === undefined) leave(check.line, check.source);
      else assertions.push(...converted.result);
      if (converted?.change !== undefined) this.#remark("changed", check.line, converted.change);
    }
    if (body !== undefined) {
      const isText = body.bytes === undefined && body.kind !== "file" && body.kind !== "graphql";
      const lines = isText ? bodyIs(this.#text(body.text, body.line)) : undefined;
      if (lines === undefined) leave(body.line, body.source);
      else assertions.push(...lines);
    }
    for (const check of response.captures) {
      const capture = this.#capture(check);
      if (capture === undefined) left.push(check.source);
      else captures.push(capture);
    }
    const comments = left.length === 0 ? [] : ["Not converted, of Hurl:", ...left];
    return { assertions, captures, comments };
  }

  #capture({ line, key, tokens, source }: HurlCheck): readonly [string, string] | undefined {
    const name = this.#builder.nameOf(plainText(this.#text(key, line)));
    const converted = convertCapture(tokens);
    if (converted === undefined) {
      this.#remark("left out", line, `No variable line here says the same: ${firstLine(source)}`);
      return undefined;
    }
    if (converted.change !== undefined) this.#remark("changed", line, converted.change);
    return [name, converted.result];
  }
}

/** A query of GraphQL as JSON. */
function queryBody(query: Text, variables: Text | undefined): TypedBody {
  const written = query.map((part) =>
    typeof part === "string" ? JSON.stringify(part).slice(1, -1) : part,
  );
  const more: Text = variables === undefined ? [] : [', "variables": ', ...variables];
  return textBody(joinText(['{"query": "', ...written, '"', ...more, "}"]), "application/json");
}

function isJson(text: Text): boolean {
  try {
    JSON.parse(plainText(text));
    return true;
  } catch {
    // A variable outside of a string.
    return false;
  }
}

/** Functions in placeholders, and the generated values here. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  newUuid: "$guid",
  newDate: "$isoTimestamp",
};

/** Options that change no request, or only with another one. */
const IGNORED: ReadonlySet<string> = new Set([
  "location",
  "location-trusted",
  "retry-interval",
  "verbose",
  "very-verbose",
  "verbosity",
  "compressed",
]);

/** The annotation of an option; `undefined` if there is none, and `none` for what is usual here. */
function annotationOf(
  name: string,
  value: string,
): readonly [key: string, value: string] | "none" | undefined {
  if (value === "false" && /^(?:insecure|skip|no-cookie-store)$/.test(name)) return "none";
  if (name === "insecure" && value === "true") return ["no-reject-unauthorized", ""];
  if (name === "skip" && value === "true") return ["disabled", ""];
  if (name === "no-cookie-store" && value === "true") return ["no-cookie-jar", ""];
  if (name === "max-redirs" && /^\d{1,6}$/.test(value)) return ["max-redirects", value];
  if (name === "proxy" && /^[\w:/.@-]+$/.test(value)) return ["proxy", value];
  if (name === "repeat" && /^[1-9]\d{0,5}$/.test(value)) return ["loop", `for ${value}`];
  const [, time, unit = "s"] = /^(\d{1,9})[ \t]*(ms|s|m)?$/.exec(value) ?? [];
  return name === "max-time" && time !== undefined ? ["timeout", `${time} ${unit}`] : undefined;
}

function intervalOf(rows: readonly HurlRow[]): Text {
  const row = rows.find(({ key }) => key.length === 1 && key[0] === "retry-interval");
  return (row?.value ?? []).filter((part) => typeof part === "string");
}

/** Values in a query and in a form are encoded with all their characters. */
function encodeAll(text: Text): Text {
  return text.map((part) =>
    typeof part === "string" || part.variable.startsWith("%")
      ? part
      : { variable: `%${part.variable}` },
  );
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  gif: "image/gif",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
  htm: "text/html",
  html: "text/html",
  pdf: "application/pdf",
  xml: "application/xml",
};

/** As Hurl knows it by the name of a file. */
function mediaType(path: string): string {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const type = Object.hasOwn(MEDIA_TYPES, extension) ? MEDIA_TYPES[extension] : undefined;
  return type ?? "application/octet-stream";
}

/** Lines with something in them: others are ornaments. */
function wordsOf(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim()).filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line === text.trim() && line.length <= 100 ? line : `${line.slice(0, 100)} …`;
}
