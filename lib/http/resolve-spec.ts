import type { HeaderList } from "../exchange/mod.ts";
import { renderJson, snapshotValue } from "../interpolation/mod.ts";
import {
  type BodySource,
  createBoundary,
  encodeFields,
  encodeMultipart,
  gatherPieces,
  isSource,
  type StreamedBody,
  withQuery,
} from "./request/bodies/mod.ts";
import type { ResolvedRequest } from "./request/mod.ts";
import { type FileAccess, openSource, toHeaderList } from "./request/mod.ts";
import type { RequestSpec } from "./request-spec.ts";

/** A body, and the Content-Type that it has unless another one is written. */
interface TypedBody {
  readonly body: string | Uint8Array | StreamedBody;
  readonly type?: string;
}

type Encode<K extends BodyOption> = (
  value: NonNullable<RequestSpec[K]>,
  files: FileAccess,
) => TypedBody | Promise<TypedBody>;

type BodyOption = "body" | "json" | "form" | "multipart" | "graphql";

/** How each of the options that make a body does it. */
const ENCODERS: { readonly [K in BodyOption]: Encode<K> } = {
  body: async (value, files) => ({ body: await readBody(value, files) }),
  json: (value) => ({ body: toJson(value, "json"), type: "application/json" }),
  form: (value) => ({
    body: encodeFields(value, "form"),
    type: "application/x-www-form-urlencoded",
  }),
  multipart: async (value, files) => {
    const boundary = createBoundary();
    const open = (path: string): Promise<BodySource> => openSource(path, files);
    const pieces = await encodeMultipart(value, boundary, open);
    const body = await gatherPieces(pieces);
    return { body, type: `multipart/form-data; boundary=${boundary}` };
  },
  graphql: ({ query, variables, operationName }) => ({
    body: toJson({
      query,
      ...(operationName ? { operationName } : {}),
      variables: variables ?? {},
    }),
    type: "application/json",
  }),
};

const BODY_OPTIONS = Object.keys(ENCODERS) as readonly BodyOption[];

/**
 * Makes a request of a spec.
 *
 * @throws {TypeError} It has two bodies, or a value that the form of its body cannot carry.
 * @throws {UnsendableRequestError} A file of it cannot be read.
 */
export async function resolveSpec(spec: RequestSpec, files: FileAccess): Promise<ResolvedRequest> {
  if (typeof spec.url !== "string") {
    throw new TypeError(
      `Cannot send a request whose url is ${typeof spec.url}: a string is needed`,
    );
  }
  const given = BODY_OPTIONS.filter((option) => spec[option] !== undefined);
  const [option] = given;
  if (given.length > 1) {
    throw new TypeError(
      `Cannot send a request with both ${given.join(" and ")}: leave one of them out`,
    );
  }
  const headers = toHeaderList(spec.headers);
  const encoded = option === undefined ? undefined : await encode(option, spec, files);
  const type = isTyped(headers) ? undefined : encoded?.type;
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

function encode(
  option: BodyOption,
  spec: RequestSpec,
  files: FileAccess,
): TypedBody | Promise<TypedBody> {
  return (ENCODERS[option] as Encode<BodyOption>)(spec[option] as never, files);
}

function isTyped(headers: HeaderList): boolean {
  return headers.some(([name]) => name.toLowerCase() === "content-type");
}

function toJson(value: unknown, name = "graphql"): string {
  return renderJson(snapshotValue(value, name));
}

async function readBody(
  body: NonNullable<RequestSpec["body"]>,
  files: FileAccess,
): Promise<string | Uint8Array | StreamedBody> {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (isSource(body)) return await gatherPieces([body]);
  if (typeof body === "object" && typeof body.file === "string") {
    return await gatherPieces([await openSource(body.file, files)], body.file);
  }
  throw new TypeError(
    "Cannot send this body: text, bytes, a Blob or { file: path } is needed; " +
      "json, form, multipart and graphql take values",
  );
}
