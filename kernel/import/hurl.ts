import { joinText } from "./collection.ts";
import { decodeBase64 } from "./values.ts";

/** Text of Hurl: literal parts, and what stands between `{{` and `}}`. */
export type HurlText = readonly (string | { readonly expression: string })[];

/** A line `key: value`. */
export interface HurlRow {
  readonly line: number;
  readonly key: HurlText;
  readonly value: HurlText;
  /** The media type of a file of a multipart form, whose path is the value. */
  readonly file?: { readonly type: HurlText };
}

/** A body, of a request or of the response that is expected. */
export interface HurlBody {
  readonly line: number;
  readonly kind: "json" | "xml" | "text" | "graphql" | "bytes" | "file";
  /** The path of a file. */
  readonly text: HurlText;
  /** Of a query of GraphQL. */
  readonly variables?: HurlText;
  /** The body as it is written. */
  readonly source: string;
  /** Of `base64,…;` and `hex,…;`. */
  readonly bytes?: Uint8Array;
}

/** A word of an assertion or a capture. */
export interface HurlToken {
  readonly kind: "word" | "string" | "regex" | "expression" | "bytes";
  readonly text: HurlText;
  /** Without its quotes. */
  readonly source: string;
}

/** A line of `[Asserts]` or `[Captures]`. */
export interface HurlCheck {
  readonly line: number;
  readonly key: HurlText;
  readonly tokens: readonly HurlToken[];
  readonly source: string;
}

/** A request with the response that is expected. */
export interface HurlEntry {
  readonly line: number;
  /** Comments above it, by the blank lines between them; the last group is directly above. */
  readonly above: readonly (readonly string[])[];
  /** Comments between its lines. */
  readonly comments: readonly string[];
  readonly method: string;
  readonly url: HurlText;
  readonly headers: readonly HurlRow[];
  /** By their long names: `QueryStringParams`. */
  readonly sections: ReadonlyMap<string, readonly HurlRow[]>;
  readonly body?: HurlBody | undefined;
  readonly response?: HurlResponse | undefined;
}

/** The response that is expected. */
export interface HurlResponse {
  readonly line: number;
  /** `HTTP/2`; `HTTP` for any. */
  readonly version: string;
  /** `*` for any. */
  readonly status: string;
  readonly headers: readonly HurlRow[];
  readonly asserts: readonly HurlCheck[];
  readonly captures: readonly HurlCheck[];
  readonly body?: HurlBody | undefined;
}

/** A text that is not Hurl; the message says where. */
export class HurlSyntaxError extends Error {
  override readonly name = "HurlSyntaxError";
}

/**
 * Parses a file of Hurl.
 *
 * @throws {HurlSyntaxError} It has a fault.
 */
