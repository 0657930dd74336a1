import { nearNames } from "../interpolation/mod.ts";
import type { RenderedRequest } from "../request/mod.ts";
import { createSecretStore, type Secrets } from "../secrets/mod.ts";
import { toBase64 } from "./bytes.ts";
import type { SentRequest } from "./exchange.ts";
import {
  type CodeLanguage,
  LANGUAGES,
  type RequestSource,
  writeRequest,
} from "./export-request.ts";
import { learnRequest } from "./learn-secrets.ts";

/** A request to write as code: what `client.render` returns, or the request of an exchange. */
export type RequestToWrite = RenderedRequest | SentRequest;

/** How the secrets of a request are written. */
export interface CodeOptions {
  /** Those of the client, `client.secrets`, for which their placeholders are written. */
  readonly secrets?: Secrets | readonly Secrets[] | undefined;
  /** Whether all values are written as they are, those of credentials included. */
  readonly reveal?: boolean | undefined;
}

/**
 * Writes a request as code. As in the methods of an exchange, placeholders stand for the secrets of `options.secrets`,
 * and `•••` for others: credentials, and what headers, fields of the query and members of the body have by secret names.
 *
 * @param request What `client.render` returns, or the request of an exchange.
 * @param language `curl`, a command for a POSIX shell; `fetch`, a call of it; `http`, request text, or a curl command
 * where request text cannot express the request exactly.
 * @param options How secrets are written.
 * @throws {TypeError} The language is unknown, or the body is a file, which is read when it is sent.
 * @example
 * ```ts
 * const request = client.render('POST http://localhost/users\nAuthorization: Bearer t0ken\n\n{"name": "Ada"}');
 * toCode(request, "curl").includes("-H 'Authorization: Bearer •••'"); // true
 * toCode(request, "fetch", { reveal: true }).includes("Bearer t0ken"); // true
 * toCode(request, "http").split("\n")[0]; // "POST http://localhost/users"
 * ```
 */
export function toCode(
  request: RequestToWrite,
  language: CodeLanguage,
  { secrets = [], reveal = false }: CodeOptions = {},
): string {
  if (!LANGUAGES.includes(language)) {
    const [near] = nearNames(String(language), LANGUAGES, 1);
    const hint = near === undefined ? "" : `; did you mean "${near}"?`;
    throw new TypeError(
      `Cannot write the request as "${language}": the languages are ${LANGUAGES.join(", ")}${hint}`,
    );
  }
  const sent = { request: toSent(request), redirects: [] };
  if (reveal) return writeRequest({ ...sent, secrets: [], reveals: true }, language);
  const found = createSecretStore();
  learnRequest(request, found);
  const known = "locate" in secrets ? [secrets] : secrets;
  return writeRequest({ ...sent, secrets: [...known, found] }, language);
}

/**
 * Writes a request as a curl command, as {@link toCode} does.
 *
 * @throws {TypeError} The body is a file.
 * @example
 * ```ts
 * toCurl(client.render("GET http://localhost/users?api_key=t0ken")); // "curl 'http://localhost/users?api_key=•••'"
 * ```
 */
export function toCurl(request: RequestToWrite, options: CodeOptions = {}): string {
  return toCode(request, "curl", options);
}

/**
 * Writes a request as request text, as {@link toCode} does.
 *
 * @throws {TypeError} The body is a file.
 * @example
 * ```ts
 * toHttp(client.render("curl -X DELETE http://localhost/users/7")); // "DELETE http://localhost/users/7"
 * ```
 */
export function toHttp(request: RequestToWrite, options: CodeOptions = {}): string {
  return toCode(request, "http", options);
}

/** The request as it would be sent, as far as that is known before. */
function toSent(request: RequestToWrite): RequestSource["request"] {
  const { method, url, body } = request;
  if (typeof body === "object" && !(body instanceof Uint8Array)) {
    throw new TypeError(
      "Cannot write the request: its body is a file, which is read when it is sent; use the exchange then",
    );
  }
  const basic = "credentials" in request ? request.credentials : undefined;
  if (basic?.type !== "basic") return { method, url, headers: request.headers, body };
  // They are sent encoded in place of `Basic name password`.
  const pair = toBase64(new TextEncoder().encode(`${basic.username}:${basic.password}`));
  const headers = request.headers.map(([name, value]) =>
    /^authorization$/i.test(name) ? ([name, `Basic ${pair}`] as const) : ([name, value] as const),
  );
  return { method, url, headers, body };
}
