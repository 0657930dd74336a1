import {
  createFault,
  parseTemplate,
  renderJson,
  renderTemplate,
  snapshotValue,
  type Variables,
} from "../interpolation/mod.ts";
import { type BodyFile, InvalidHeaderError, type RenderedRequest } from "../request/mod.ts";
import type { HeadersInput, RenderTextOptions, RequestSpec } from "./client.ts";
import { decodeText } from "./decode.ts";
import { UnsendableRequestError } from "./errors.ts";
import type { HeaderList } from "./exchange.ts";
import type { ResolvedRequest } from "./prepare.ts";

/** Header pairs from any of the forms that callers may write. */
export function toHeaderList(input: HeadersInput | undefined): HeaderList {
  if (input === undefined) return [];
  const pairs: Iterable<readonly [string, string]> =
    Symbol.iterator in input
      ? (input as Iterable<readonly [string, string]>)
      : Object.entries(input);
  return Array.from(pairs, ([name, value]) => [checkName(name), checkValue(name, String(value))]);
}

/** Adds the client's headers to a request that does not write them. */
export function withDefaults(request: RenderedRequest, defaults: HeaderList): RenderedRequest {
  if (defaults.length === 0) return request;
  const written = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const missing = defaults.filter(([name]) => !written.has(name.toLowerCase()));
  return {
    ...request,
    headers: [...request.headers, ...missing],
    added: [...request.added, ...missing.map(([name]) => name)],
  };
}

/**
 * Makes a request of a spec.
 *
 * @throws {TypeError} It has both `body` and `json`, or a value that JSON cannot carry.
 */
export function resolveSpec(spec: RequestSpec): ResolvedRequest {
  if (typeof spec.url !== "string") {
    throw new TypeError(
      `Cannot send a request whose url is ${typeof spec.url}: a string is needed`,
    );
  }
  if (spec.body !== undefined && spec.json !== undefined) {
    throw new TypeError("Cannot send a request with both body and json: leave one of them out");
  }
  const headers = toHeaderList(spec.headers);
  const isJson = spec.json !== undefined;
  const untyped = !headers.some(([name]) => name.toLowerCase() === "content-type");
  const body = isJson ? renderJson(snapshotValue(spec.json, "json")) : spec.body;
  return {
    method: spec.method ?? (body === undefined ? "GET" : "POST"),
    url: spec.url,
    headers: isJson && untyped ? [...headers, ["Content-Type", "application/json"]] : headers,
    added: isJson && untyped ? ["Content-Type"] : [],
    body,
    warnings: [],
  };
}

/** What is needed to read a body that stands in a file. */
export interface FileAccess extends RenderTextOptions {
  readonly variables: Variables;
  readonly readFile: ((path: string) => Promise<Uint8Array>) | undefined;
}

/**
 * Reads the body of a rendered request where it stands in a file.
 *
 * @throws {UnsendableRequestError} The file cannot be read.
 */
export async function resolveBody(
  request: RenderedRequest,
  access: FileAccess,
): Promise<ResolvedRequest> {
  const { body } = request;
  if (typeof body !== "object") return { ...request, body };
  return { ...request, body: await readBodyFile(body, request.headers, access) };
}

async function readBodyFile(
  file: BodyFile,
  headers: HeaderList,
  access: FileAccess,
): Promise<string | Uint8Array> {
  if (!access.readFile) {
    throw new UnsendableRequestError(
      `Cannot read the body from "${file.path}": this client has no access to files; ` +
        "give createClient a readFile function",
    );
  }
  let bytes: Uint8Array;
  try {
    bytes = await access.readFile(file.path);
  } catch (cause) {
    const state = cause instanceof Error ? cause.message : String(cause);
    throw new UnsendableRequestError(`Cannot read the body from "${file.path}": ${state}`, {
      cause,
    });
  }
  if (!file.interpolated) return bytes;
  const { text, warning } = decodeText(bytes, file.encoding);
  if (warning) {
    throw new UnsendableRequestError(
      `Cannot read the body from "${file.path}": the encoding "${file.encoding}" is not known here`,
    );
  }
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const isJson = type === undefined ? /^\s*[[{]/.test(text) : /[/+]json\s*(?:;|$)/i.test(type);
  const missing = access.missing ?? "error";
  return renderTemplate(parseTemplate(text), access.variables, isJson ? "json" : "text", {
    missing,
  });
}

function checkName(name: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
  throw new InvalidHeaderError(name, [
    createFault(
      name,
      { start: 0, end: name.length },
      `Cannot send the header ${JSON.stringify(name)}: its name is not a token`,
    ),
  ]);
}

function checkValue(name: string, value: string): string {
  const at = value.search(/[\r\n\0]/);
  if (at < 0) return value;
  throw new InvalidHeaderError(value, [
    createFault(
      value,
      { start: at, end: at + 1 },
      `Cannot send the header "${name}": its value holds a line break or NUL`,
    ),
  ]);
}