export function parseHurl(text: string): readonly HurlEntry[] {
  const parser = new HurlParser(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  const entries: HurlEntry[] = [];
  for (let entry = parser.entry(); entry !== undefined; entry = parser.entry()) entries.push(entry);
  return entries;
}

const SECTIONS: Readonly<Record<string, string>> = {
  Query: "QueryStringParams",
  QueryStringParams: "QueryStringParams",
  Form: "FormParams",
  FormParams: "FormParams",
  Multipart: "MultipartFormData",
  MultipartFormData: "MultipartFormData",
  Cookies: "Cookies",
  BasicAuth: "BasicAuth",
  Options: "Options",
};

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

type Parts = (string | { readonly expression: string })[];

/** A comment, or a blank line. */
type Gap = readonly (string | undefined)[];

class HurlParser {
  readonly #text: string;
  #at = 0;
  /** The last offset whose line was asked for, and that line. */
  #known = { at: 0, line: 1 };
  #comments: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  entry(): HurlEntry | undefined {
    const above = groups(this.#gap());
    if (this.#at >= this.#text.length) return undefined;
    this.#comments = [];
    const line = this.#line();
    const method = this.#take(/[A-Z]+(?=[ \t])/y);
    if (method === undefined || method === "HTTP") this.#fail("A request is expected");
    this.#take(/[ \t]+/y);
    const url = this.#value("#\n");
    if (url.length === 0) this.#fail("The URL is missing");
    this.#lineEnd();
    const headers = this.#rows(() => this.#header());
    const sections = this.#sections();
    const body = this.#body();
    const response = this.#response();
    return {
      line,
      above,
      comments: this.#comments,
      method,
      url,
      headers,
      sections,
      body,
      response,
    };
  }

  #line(): number {
    let { at, line } = this.#known;
    if (at > this.#at) [at, line] = [0, 1];
    for (let end = this.#text.indexOf("\n", at); end !== -1 && end < this.#at; line++) {
      at = end + 1;
      end = this.#text.indexOf("\n", at);
    }
    this.#known = { at, line };
    return line;
  }

  #fail(message: string): never {
    const [rest = ""] = this.#text.slice(this.#at, this.#at + 40).split("\n", 1);
    const found = rest === "" ? "" : `, found ${JSON.stringify(rest)}`;
    throw new HurlSyntaxError(`line ${this.#line()}: ${message}${found}`);
  }

  /** Takes what a sticky expression matches. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #is(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** Takes everything before a text, and the text. */
  #until(end: string): string {
    const at = this.#text.indexOf(end, this.#at);
    if (at === -1) this.#fail(`${JSON.stringify(end)} is missing`);
    const found = this.#text.slice(this.#at, at);
    this.#at = at + end.length;
    return found;
  }

  /** Blank lines and comments, up to the first character of another line. */
  #gap(): Gap {
    const gap: (string | undefined)[] = [];
    for (;;) {
      this.#take(/[ \t]+/y);
      const comment = this.#take(/#[^\n]*/y);
      if (comment !== undefined) gap.push(comment.slice(1).trim());
      else if (this.#is("\n")) gap.push(undefined);
      if (this.#take(/\n/y) === undefined) return gap;
    }
  }

  #lineEnd(): void {
    this.#take(/[ \t]+/y);
    this.#take(/#[^\n]*/y);
    if (this.#at < this.#text.length && this.#take(/\n/y) === undefined)
      this.#fail("The line should end here");
  }

  /** Reads something after a gap; where there is nothing of it, the gap is not read either. */
  #after<T>(read: () => T | undefined): T | undefined {
    const start = this.#at;
    const gap = this.#gap();
    const found = read();
    if (found === undefined) this.#at = start;
    else this.#comments.push(...gap.filter((one) => one !== undefined));
    return found;
  }

  #rows<T>(read: () => T | undefined): readonly T[] {
    const rows: T[] = [];
    for (let row = this.#after(read); row !== undefined; row = this.#after(read)) rows.push(row);
    return rows;
  }

  #row(): HurlRow | undefined {
    const line = this.#line();
    const key = this.#key();
    if (key === undefined) return undefined;
    const value = this.#value("#\n");
    this.#lineEnd();
    return { line, key, value };
  }

  /** A header with an empty value may also be written as `name;`. */
  #header(): HurlRow | undefined {
    const line = this.#line();
    const name = this.#take(/[\w-]+;(?=[ \t]*(?:#|\n|$))/y);
    if (name === undefined) return this.#row();
    this.#lineEnd();
    return { line, key: [name.slice(0, -1)], value: [] };
  }

  #part(): HurlRow | undefined {
    const line = this.#line();
    const key = this.#key();
    if (key === undefined) return undefined;
    if (this.#take(/file,[ \t]*/y) === undefined) {
      const value = this.#value("#\n");
      this.#lineEnd();
      return { line, key, value };
    }
    const value = this.#value(";\n");
    if (this.#take(/;[ \t]*/y) === undefined) this.#fail('";" is missing after the path');
    const type = this.#value("#\n");
    this.#lineEnd();
    return { line, key, value, file: { type } };
  }

  /** A key and its colon. */
  #key(): HurlText | undefined {
    const start = this.#at;
    if (this.#is("[")) return undefined;
    const parts: Parts = [];
    for (;;) {
      const text = this.#take(/[\p{L}\p{N}_\-.[\]@$]+/uy);
      const placeholder = this.#take(/\{\{[^{}\n"]*\}\}/y);
      if (text !== undefined) parts.push(text);
      if (placeholder !== undefined) parts.push({ expression: placeholder.slice(2, -2).trim() });
      if (text !== undefined || placeholder !== undefined) continue;
      if (!this.#is("\\")) break;
      parts.push(this.#escape());
    }
    this.#take(/[ \t]+/y);
    if (parts.length > 0 && this.#take(/:[ \t]*/y) !== undefined) return joinText(parts);
    this.#at = start;
    return undefined;
  }

  #escape(): string {
    this.#at += 1;
    const [sign = ""] = this.#text.slice(this.#at, this.#at + 1);
    const code = this.#take(/u\{[\da-fA-F]{1,6}\}/y);
    const point = code === undefined ? 0 : Number.parseInt(code.slice(2, -1), 16);
    if (code !== undefined && point <= 0x10ffff) return String.fromCodePoint(point);
    if (!/[#:"`\\/;{} bfnrt]/.test(sign)) this.#fail("A backslash escapes nothing here");
    this.#at += 1;
    return ESCAPES[sign] ?? sign;
  }

  /** Text up to one of some characters, without the blanks before it. */
  #value(ends: string): HurlText {
    const parts = this.#template(ends, { escapes: true, spaces: false });
    return joinText(parts);
  }

  #template(
    ends: string,
    { escapes, spaces }: { readonly escapes: boolean; readonly spaces: boolean },
  ): Parts {
    const parts: Parts = [];
    let from = this.#at;
    const flush = (): void => {
      if (from < this.#at) parts.push(this.#text.slice(from, this.#at));
    };
    for (; this.#at < this.#text.length; ) {
      const sign = this.#text.charAt(this.#at);
      if (ends.includes(sign)) break;
      const isExpression = sign === "{" && this.#is("{{");
      if (!isExpression && (sign !== "\\" || !escapes)) {
        this.#at += 1;
        continue;
      }
      flush();
      if (isExpression) {
        this.#at += 2;
        parts.push({ expression: this.#until("}}").trim() });
      } else parts.push(this.#escape());
      from = this.#at;
    }
    const end = this.#at;
    while (!spaces && this.#at > from && " \t".includes(this.#text.charAt(this.#at - 1)))
      this.#at--;
    flush();
    this.#at = end;
    return parts;
  }

  #sections(): ReadonlyMap<string, readonly HurlRow[]> {
    const sections = new Map<string, readonly HurlRow[]>();
    const read = (): true | undefined => {
      const name = this.#section();
      if (name === undefined) return undefined;
      const long = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
      if (long === undefined) this.#fail(`No request has a section [${name}]`);
      const rows = this.#rows(() => (long === "MultipartFormData" ? this.#part() : this.#row()));
      sections.set(long, [...(sections.get(long) ?? []), ...rows]);
      return true;
    };
    this.#rows(read);
    return sections;
  }

  #section(): string | undefined {
    const name = this.#take(/\[(?!(?:true|false|null)\])[A-Za-z]+\]/y)?.slice(1, -1);
    if (name !== undefined) this.#lineEnd();
    return name;
  }

  #response(): HurlResponse | undefined {
    const found = this.#after(() => {
      const line = this.#line();
      const head = this.#take(/HTTP(?:\/(?:\*|[\d.]+))?[ \t]+(?:\d+|\*)/y);
      return head === undefined ? undefined : { line, head };
    });
    if (found === undefined) return undefined;
    this.#lineEnd();
    const [version = "", status = "*"] = found.head.split(/[ \t]+/);
    const headers = this.#rows(() => this.#row());
    const checks: Record<"Asserts" | "Captures", HurlCheck[]> = { Asserts: [], Captures: [] };
    const read = (): true | undefined => {
      const name = this.#section();
      if (name === undefined) return undefined;
      if (name !== "Asserts" && name !== "Captures")
        this.#fail(`No response has a section [${name}]`);
      checks[name].push(...this.#rows(() => this.#check(name === "Captures")));
      return true;
    };
    this.#rows(read);
    const { Asserts: asserts, Captures: captures } = checks;
    const body = this.#body();
    return { line: found.line, version, status, headers, asserts, captures, body };
  }

  #check(isCapture: boolean): HurlCheck | undefined {
    const [start, line] = [this.#at, this.#line()];
    const key = isCapture ? this.#key() : [];
    // A body may follow, such as `true`.
    if (key === undefined || (!isCapture && !/[a-z]/.test(this.#text.charAt(this.#at))))
      return undefined;
    if (!isCapture && this.#peek(/[a-z][A-Za-z0-9]*[ \t]/y) === undefined) return undefined;
    const tokens: HurlToken[] = [];
    for (let token = this.#token(); token !== undefined; token = this.#token()) tokens.push(token);
    const source = this.#text.slice(start, this.#at).trim();
    this.#lineEnd();
    return { line, key, tokens, source };
  }

  #peek(pattern: RegExp): string | undefined {
    const at = this.#at;
    const found = this.#take(pattern);
    this.#at = at;
    return found;
  }

  #token(): HurlToken | undefined {
    this.#take(/[ \t]+/y);
    const start = this.#at;
    if (this.#at >= this.#text.length || this.#is("\n") || this.#is("#")) return undefined;
    const bytes = this.#take(/(?:hex|base64|file),[^;\n]*;/y);
    if (bytes !== undefined) return { kind: "bytes", text: [bytes], source: bytes };
    if (this.#is("```")) {
      const { kind, text } = this.#multiline();
      return { kind: kind === "graphql" ? "bytes" : "string", text, source: "" };
    }
    if (this.#is('"') || this.#is("`")) {
      const text = this.#quoted(this.#text.charAt(this.#at));
      return { kind: "string", text, source: this.#text.slice(start + 1, this.#at - 1) };
    }
    if (this.#is("/")) {
      const source = this.#regex();
      return { kind: "regex", text: [source], source };
    }
    if (this.#is("{{")) {
      this.#at += 2;
      const expression = this.#until("}}").trim();
      return { kind: "expression", text: [{ expression }], source: expression };
    }
    const word = this.#take(/[^\s"`#]+/y) ?? this.#fail("A word is expected");
    return { kind: "word", text: [word], source: word };
  }

  #regex(): string {
    const start = this.#at + 1;
    for (let at = start; at < this.#text.length; at++) {
      const sign = this.#text.charAt(at);
      if (sign === "\n") break;
      if (sign === "\\") at += 1;
      else if (sign === "/") {
        this.#at = at + 1;
        return this.#text.slice(start, at).replaceAll("\\/", "/");
      }
    }
    return this.#fail("The regular expression does not end");
  }

  #quoted(quote: string): HurlText {
    this.#at += 1;
    const parts = this.#template(`${quote}\n`, { escapes: true, spaces: true });
    if (!this.#is(quote)) this.#fail(`${quote} is missing`);
    this.#at += 1;
    return joinText(parts);
  }

  #body(): HurlBody | undefined {
    return this.#after(() => {
      const [start, line] = [this.#at, this.#line()];
      const read = this.#content();
      if (read === undefined) return undefined;
      const source = this.#text.slice(start, this.#at);
      this.#lineEnd();
      return { line, source, ...read };
    });
  }

  #content(): Omit<HurlBody, "line" | "source"> | undefined {
    if (this.#is("```")) return this.#multiline();
    if (this.#is("`")) return { kind: "text", text: this.#quoted("`") };
    if (this.#take(/file,[ \t]*/y) !== undefined) {
      const text = this.#value(";\n");
      if (this.#take(/;/y) === undefined) this.#fail('";" is missing after the path');
      return { kind: "file", text };
    }
    const encoding = this.#take(/(?:base64|hex),/y);
    if (encoding !== undefined) {
      const written = this.#until(";").replace(/\s/g, "");
      const bytes = encoding === "hex," ? fromHex(written) : decodeBase64(written);
      if (bytes === undefined) this.#fail(`The body is not ${encoding.slice(0, -1)}`);
      return { kind: "bytes", text: [], bytes };
    }
    if (this.#is("<")) return { kind: "xml", text: [this.#xml()] };
    const json = this.#json();
    return json === undefined ? undefined : { kind: "json", text: templateOf(json) };
  }

  #multiline(): Omit<HurlBody, "line" | "source"> {
    this.#at += 3;
    const hint = this.#take(/[\w-]*(?:,[ \t]*[\w-]+)*[ \t]*\n/y);
    const [kind = "", ...attributes] = (hint ?? "").trim().split(/,[ \t]*/);
    const written = this.#until("```");
    // Without a line break after the quotes it is one line.
    if (hint === undefined && written.includes("\n")) this.#fail("The language is not known");
    const isRaw = kind === "raw" || attributes.includes("novariable");
    const text = attributes.includes("escape") ? unescaped(written) : written;
    if (kind === "json" || kind === "xml") return { kind, text: isRaw ? [text] : templateOf(text) };
    if (kind !== "graphql") return { kind: "text", text: isRaw ? [text] : templateOf(text) };
    const at = /^variables[ \t]*\{/m.exec(text)?.index ?? text.length;
    const variables = text.slice(at + "variables".length).trim();
    const query = templateOf(text.slice(0, at).trim());
    return { kind, text: query, ...(variables !== "" && { variables: templateOf(variables) }) };
  }

  /** The text of a value of JSON, which may have placeholders anywhere. */
  #json(): string | undefined {
    const scalar = this.#take(/(?:-?\d[\d.eE+-]*|true|false|null)(?![\w])/y);
    if (scalar !== undefined) return scalar;
    const start = this.#at;
    if (!/[{["]/.test(this.#text.charAt(start))) return undefined;
    let depth = 0;
    let isText = false;
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text.charAt(this.#at);
      if (isText && sign === "\\") this.#at += 1;
      else if (sign === '"') isText = !isText;
      else if (!isText && (sign === "{" || sign === "[")) depth += 1;
      else if (!isText && (sign === "}" || sign === "]")) depth -= 1;
      if (depth === 0 && !isText) {
        this.#at += 1;
        return this.#text.slice(start, this.#at);
      }
    }
    this.#at = start;
    return this.#fail("The JSON does not end");
  }

  /** The text of an XML document, up to the end of its root. */
  #xml(): string {
    const start = this.#at;
    for (let depth = 0; ; ) {
      if (this.#is("<!--")) this.#until("-->");
      else if (this.#is("<![CDATA[")) this.#until("]]>");
      else if (this.#is("<?")) this.#until("?>");
      else if (this.#is("<!")) this.#until(">");
      else {
        const isEnd = this.#is("</");
        const tag = this.#tag();
        if (isEnd) depth -= 1;
        else if (!tag.endsWith("/")) depth += 1;
        if (depth <= 0) return this.#text.slice(start, this.#at);
      }
      const next = this.#text.indexOf("<", this.#at);
      if (next === -1) this.#fail("The XML does not end");
      this.#at = next;
    }
  }

  /** A tag without its brackets; a `>` may stand in an attribute. */
  #tag(): string {
    const start = this.#at + 1;
    let quote = "";
    for (let at = start; at < this.#text.length; at++) {
      const sign = this.#text.charAt(at);
      if (quote !== "") quote = sign === quote ? "" : quote;
      else if (sign === '"' || sign === "'") quote = sign;
      else if (sign === ">") {
        this.#at = at + 1;
        return this.#text.slice(start, at);
      }
    }
    return this.#fail("The XML does not end");
  }
}

function groups(gap: Gap): readonly (readonly string[])[] {
  const all: string[][] = [[]];
  for (const line of gap) {
    if (line === undefined) all.push([]);
    else all.at(-1)?.push(line);
  }
  return all;
}

/** Text with its placeholders. */
function templateOf(text: string): HurlText {
  const parts = text.split(/\{\{([^{}\n]*)\}\}/).map((part, index) => {
    return index % 2 === 0 ? part : { expression: part.trim() };
  });
  return joinText(parts);
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u\{([\da-fA-F]{1,6})\}|(.))/g, (_, code?: string, sign = "") => {
    if (code === undefined) return ESCAPES[sign] ?? sign;
    const point = Number.parseInt(code, 16);
    return point > 0x10ffff ? "\ufffd" : String.fromCodePoint(point);
  });
}

function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 === 1 || /[^\da-fA-F]/.test(text)) return undefined;
  return Buffer.from(text, "hex");
}
