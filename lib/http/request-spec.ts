import {
  isNumberText,
  nearNames,
  renderJson,
  snapshotValue,
  writtenEntries,
} from "../interpolation/mod.ts";
import { createBoundary, findHeader } from "../request/mod.ts";
import {
  type BodySource,
  type Compression,
  type FileAccess,
  isSource,
  joinPieces,
  openSource,
  type StreamedBody,
} from "./body-out.ts";
import { type HeadersInput, toHeaderList } from "./headers.ts";
import { encodeMultipart, type MultipartInput } from "./multipart.ts";
import type { OutgoingOptions, SendOptions } from "./options.ts";
import type { ResolvedRequest } from "./outgoing.ts";

/**
 * A request as data. Double braces in its strings are not placeholders.
 *
 * @example
 * ```ts
 * const spec: RequestSpec = { url: "http://127.0.0.1:8787/users", json: { name: "Ada" } };
 * // await client.send(spec) sends a POST, since there is a body.
 * ```
 */
export interface RequestSpec {
  /** The name of its response in `client.responses` and placeholders, as `# @name` in a text. */
  readonly name?: string | undefined;
  /** `GET` by default, or `POST` with a body. */
  readonly method?: string | undefined;
  /** An absolute URL. */
  readonly url: string;
  /** The headers to send. */
  readonly headers?: HeadersInput | undefined;
  /** Fields to add to the query of the URL; they are percent-encoded. */
  readonly query?: Fields | undefined;
  /** The body: text, bytes, a `Blob`, or the path of a file. At most one of the body options is allowed. */
  readonly body?: string | Uint8Array | BodySource | { readonly file: string } | undefined;
  /** A value to send as JSON; numbers keep all their digits. */
  readonly json?: unknown;
  /** Fields to send as `application/x-www-form-urlencoded`. */
  readonly form?: Fields | undefined;
  /** Parts to send as `multipart/form-data` (RFC 7578): text, bytes, `Blob`, `File`, `{ file: path }`. */
  readonly multipart?: MultipartInput | undefined;
  /** A GraphQL query with its variables, to send as JSON. */
  readonly graphql?: GraphqlInput | undefined;
  /** Compresses the body and sets `Content-Encoding`. */
  readonly compress?: Compression | undefined;
  /** The credentials, instead of those of the client; `false` sends none. */
  readonly auth?: OutgoingOptions["auth"] | undefined;
}

/** A GraphQL query. */
export interface GraphqlInput {
  /** The text of the query; double braces in it are not placeholders. */
  readonly query: string;
  /** The values of its variables; numbers keep all their digits. */
  readonly variables?: unknown;
  /** The operation to run if the query has several. */
  readonly operationName?: string | undefined;
}

/** A body and its default Content-Type. */
interface TypedBody {
  readonly body: string | Uint8Array | StreamedBody;
  readonly type?: string;
}

type Encode<K extends BodyOption> = (
  value: NonNullable<RequestSpec[K]>,
  files: FileAccess,
) => TypedBody | Promise<TypedBody>;

type BodyOption = "body" | "json" | "form" | "multipart" | "graphql";

const ENCODERS: { readonly [K in BodyOption]: Encode<K> } = {
  body: async (value, files) => ({ body: await readBody(value, files) }),
  json: (value) => ({
    body: renderJson(snapshotValue(value, "json")),
    type: "application/json",
  }),
  form: (value) => ({
    body: encodeFields(value, "form"),
    type: "application/x-www-form-urlencoded",
  }),
  multipart: async (value, files) => {
    const boundary = createBoundary();
    const open = (path: string): Promise<BodySource> => openSource(path, files);
    const pieces = await encodeMultipart(value, boundary, open);
    const body = await joinPieces(pieces);
    return { body, type: `multipart/form-data; boundary=${boundary}` };
  },
  graphql({ query, variables = {}, operationName }) {
    const request = { query, ...(operationName ? { operationName } : {}), variables };
    return { body: renderJson(snapshotValue(request, "graphql")), type: "application/json" };
  },
};

const BODY_OPTIONS = Object.keys(ENCODERS) as readonly BodyOption[];

const MEMBERS: Readonly<Record<keyof RequestSpec, true>> = {
  name: true,
  method: true,
  url: true,
  headers: true,
  query: true,
  body: true,
  json: true,
  form: true,
  multipart: true,
  graphql: true,
  compress: true,
  auth: true,
};

/** What an exchange and `render` say of a request besides, so that `send(client.last.request)` repeats it. */
const OF_REQUESTS = [
  "title",
  "charset",
  "verify",
  "writtenUrl",
  "added",
  "defaults",
  "notes",
  "warnings",
  "credentials",
  "exact",
];

/** What belongs to the options of a request. */
const OPTIONS: Readonly<Record<Exclude<keyof SendOptions, keyof RequestSpec>, true>> = {
  signal: true,
  timeout: true,
  redirect: true,
  maxRedirects: true,
  crossOriginBody: true,
  charset: true,
  maxBodyBytes: true,
  retry: true,
  cookies: true,
  ky: true,
  connection: true,
  missing: true,
  checked: true,
  quiet: true,
  reveal: true,
  keepBytes: true,
  onHeaders: true,
  onChunk: true,
  onProgress: true,
  onExchange: true,
  onSkip: true,
  runScript: true,
  file: true,
  firstLine: true,
};

