import type { Hop } from "./hop.ts";
import type { ResponseMessage } from "./message.ts";
import { takeCredentials } from "./prepare.ts";

/** What a 3xx asks for: another hop, or nothing, with the reason where there is one. */
export type Next =
  | { readonly kind: "hop"; readonly hop: Hop; readonly warnings: readonly string[] }
  | { readonly kind: "answer"; readonly warnings: readonly string[] };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const OF_THE_BODY = /^(?:content-(?:encoding|language|location|type|length))$/i;
const CREDENTIALS = /^(?:authorization|cookie|proxy-authorization)$/i;

/** Says whether a response is a redirect that fetch would follow. */
export function isRedirect(response: ResponseMessage): boolean {
  return REDIRECTS.has(response.status) && response.headers.has("location");
}

/**
 * Builds the request that follows a redirect, as the Fetch standard has it in "HTTP-redirect
 * fetch". A Location that leads nowhere makes the 3xx the answer, for the person to look at.
 */
export function nextHop(hop: Hop, status: number, location: string): Next {
  const url = resolve(location, hop.url);
  if (typeof url === "string") return { kind: "answer", warnings: [url] };
  if (!url.hash) url.hash = hop.url.hash;
  const sameOrigin = url.origin === hop.url.origin;
  const { method, headers, body } = rewrite(hop, status);
  const kept = sameOrigin ? headers : headers.filter(([name]) => !CREDENTIALS.test(name));
  const dropped = headers.filter((header) => !kept.includes(header)).map(([name]) => name);
  const authorization = takeCredentials(url);
  return {
    kind: "hop",
    hop: {
      method,
      url,
      headers: authorization
        ? [
            ...kept.filter(([name]) => !/^authorization$/i.test(name)),
            ["Authorization", authorization],
          ]
        : kept,
      body,
    },
    warnings:
      dropped.length === 0
        ? []
        : [`Not sent on to ${url.origin}, another origin: ${[...new Set(dropped)].join(", ")}`],
  };
}

function resolve(location: string, base: URL): URL | string {
  let url: URL;
  try {
    url = new URL(fromBytes(location), base);
  } catch {
    return `The redirect was not followed: its Location "${location}" is not a URL`;
  }
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  return `The redirect was not followed: its Location "${location}" is neither http nor https`;
}

/** Headers come as one character a byte; a Location beyond ASCII is UTF-8 in practice. */
function fromBytes(location: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for ASCII
  if (/^[\x00-\x7f]*$/.test(location)) return location;
  return new TextDecoder().decode(Uint8Array.from(location, (c) => c.charCodeAt(0)));
}

function rewrite(hop: Hop, status: number): Omit<Hop, "url"> {
  const toGet =
    ((status === 301 || status === 302) && hop.method === "POST") ||
    (status === 303 && hop.method !== "GET" && hop.method !== "HEAD");
  if (!toGet) return hop;
  const headers = hop.headers.filter(([name]) => !OF_THE_BODY.test(name));
  return { method: "GET", headers, body: undefined };
}
