import { isStreamed } from "../bodies/mod.ts";
import { UnsendableRequestError } from "./errors.ts";
import { toByteString } from "./prepare.ts";
import type { Hop } from "./redirect.ts";

/** As ky writes it, known methods in upper case. Bun 1.4 makes a GET of what it does not know, without a word. */
export function methodOf({ method }: Hop, input: unknown): string {
  if (!(input instanceof Request)) return method;
  if (input.method.toUpperCase() === method.toUpperCase()) return input.method;
  throw new UnsendableRequestError(
    `Cannot send the method "${method}": this runtime would send ${input.method} instead; ` +
      "Node and Deno send every method",
  );
}

/** What fetch gets beside the URL; a streamed body is opened anew for every attempt. */
export function initOf(
  method: string,
  headers: Headers | undefined,
  body: Hop["body"],
  signal: AbortSignal,
): RequestInit {
  const init: RequestInit = { method, redirect: "manual", signal };
  if (headers !== undefined) init.headers = headers;
  if (body === undefined) return init;
  if (!isStreamed(body)) return { ...init, body };
  // `duplex` is asked for by every runtime and missing in the types of the DOM.
  return { ...init, body: body.stream(), duplex: "half" } as RequestInit;
}

/** The headers of a hop, or nothing where it has none. */
export function toHeaders({ headers: list, body }: Hop): Headers | undefined {
  if (list.length === 0 && !isStreamed(body)) return undefined;
  const headers = new Headers();
  // Without it the body goes out in chunks, which some servers refuse; Deno 2.9 does so all the same.
  if (isStreamed(body) && body.size !== undefined) {
    headers.set("content-length", String(body.size));
  }
  const cookies: string[] = [];
  for (const [name, value] of list) {
    // Deno joins repeated Cookie headers with a comma, which no server splits again.
    if (name.toLowerCase() === "cookie") cookies.push(toByteString(value));
    else headers.append(name, toByteString(value));
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  return headers;
}