/** @throws {TypeError} A member would be ignored. */
function checkMembers(spec: RequestSpec): void {
  const given = Object.entries(spec).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name);
  const unknown = names.filter(
    (name) => !Object.hasOwn(MEMBERS, name) && !OF_REQUESTS.includes(name),
  );
  if (unknown.length === 0) return;
  throw new TypeError(`Cannot send the request: ${unknown.map(explainMember).join("; ")}`);
}

function explainMember(name: string): string {
  const members = Object.keys(MEMBERS);
  const options = Object.keys(OPTIONS);
  if (options.includes(name)) {
    return `"${name}" is an option, not a member of a request: pass it as in client.send(request, { ${name} })`;
  }
  const [near] = nearNames(name, [...members, ...options]);
  if (near === undefined)
    return `"${name}" is not a member of a request, which has ${members.join(", ")}`;
  const option = options.includes(near)
    ? `, an option as in client.send(request, { ${near} })`
    : "";
  return `"${name}" is not a member of a request; did you mean "${near}"${option}?`;
}

/**
 * Encodes the body of a request that is given as data.
 *
 * @throws {TypeError} There are two bodies, a member that no request has, or a value that cannot be encoded.
 * @throws {UnsendableRequestError} A file cannot be read.
 */
export async function resolveSpec(spec: RequestSpec, files: FileAccess): Promise<ResolvedRequest> {
  checkMembers(spec);
  if (typeof spec.url !== "string") {
    throw new TypeError(`Cannot send the request: its url is ${typeof spec.url}, not a string`);
  }
  const given = BODY_OPTIONS.filter((option) => spec[option] !== undefined);
  const [option] = given;
  if (given.length > 1) {
    throw new TypeError(
      `Cannot send the request: it has both ${given.join(" and ")}; use one of them`,
    );
  }
  const headers = toHeaderList(spec.headers);
  const encode = option && (ENCODERS[option] as Encode<BodyOption>);
  const encoded = encode && (await encode(spec[option] as never, files));
  const type = findHeader(headers, "content-type") === undefined ? encoded?.type : undefined;
  return {
    ...(spec.name === undefined ? {} : { name: spec.name }),
    method: spec.method ?? (encoded === undefined ? "GET" : "POST"),
    url: spec.query === undefined ? spec.url : withQuery(spec.url, spec.query),
    headers: type === undefined ? headers : [...headers, ["Content-Type", type]],
    added: type === undefined ? [] : ["Content-Type"],
    body: encoded?.body,
    warnings: [],
  };
}

async function readBody(
  body: NonNullable<RequestSpec["body"]>,
  files: FileAccess,
): Promise<string | Uint8Array | StreamedBody> {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (isSource(body)) return await joinPieces([body]);
  if (typeof body === "object" && typeof body.file === "string") {
    return await joinPieces([await openSource(body.file, files)], body.file);
  }
  throw new TypeError(
    "Cannot send this body: it is not text, bytes, a Blob or { file: path }; " +
      "for other values use json, form, multipart or graphql",
  );
}

/** The value of a field in a form or a query; a list repeats the field. */
export type FieldValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly (string | number | bigint | boolean | Date)[];

/** Fields by name, or as pairs if a name occurs more than once, as in `URLSearchParams`. */
export type Fields =
  | { readonly [name: string]: FieldValue }
  | Iterable<readonly [name: string, value: FieldValue]>;

/**
 * Encodes fields as `application/x-www-form-urlencoded` (URL Standard, section 5).
 *
 * @param option The option that the fields are from, for the error message.
 * @throws {TypeError} A field is an object.
 */
export function encodeFields(fields: Fields, option: string): string {
  return new URLSearchParams(pairsOf(fields, option)).toString();
}

/**
 * Appends fields to the query of a URL. A space becomes `%20`, which every server decodes; not every
 * server decodes a plus sign in a query.
 *
 * @throws {TypeError} A field is an object.
 */
export function withQuery(url: string, fields: Fields): string {
  const query = pairsOf(fields, "query")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
  if (query === "") return url;
  const at = url.indexOf("#");
  const [target, hash] = at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at)];
  const join = !target.includes("?") ? "?" : /[?&]$/.test(target) ? "" : "&";
  return `${target}${join}${query}${hash}`;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function pairsOf(fields: Fields, option: string): [string, string][] {
  const entries: Iterable<readonly [string, FieldValue]> =
    Symbol.iterator in fields
      ? (fields as Iterable<readonly [string, FieldValue]>)
      : writtenEntries(fields as Readonly<Record<string, FieldValue>>);
  return Array.from(entries).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one): [string, string][] =>
      one === undefined || one === null ? [] : [[name, textOf(one, name, option)]],
    ),
  );
}

function textOf(value: NonNullable<FieldValue>, name: string, option: string): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || isNumberText(value)) return String(value);
  throw new TypeError(
    `Cannot encode the field "${name}" of ${option}: it is an object; use text, or JSON.stringify it`,
  );
}
