import { bytesOf, nearNames, renderJson, snapshotValue } from "../interpolation/mod.ts";
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
import { type BodyStream, isBodyStream, streamOnce } from "./body-stream.ts";
import { encodeFields, type Fields, pairsOf, withQuery } from "./fields.ts";
import { excludeHeaders, type HeadersInput, toHeaderList } from "./headers.ts";
import { encodeMultipart, type MultipartInput } from "./multipart.ts";
import { type OutgoingOptions, PARTS, SEND_OPTIONS, type SendOptions } from "./options.ts";
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
  /** An absolute URL, or one below the option `baseUrl` of the client. */
  readonly url: string | URL;
  /** The headers to send. */
  readonly headers?: HeadersInput | undefined;
  /** Fields to add to the query of the URL; they are percent-encoded. */
  readonly query?: Fields | undefined;
  /**
   * The body, as `fetch` takes it: text, bytes, a `Blob`, `FormData`, `URLSearchParams`, a stream, which is sent once; or
   * the path of a file. At most one of the body options is allowed.
   */
  readonly body?:
    | string
    | ArrayBuffer
    | ArrayBufferView
    | BodySource
    | FormData
    | URLSearchParams
    | BodyStream
    | { readonly file: string }
    | undefined;
  /** A value to send as JSON; numbers keep all their digits, and members that are `undefined` are left out. */
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

/** A request: its text, data, or what `fetch` takes. The body of a `Request` is read when it is sent. */
export type RequestInput = string | URL | Request | RequestSpec;

/** A GraphQL query. */
export interface GraphqlInput {
  /** The text of the query; double braces in it are not placeholders. */
  readonly query: string;
  /** The values of its variables; numbers keep all their digits. */
  readonly variables?: unknown;
  /** The operation to run if the query has several. */
  readonly operationName?: string | undefined;
}

/** Parts of a request that may stand in the options of `send`, beside its text. */
export type RequestParts = Pick<
  RequestSpec,
  "headers" | "query" | "body" | "json" | "form" | "multipart" | "graphql"
>;

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
  body: readBody,
  json: (value) => ({
    body: renderJson(snapshotValue(value, "json", "omit")),
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
    return {
      body: renderJson(snapshotValue(request, "graphql", "omit")),
      type: "application/json",
    };
  },
};

const BODY_OPTIONS = Object.keys(ENCODERS) as readonly BodyOption[];

