import { inspect } from "node:util";
import { CURL_OPTIONS } from "../../lib/curl/mod.ts";
import {
  isDate,
  isUnread,
  parsePath,
  membersOf as readMembers,
  readStep,
  shorten,
  type Value,
  valueAt,
} from "../../lib/interpolation/mod.ts";
import {
  type Client,
  type Exchange,
  type RenderedRequest,
  type Secrets,
  UnresolvedPlaceholderError,
} from "../../lib/mod.ts";
import { type OutlineLine, readOutline } from "../../lib/request/mod.ts";
import { HIDDEN } from "../../lib/secrets/mod.ts";
import {
  ANNOTATIONS,
  ASSERTION_FIELDS,
  type Candidate,
  type Completion,
  GENERATED,
  HEADERS,
  type Inspection,
  METHODS,
} from "./cell/mod.ts";
import { lastRequest } from "./is-complete-request.ts";

/** What completions of requests are made of. */
export type Known = KnownNames & Pick<Client, "history">;

/** Completions in a request cell at a UTF-16 offset. */
export function completeRequest(client: Known, code: string, position: number): Completion {
  const place = placeAtEnd(code.slice(0, position));
  if (place.kind === "placeholder") {
    return completePlaceholder(client, place.path, position, code.slice(position));
  }
  const candidates = candidatesAt(client, place);
  // Only the options of curl differ in case.
  const fold = (text: string): string => (place.kind === "option" ? text : text.toLowerCase());
  return {
    start: position - place.typed.length,
    end: position,
    candidates: candidates.filter(({ text }) => fold(text).startsWith(fold(place.typed))),
  };
}

function candidatesAt(
  client: Known,
  place: Exclude<RequestPlace, { readonly kind: "placeholder" }>,
): readonly Candidate[] {
  switch (place.kind) {
    case "method":
      return Object.entries(METHODS).map(([name, detail]) => {
        return { text: `${name} `, kind: "method", detail };
      });
    case "target":
      return targets(client, place.typed);
    case "annotation":
      return described(ANNOTATIONS, "annotation");
    case "assertion":
      return described(ASSERTION_FIELDS, "assertion");
    case "assignment":
      return [...client.vars.keys()].map((name) => ({ text: `${name} = `, kind: "variable" }));
    case "option":
      return CURL_OPTIONS.flatMap(({ short, long, about: detail }) =>
        [...(short === undefined ? [] : [`-${short} `]), `--${long} `].map((text) => {
          return { text, kind: "option", detail };
        }),
      );
    case "headerName":
      return Object.entries(HEADERS).map(([name, { about }]) => {
        return { text: `${name}: `, kind: "header", detail: about };
      });
    case "headerValue":
      return headerValues(place.header);
    case "other":
      return [];
  }
}

function described(words: Readonly<Record<string, string>>, kind: string): readonly Candidate[] {
  return Object.entries(words).map(([text, detail]) => ({ text, kind, detail }));
}

/** What is known of the placeholder, method or header at a UTF-16 offset of a request cell. */
export function inspectRequest(
  client: KnownNames & Pick<Client, "renderAll">,
  code: string,
  position: number,
): Inspection | undefined {
  const before = code.slice(0, position);
  const rest = /^[\p{L}\p{N}_$-]*/u.exec(code.slice(position))?.[0] ?? "";
  const place = placeAtEnd(before + rest);
  if (place.kind === "placeholder") {
    const found =
      inspectPlaceholder(client, place.path) ?? explainPlaceholder(client, code, position);
    if (found !== undefined) return found;
  }
  if (place.kind === "method") {
    const about = METHODS[place.typed.toUpperCase()];
    if (about !== undefined) return { signature: place.typed, documentation: about };
  }
  if (place.kind === "headerName" || place.kind === "headerValue") {
    const name = place.kind === "headerValue" ? place.header : place.typed.toLowerCase();
    const header = knownHeader(name);
    if (header !== undefined) return { signature: header[0], documentation: header[1].about };
  }
  return previewRequest(client, code, position);
}

