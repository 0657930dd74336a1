import { STATUS_CODES } from "node:http";
import type { Context } from "hono";

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
export function respond(
  status: number,
  headers: Headers,
  body: string | Uint8Array<ArrayBuffer> = "",
): Response {
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
  readonly headers?: Headers;
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
    const { status, message: detail } = this;
    const { errors, headers, members } = this.options;
    const title = reasonPhrase(status);
    return respondJson(
      status,
      { type: "about:blank", title, status, detail, ...members, errors },
      { ...headers, "Content-Type": "application/problem+json" },
    );
  }
}

/** `ANY` matches every method. */
type RouteMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY";

/** An entry of the route table; `api.ts` makes routing, the description at `/` and `Allow` of it. */
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
  const bytes = await context.req.arrayBuffer();
  if (bytes.byteLength === 0) throw new Problem(400, "The body is empty: JSON is expected");
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
