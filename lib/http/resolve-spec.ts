import { nearNames, renderJson, snapshotValue } from "../interpolation/mod.ts";
import { findHeader } from "../request/mod.ts";
import {
  type BodySource,
  createBoundary,
  encodeFields,
  encodeMultipart,
  isSource,
  joinPieces,
  type StreamedBody,
  withQuery,
} from "./request/bodies/mod.ts";
import { type FileAccess, openSource, type ResolvedRequest, toHeaderList } from "./request/mod.ts";
import type { RequestSpec } from "./request-spec.ts";
import type { SendOptions } from "./send-options.ts";

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
const OF_REQUESTS = ["title", "verify", "writtenUrl", "added", "defaults", "notes", "warnings"];

/** What belongs to the options of a request. */
const OPTIONS: Readonly<Record<Exclude<keyof SendOptions, keyof RequestSpec>, true>> = {
  signal: true,
  timeout: true,
  redirect: true,
  maxRedirects: true,
  crossOriginBody: true,
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