/** Where requests went before, and the variables that hold addresses; below such a variable, its paths. */
function targets({ vars, history, secrets }: Known, typed: string): Candidate[] {
  const addresses = [...vars.keys()].flatMap((name) => {
    const value = vars.get(name);
    const isAddress = typeof value === "string" && /^https?:\/\//.test(value);
    return isAddress ? [{ text: `{{${name}}}`, value }] : [];
  });
  const sent = [...new Set(history.map(({ request }) => request.writtenUrl).reverse())];
  const [, before, path = ""] = /^((.*)\?(?:.*&)?)[^&=]*$/.exec(typed) ?? [];
  if (before !== undefined)
    return parametersOf(sent, path).map((name) => {
      return { text: `${before}${secrets.mask(name)}=`, kind: "parameter" };
    });
  const base = addresses.find(({ text }) => typed.startsWith(text));
  const urls =
    base === undefined
      ? sent
      : sent
          .filter((url) => url.startsWith(base.value) && url !== base.value)
          .map((url) => base.text + url.slice(base.value.length));
  return [
    ...addresses.map(({ text, value }) => ({
      text,
      kind: "variable",
      detail: secrets.mask(value),
    })),
    ...urls.map((text) => ({ text: secrets.mask(text), kind: "url" })),
  ];
}

