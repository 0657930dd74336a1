import { Buffer } from "node:buffer";
import { STATUS_CODES } from "node:http";
import type { Context, Hono } from "hono";

/** Bytes that the constructor of `Response` accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

type Headers = Readonly<Record<string, string>>;

const encoder = new TextEncoder();

/** https://fetch.spec.whatwg.org/#null-body-status */
const NULL_BODY = new Set([204, 205, 304]);

/** The reason phrase of a status, or `Unassigned`. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? "Unassigned";
}

/**
 * Creates a response with a reason phrase and a length. Node sends an empty phrase for a plain
 * `Response`, and a HEAD response without a length does not describe that of GET.
 */
export function respond(status: number, headers: Headers, body: string | Bytes = ""): Response {
  const init = { status, statusText: reasonPhrase(status) };
  if (NULL_BODY.has(status)) return new Response(null, { ...init, headers });
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const length = { "Content-Length": String(bytes.length) };
  return new Response(bytes, { ...init, headers: { ...headers, ...length } });
}

export function respondJson(status: number, value: unknown, headers: Headers = {}): Response {
  return respond(status, { "Content-Type": "application/json", ...headers }, JSON.stringify(value));
}

/** One fault of a body (`pointer`, RFC 6901) or of a query (`parameter`). */
type ProblemPart =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string };

interface ProblemOptions {
  readonly errors?: readonly ProblemPart[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the document. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Ends a route with a problem document (RFC 9457). */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(status: number, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.status = status;
    this.options = options;
  }

  toResponse(): Response {
    const { errors, headers, members } = this.options;
    return respondJson(
      this.status,
      {
        type: "about:blank",
        title: reasonPhrase(this.status),
        status: this.status,
        detail: this.message,
        ...members,
        ...(errors && { errors }),
      },
      { ...headers, "Content-Type": "application/problem+json" },
    );
  }
}

/** `ANY` matches every method. */
type RouteMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY";

/** An entry of the route table, from which routing, the description at `/` and `Allow` are made. */
export interface Route {
  readonly method: RouteMethod;
  /** A path in hono's syntax, for example `/users/:id`. */
  readonly path: string;
  /** One sentence for the description at `/`. */
  readonly summary: string;
  /** A path and query to try. */
  readonly example?: string;
  /** The media types that PATCH accepts; OPTIONS lists them. */
  readonly acceptPatch?: string;
  readonly handle: (context: Context) => Response | Promise<Response>;
}

/**
 * Registers routes. hono answers HEAD by the GET route. OPTIONS, and any other method with 405, are answered
 * with the methods of the path.
 */
export function mountRoutes(app: Hono, routes: readonly Route[]): void {
  for (const [path, group] of groupByPath(routes)) {
    for (const { method, handle } of group) {
      if (method === "ANY") app.all(path, handle);
      else app.on(method, path, handle);
    }
    app.all(path, rejectMethod(group));
  }
}

/** The routes of each path, in the order of the table. */
export function groupByPath(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const group = groups.get(route.path);
    if (group) group.push(route);
    else groups.set(route.path, [route]);
  }
  return groups;
}

/** The methods of one path, as `Allow` lists them. */
export function allowedMethods(group: readonly Route[]): readonly string[] {
  const methods = group.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return methods.includes("ANY") ? methods : [...methods, "OPTIONS"];
}

function rejectMethod(group: readonly Route[]): Route["handle"] {
  const allow = allowedMethods(group).join(", ");
  const acceptPatch = group.find((route) => route.acceptPatch)?.acceptPatch;
  const headers = { Allow: allow, ...(acceptPatch && { "Accept-Patch": acceptPatch }) };
  return ({ req }) => {
    if (req.method === "OPTIONS") return respond(204, headers);
    throw new Problem(405, `Method "${req.method}" is not allowed at "${req.path}": use ${allow}`, {
      headers,
    });
  };
}

interface IntegerRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/** Reads query parameters and reports all invalid ones together. */
interface QueryReader {
  integer(parameter: string, range: IntegerRange): number;
  oneOf(parameter: string, choices: readonly string[]): string | undefined;
  /** Throws a 400 problem where a parameter was invalid. */
  finish(): void;
}

export function readQuery({ req }: Context): QueryReader {
  const errors: ProblemPart[] = [];
  return {
    integer(parameter, { fallback, min, max }) {
      const text = req.query(parameter);
      if (text === undefined) return fallback;
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return value;
      const detail = `has to be a whole number from ${min} to ${max}: it is "${text}"`;
      errors.push({ parameter, detail });
      return fallback;
    },
    oneOf(parameter, choices) {
      const text = req.query(parameter);
      if (text === undefined || choices.includes(text)) return text;
      const detail = `has to be one of ${choices.join(", ")}: it is "${text}"`;
      errors.push({ parameter, detail });
      return undefined;
    },
    finish() {
      if (errors.length > 0) throw new Problem(400, "The query is not valid", { errors });
    },
  };
}

const MAX_BYTES = 8 * 1024 * 1024;

/** Reads a whole request body. Throws a 413 problem where it is longer than 8 MiB. */
export async function readBody({ req }: Context): Promise<Bytes> {
  if (Number(req.header("Content-Length") ?? 0) > MAX_BYTES) throw tooLong();
  if (!req.raw.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Not hono's body limit: it clones a request with a chunked body, which srvx on Node refuses.
  for await (const chunk of req.raw.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLong(): Problem {
  return new Problem(413, `The body is too long: the limit is ${MAX_BYTES} bytes`);
}

/**
 * Reads a request body as JSON. Throws a 415 problem where Content-Type is not an accepted media
 * type, and a 400 problem where the body is empty, not UTF-8 or not JSON.
 */
export async function readJson(context: Context, accepted: readonly string[]): Promise<unknown> {
  const contentType = context.req.header("Content-Type");
  const mediaType = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!accepted.includes(mediaType)) {
    const actual = contentType === undefined ? "it is missing" : `it is "${contentType}"`;
    throw new Problem(415, `Content-Type has to be ${accepted.join(" or ")}: ${actual}`, {
      headers: { Accept: accepted.join(", ") },
    });
  }
  const bytes = await readBody(context);
  if (bytes.length === 0) throw new Problem(400, "The body is empty: JSON is expected");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it is not UTF-8";
    throw new Problem(400, `The body is not JSON: ${reason}`);
  }
}

/** Whether a JSON value is an object, neither null nor an array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