const MEMBERS: Readonly<Record<keyof RequestSpec, true>> = {
  name: true,
  method: true,
  url: true,
  ...PARTS,
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

/** Options without the parts of a request, for the further requests of a call. */
export function withoutParts<Options extends RequestParts>(options: Options): Options {
  if (!hasParts(options)) return options;
  const names = Object.keys(PARTS).map((name) => [name, undefined]);
  return { ...options, ...Object.fromEntries(names) };
}

/** Whether options have parts of a request. */
export function hasParts(options: RequestParts): boolean {
  for (const name in options) {
    if (Object.hasOwn(PARTS, name) && options[name as keyof RequestParts] !== undefined)
      return true;
  }
  return false;
}

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
  const options = Object.keys(SEND_OPTIONS).filter((option) => !Object.hasOwn(MEMBERS, option));
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
export async function resolveSpec(
  spec: RequestSpec,
  files: FileAccess & { readonly baseUrl?: string | URL | undefined },
): Promise<ResolvedRequest> {
  checkMembers(spec);
  const { url } = spec;
  if (typeof url !== "string" && !(url instanceof URL)) {
    throw new TypeError(`Cannot send the request: its url is ${typeof url}, not a string or a URL`);
  }
  if (spec.method !== undefined && typeof spec.method !== "string") {
    throw new TypeError(
      `Cannot send the request: its method is ${typeof spec.method}, not a string`,
    );
  }
  const encoded = await encodeBody(spec, files);
  const headers = toHeaderList(spec.headers);
  const plain = {
    ...(spec.name === undefined ? {} : { name: spec.name }),
    method: spec.method ?? (encoded === undefined ? "GET" : "POST"),
    url: belowBase(String(url), files.baseUrl),
    headers,
    added: [],
    body: undefined,
    warnings: [],
  };
  return addEncoded(plain, spec.query, encoded);
}

/**
 * Adds what stands in the options of `send` to a request: a header replaces those of its name.
 *
 * @throws {TypeError} Both have a body, or a value cannot be encoded.
 */
export async function withParts(
  request: Omit<ResolvedRequest, "body"> & { readonly body?: unknown },
  parts: RequestParts,
  files: FileAccess,
): Promise<ResolvedRequest> {
  const encoded = await encodeBody(parts, files);
  if (encoded !== undefined && request.body !== undefined) {
    const option = BODY_OPTIONS.find((name) => parts[name] !== undefined);
    throw new TypeError(
      `Cannot send the request: its text has a body, and there is ${option} beside it; use one of them`,
    );
  }
  const own = toHeaderList(parts.headers);
  const headers = [...excludeHeaders(request.headers, own), ...own];
  return addEncoded({ ...request, headers, body: undefined }, parts.query, encoded);
}

function addEncoded(
  request: ResolvedRequest,
  query: Fields | undefined,
  encoded: TypedBody | undefined,
): ResolvedRequest {
  const { headers, url, added } = request;
  const type = findHeader(headers, "content-type") === undefined ? encoded?.type : undefined;
  return {
    ...request,
    url: query === undefined ? url : withQuery(url, query),
    headers: type === undefined ? headers : [...headers, ["Content-Type", type]],
    added: type === undefined ? added : [...added, "Content-Type"],
    body: encoded?.body,
  };
}

async function encodeBody(parts: RequestParts, files: FileAccess): Promise<TypedBody | undefined> {
  const given = BODY_OPTIONS.filter((option) => parts[option] !== undefined);
  const [option] = given;
  if (option === undefined) return undefined;
  if (given.length > 1) {
    throw new TypeError(
      `Cannot send the request: it has both ${given.join(" and ")}; use one of them`,
    );
  }
  return await (ENCODERS[option] as Encode<BodyOption>)(parts[option] as never, files);
}

const USUAL: readonly unknown[] = ["same-origin", "default", undefined];

/**
 * The text or the data of a request, and the options of its call with those of a `Request`: a promise only of a `Request`,
 * since any other request has the values of the moment of the call.
 *
 * @throws {TypeError} The body of a `Request` has been read.
 */
export function readInput<Options extends SendOptions>(
  input: RequestInput,
  options: Options,
): ReadInput<Options> | Promise<ReadInput<Options>> {
  if (input instanceof Request) return readRequest(input, copyParts(options));
  const request = input instanceof URL ? { url: input } : input;
  const isData = typeof request === "object" && request !== null;
  return [isData ? copyParts(request) : request, copyParts(options)];
}

/** What a program may change after the call, as `fetch` copies it; data is copied when it is encoded. */
function copyParts<Parts extends RequestParts>(parts: Parts): Parts {
  const { headers, query, body } = parts;
  const bytes = bytesOf(body);
  if (headers === undefined && query === undefined && bytes === undefined) return parts;
  return {
    ...parts,
    ...(headers !== undefined && { headers: toHeaderList(headers) }),
    ...(query !== undefined && { query: pairsOf(query, "query") }),
    ...(bytes !== undefined && { body: bytes.slice() }),
  };
}

type ReadInput<Options> = readonly [string | RequestSpec, Options];

async function readRequest<Options extends SendOptions>(
  input: Request,
  options: Options,
): Promise<ReadInput<Options>> {
  if (input.bodyUsed) {
    throw new TypeError("Cannot send the Request: its body has been read before");
  }
  const { method, url, headers, redirect, signal, credentials, cache } = input;
  const bytes = new Uint8Array(await input.clone().arrayBuffer());
  const spec = { method, url, headers, body: bytes.byteLength === 0 ? undefined : bytes };
  const signals = [signal, ...(options.signal ? [options.signal] : [])];
  // To follow is the default of every Request.
  const own = redirect === "follow" ? {} : { redirect };
  // What else browsers know is passed on by ky, unless it is what every Request has.
  const known = Object.entries({ credentials, cache }).filter(([, it]) => !USUAL.includes(it));
  const ky = { ...Object.fromEntries(known), ...options.ky };
  return [spec, { ...own, ...options, ky, signal: AbortSignal.any(signals) }];
}

/** A URL, below the base if it has no scheme: as with axios and ky, a path of the base stays. */
function belowBase(url: string, base: string | URL | undefined): string {
  if (base === undefined || /^[a-z][a-z\d+.-]*:/i.test(url)) return url;
  const start = String(base);
  if (/^[?#]/.test(url) || url === "") return `${start}${url}`;
  return `${start.replace(/\/$/, "")}/${url.replace(/^\//, "")}`;
}

async function readBody(
  body: NonNullable<RequestSpec["body"]>,
  files: FileAccess,
): Promise<TypedBody> {
  if (typeof body === "string") return { body };
  const bytes = bytesOf(body);
  if (bytes !== undefined) return { body: bytes };
  if (body instanceof FormData) return await ENCODERS.multipart(body, files);
  if (body instanceof URLSearchParams) return await ENCODERS.form(body, files);
  if (isSource(body)) {
    const { type } = body as { readonly type?: unknown };
    const typed = typeof type === "string" && type !== "" ? { type } : {};
    return { body: await joinPieces([body]), ...typed };
  }
  if (isBodyStream(body)) return { body: streamOnce(body) };
  const { file } = Object(body) as { readonly file?: unknown };
  if (typeof file === "string") {
    return { body: await joinPieces([await openSource(file, files)], file) };
  }
  throw new TypeError(
    "Cannot send this body: it is not text, bytes, a Blob, a stream or { file: path }; " +
      "for other values use json, form, multipart or graphql",
  );
}
