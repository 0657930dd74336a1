import { isStreamed } from "../bodies/mod.ts";
import { UnsendableRequestError } from "./errors.ts";
import type { HeaderList } from "./exchange.ts";
import type { Hop } from "./hop.ts";
import type { ResponseMessage, SendMessage } from "./message.ts";
import { toByteString } from "./prepare.ts";

/** As ky has made it, known methods in upper case; as it was where the runtime knows no such method. */
export function methodOf({ method }: Hop, made: unknown): string {
  const isKnown = made instanceof Request && made.method.toUpperCase() === method.toUpperCase();
  return isKnown ? made.method : method;
}

/** What fetch gets beside the URL; a streamed body is opened anew for every attempt. */
function initOf(
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

/** The headers of a message, or nothing where it has none. */
function toHeaders(list: HeaderList, body: Hop["body"]): Headers | undefined {
  if (list.length === 0 && !isStreamed(body)) return undefined;
  const headers = new Headers();
  // Without it the body goes out in chunks, which some servers refuse; Deno 2.9 does so all the same.
  if (isStreamed(body) && body.size !== undefined) {
    headers.set("content-length", String(body.size));
  }
  for (const [name, value] of list) headers.append(name, value);
  return headers;
}

/** The headers of a hop as they go out: bytes, each name once. */
export function outgoingHeaders({ headers: list }: Hop): HeaderList {
  const headers = new Map<string, [string, string]>();
  for (const [name, value] of list) {
    const lower = name.toLowerCase();
    const known = headers.get(lower);
    if (known === undefined) headers.set(lower, [name, toByteString(value)]);
    // Deno joins repeated Cookie headers with a comma, which no server splits again.
    else known[1] += `${lower === "cookie" ? "; " : ", "}${toByteString(value)}`;
  }
  return [...headers.values()];
}

/** Sends by a `fetch`. */
export function sendBy(fetch: typeof globalThis.fetch): SendMessage {
  return ({ method, url, headers, body, cancellation }) => {
    if (!USUAL.has(method)) refuseChanged(method);
    const init = initOf(method, toHeaders(headers, body), body, cancellation.signal);
    // It is one, which the compiler does not see: of a stream's overloaded getReader it takes the first.
    return fetch(url.href, init) as Promise<ResponseMessage>;
  };
}

const USUAL: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);

/** Bun 1.4 makes a GET of what it does not know, without a word. */
function refuseChanged(method: string): void {
  const { method: made } = new Request("http://localhost/", { method });
  if (made.toUpperCase() === method.toUpperCase()) return;
  throw new UnsendableRequestError(
    `Cannot send the method "${method}": the fetch of this runtime would send ${made} instead; ` +
      "give createClient the dispatch of restlab/platform",
  );
}
