import { startsAsCommand } from "../curl/mod.ts";
import type { Credentials } from "../http/auth/mod.ts";
import { parseRequests } from "./parse.ts";
import { type RenderedRequest, renderRequest } from "./render.ts";

/** A request that `client.send` takes as data. */
export interface CurlRequest {
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** The headers in order, those that options of the command make included. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body; absent if there is none. */
  readonly body?: string | Uint8Array | { readonly file: string } | undefined;
  /** Credentials of which a client makes a header of its own for each request. */
  readonly auth?: Credentials | undefined;
}

/**
 * Reads a curl command as a request that is data, without sending it; what browsers copy and HTTPie's commands as well.
 * Options that are not of the request, such as `--max-time`, `-k` and `-L`, are not in it: `client.send(command)` does
 * what they say. Placeholders stay as they are.
 *
 * @throws {TypeError} It is no such command, or its body has several parts of which one is a file.
 * @throws {RequestSyntaxError} An option is unknown or has no effect here; the message names it.
 * @example
 * ```ts
 * const request = parseCurl("curl -X PUT --json '{\"a\":1}' -u ada:secret http://localhost/users/7");
 * [request.method, request.url, request.body]; // ["PUT", "http://localhost/users/7", '{"a":1}']
 * request.headers[0]; // ["Authorization", "Basic YWRhOnNlY3JldA=="]
 * ```
 */
export function parseCurl(command: string): CurlRequest {
  const text = command.trim();
  const [line = ""] = text.split("\n", 1);
  const [draft, ...more] = startsAsCommand(line, true) ? parseRequests(text) : [];
  if (draft === undefined || more.length > 0) {
    throw new TypeError("Cannot read the text as a request: it is not one command of curl");
  }
  const rendered = renderRequest(draft, new Map(), { missing: "keep" });
  const { method, url, headers, credentials } = rendered;
  const body = bodyOf(rendered);
  const request = { method, url, ...(body !== undefined && { body }) };
  if (credentials === undefined) return { ...request, headers };
  // A client computes its header for each request.
  const written = headers.filter(([name]) => !/^authorization$/i.test(name));
  return { ...request, headers: written, auth: credentials };
}

function bodyOf({ body, urlWithFiles }: RenderedRequest): CurlRequest["body"] {
  if (body === undefined || typeof body === "string") {
    if (urlWithFiles === undefined) return body;
  } else if ("path" in body && body.change === undefined) {
    return body.bytes ?? { file: body.path };
  }
  throw new TypeError(
    "Cannot read the command as data: it mixes texts and files; send the command itself, client.send(command)",
  );
}