/** The names of the parameters that requests to the same path were sent with. */
function parametersOf(sent: readonly string[], target: string): readonly string[] {
  const pathOf = (url: string): string =>
    url.replace(/^(?:\{\{[^{}]*\}\}|[a-z][a-z\d+.-]*:\/\/[^/?#]*|localhost[^/?#]*|:\d+)/i, "");
  const names = sent.flatMap((url) => {
    const [path = "", query = ""] = pathOf(url).split(/[?#]/);
    return path === pathOf(target)
      ? query.split("&").map((pair) => pair.split("=", 1)[0] ?? "")
      : [];
  });
  return [...new Set(names)].filter((name) => name !== "");
}

function headerValues(header: string): Candidate[] {
  return (knownHeader(header)?.[1].values ?? []).map((text) => ({ text, kind: "value" }));
}

/** @param name In lower case. */
function knownHeader(name: string) {
  return Object.entries(HEADERS).find(([known]) => known.toLowerCase() === name);
}

/** What stands at a position of a request text. */
type RequestPlace =
  | {
      readonly kind:
        | "method"
        | "target"
        | "headerName"
        | "annotation"
        | "assertion"
        | "assignment"
        | "option"
        | "other";
      readonly typed: string;
    }
  | { readonly kind: "headerValue"; readonly header: string; readonly typed: string }
  | { readonly kind: "placeholder"; readonly path: string };

/** What is being written at the end of a request text. */
function placeAtEnd(text: string): RequestPlace {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  const open = /(?<!\\)\{\{[ \t]*%?([^{}]*)$/.exec(line);
  if (open !== null) return { kind: "placeholder", path: open[1] ?? "" };
  const { first, head, blank } = lastRequest([...readOutline(text)]);
  const trimmed = line.trimStart();
  const [, annotation] = /^(?:#+|\/\/+)[ \t]*@([\w-]*)$/.exec(trimmed) ?? [];
  const isInBody = blank !== undefined && text.slice(blank.next).trim().includes("\n");
  if (annotation !== undefined && !isInBody) return { kind: "annotation", typed: annotation };
  const [, field] = /^\?\?[ \t]+(\w*)$/.exec(trimmed) ?? [];
  if (field !== undefined) return { kind: "assertion", typed: field };
  const [, variable] = /^@([\w.-]*)$/.exec(trimmed) ?? [];
  if (variable !== undefined && blank === undefined) return { kind: "assignment", typed: variable };
  if (blank !== undefined || /^(#|\/\/|@|%%)/.test(trimmed)) return { kind: "other", typed: "" };
  const begun = first ?? head.find(({ kind }) => kind === "foreign");
  if (begun === undefined) return { kind: "method", typed: trimmed };
  const [, option] = /[ \t](-[\w-]*)$/.exec(line) ?? [];
  if (begun.kind === "curl" && option !== undefined) return { kind: "option", typed: option };
  if (!text.includes("\n", begun.start)) {
    const [, target] = /^\s*\S+\s+(\S*)$/.exec(line) ?? [];
    if (target !== undefined) return { kind: "target", typed: target };
    return /\s/.test(trimmed) ? { kind: "other", typed: "" } : { kind: "method", typed: trimmed };
  }
  const [, header, value] = /^([^:]*):\s*(.*)$/.exec(trimmed) ?? [];
  return header === undefined
    ? { kind: "headerName", typed: trimmed }
    : { kind: "headerValue", header: header.toLowerCase(), typed: value ?? "" };
}

/**
 * Shows the request at a UTF-16 offset of a cell as it would be sent, without its secrets; nothing
 * is sent. Placeholders without a value stay as they stand.
 */
function previewRequest(
  client: Pick<Client, "renderAll" | "secrets">,
  code: string,
  position: number,
): Inspection | undefined {
  const { secrets } = client;
  try {
    const request = client.renderAll(upToEnd(code, position), { missing: "keep" }).at(-1);
    if (request === undefined) return undefined;
    const { url, headers, body, warnings, notes = [] } = request;
    secrets.learn({ kind: "url", url }, "person");
    secrets.learn({ kind: "headers", headers }, "person");
    const text = bodyText(body);
    const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    if (text !== undefined) secrets.learn({ kind: "body", text, mediaType: type }, "person");
    return {
      signature: secrets.mask(requestAsText(request)),
      documentation: secrets.mask([...warnings, ...notes].join("\n")),
      language: "http",
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The reason why it cannot be sent is shown in its place.
    return { signature: secrets.mask(error.message), documentation: "", language: "text" };
  }
}

/** The text up to the end of the request that the offset is in. */
function upToEnd(code: string, position: number): string {
  const isNext = ({ kind, start }: OutlineLine): boolean =>
    kind === "separator" && start > position;
  return code.slice(0, [...readOutline(code)].find(isNext)?.start);
}

function bodyText(body: RenderedRequest["body"]): string | undefined {
  if (typeof body !== "object") return body;
  const pieces = "pieces" in body ? body.pieces : [body];
  return pieces
    .map((piece) =>
      typeof piece === "string" ? piece : `<${piece.interpolated ? "@" : ""} ${piece.path}`,
    )
    .join("");
}

/**
 * A rendered request as the text of a request.
 *
 * @param valueFor What is shown of the value of a header; by default all of it.
 */
export function requestAsText(
  { method, url, headers, body }: RenderedRequest,
  valueFor: (name: string, value: string) => string = (_name, value) => value,
): string {
  // A placeholder without a value that is a whole line has no name yet.
  const lines = headers.map(([name, value]) =>
    name === "" ? value : `${name}: ${valueFor(name, value)}`,
  );
  const text = bodyText(body);
  return [`${method} ${url}`, ...lines, ...(text === undefined ? [] : ["", text])].join("\n");
}

/** What placeholders may name. */
export interface KnownNames extends Pick<Client, "responses" | "secrets"> {
  readonly vars: Pick<ReadonlyMap<string, unknown>, "get" | "has" | "keys">;
}

const WORD = /^[\p{L}\p{N}_-]+$/u;

/**
 * Completions of the path that a placeholder begins with. A value without properties closes the placeholder.
 *
 * @param rest The text from the position on.
 */
function completePlaceholder(
  client: KnownNames,
  path: string,
  position: number,
  rest: string,
): Completion {
  const end = /^[^\n{}]*\}\}/.test(rest) ? "" : "}}";
  if (/^\$\w*$/.test(path)) return completeGenerated(path, position, end);
  const [, base = "", typed = ""] = /^(.*\.\s*)?([\p{L}\p{N}_-]*)$/u.exec(path) ?? [];
  const candidates = (base === "" ? namesOf(client) : membersOf(client, base))
    .filter(({ text }) => text.startsWith(typed) && WORD.test(text))
    .map(({ value, ...candidate }) => ({
      ...candidate,
      text: isRecord(value) || isUnread(value) ? candidate.text : candidate.text + end,
      detail: shortView(value, client, base + candidate.text),
    }));
  return { start: position - typed.length, end: position, candidates };
}

/** The value of a placeholder, or what a generated one is. */
function inspectPlaceholder(client: KnownNames, path: string): Inspection | undefined {
  const [name = ""] = /^\$\w+/.exec(path) ?? [];
  const about = Object.hasOwn(GENERATED, name) ? GENERATED[name] : undefined;
  if (about !== undefined) return { signature: `{{${name}}}`, documentation: about };
  const value = knownValue(client, path);
  if (value === undefined) return undefined;
  const documentation = maskedValue(client, path, value);
  return { signature: `{{${path}}}`, documentation, language: "text" };
}

/** Why the placeholder at an offset has no value, and which names are near. */
function explainPlaceholder(
  { renderAll, secrets }: Pick<Client, "renderAll" | "secrets">,
  code: string,
  position: number,
): Inspection | undefined {
  try {
    renderAll(upToEnd(code, position));
  } catch (error) {
    if (!(error instanceof UnresolvedPlaceholderError)) return undefined;
    const fault = error.faults.find(({ span }) => span.start <= position && position <= span.end);
    if (fault === undefined) return undefined;
    const { message, hint = "" } = fault;
    return {
      signature: secrets.mask(message),
      documentation: secrets.mask(hint),
      language: "text",
    };
  }
  return undefined;
}

function completeGenerated(typed: string, position: number, end: string): Completion {
  const candidates = Object.entries(GENERATED)
    .filter(([name]) => name.startsWith(typed))
    .map(([name, detail]) => {
      const takesMore = /\{\{|after a dot/.test(detail);
      return { text: takesMore ? name : name + end, kind: "generated", detail };
    });
  return { start: position - typed.length, end: position, candidates };
}

type Named = Candidate & { readonly value: unknown };

/** A variable goes before the answer of the same name. */
function namesOf({ vars, responses }: KnownNames): readonly Named[] {
  const answers = Object.entries(responses).filter(([name]) => !vars.has(name));
  return [
    ...Array.from(vars.keys(), (text) => {
      const value = vars.get(text);
      // Without one, the secret that it names was not fetched yet.
      return { text, value: value === undefined ? HIDDEN : value, kind: "variable" };
    }),
    ...answers.map(([text, { status, statusText }]) => ({
      text,
      value: new Answered(`${status} ${statusText}`.trim()),
      kind: "response",
    })),
  ];
}

/** The answer of a named request in a few words. */
class Answered {
  readonly words: string;

  constructor(words: string) {
    this.words = words;
  }

  [inspect.custom](): string {
    return this.words;
  }
}

function membersOf(client: KnownNames, base: string): readonly Named[] {
  const owner = knownValue(client, base.replace(/\.\s*$/, ""));
  if (!isRecord(owner)) return [];
  return Array.from(readMembers(owner), ([text, value]) => ({ text, value, kind: "property" }));
}

/** The value of a path as a placeholder writes it: `name.property[0]["quoted key"]`. */
function knownValue({ vars, responses }: KnownNames, path: string): unknown {
  const { steps: [name = "", ...steps] = [], query } = parsePath(path) ?? {};
  const answer = Object.hasOwn(responses, name) ? responses[name] : undefined;
  const root = vars.get(String(name)) ?? (answer && readAnswer(answer));
  const value = steps.reduce<unknown>(readStep, root);
  return query === undefined ? value : valueAt(value as Value, { steps: [], query });
}

/** The value of a placeholder as it may be shown; `undefined` if there is none. */
export function placeholderValue(
  client: KnownNames & Pick<Client, "origin">,
  path: string,
): unknown {
  const value = knownValue(client, path);
  const [name = ""] = /^[\p{L}\p{N}_-]+/u.exec(path) ?? [];
  const isSecret = client.origin(name)?.secret === true || isSecretPath(client.secrets, path);
  return value !== undefined && isSecret ? HIDDEN : value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !isDate(value) && !isUnread(value);

function shortView(value: unknown, { secrets }: KnownNames, path: string): string {
  if (isSecretPath(secrets, path)) return HIDDEN;
  secrets.learn({ kind: "value", value }, "person");
  const text = secrets.mask(
    inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 10_000 }),
  );
  return shorten(text);
}

function maskedValue({ secrets }: KnownNames, path: string, value: unknown): string {
  if (isSecretPath(secrets, path)) return HIDDEN;
  secrets.learn({ kind: "value", value }, "person");
  return secrets.mask(inspect(value));
}

/** Values too short to be looked for are hidden by their names at least. */
function isSecretPath(secrets: Secrets, path: string): boolean {
  const last = /[\p{L}\p{N}_-]+(?=["\]]*$)/u.exec(path)?.[0];
  return last !== undefined && secrets.isSecretName(last);
}

/**
 * What the placeholders of a named request reach into: `response`, `request`, and the properties of
 * a JSON body by themselves.
 */
function readAnswer(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { request, status, statusText, url, headers, timing } = exchange;
  const body = readBody(exchange);
  const parts = {
    response: {
      status,
      statusText,
      url,
      headers: Object.fromEntries(headers),
      body,
      time: timing.total,
    },
    request: {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: request.body ?? "",
    },
  };
  // A property of the body that is called `response` comes after `response.body`.
  return typeof body === "object" ? { ...body, ...parts } : parts;
}

function readBody(exchange: Exchange): unknown {
  try {
    return exchange.json ?? exchange.text;
  } catch {
    // It is not JSON, whatever its header says.
    return exchange.text;
  }
}
