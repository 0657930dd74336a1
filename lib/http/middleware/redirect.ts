import type { Redirect } from "../../exchange/mod.ts";
import type { Hop } from "../request/mod.ts";
import { takeCredentials } from "../request/mod.ts";

/** What a 3xx asks for: another hop, or nothing, with the reason where there is one. */
export type Next =
  | { readonly kind: "hop"; readonly hop: Hop }
  | { readonly kind: "answer"; readonly warning: string };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const OF_THE_BODY = /^(?:content-(?:encoding|language|location|type|length))$/i;

/** Says whether a response is a redirect that fetch would follow. */
export function isRedirect(response: Response): boolean {
  return REDIRECTS.has(response.status) && response.headers.has("location");
}

/**
 * Builds the request that follows a redirect. Where it leads nowhere, or would take secrets along, the
 * 3xx is the answer, for the person to look at.
 *
 * @param whyNoBody Why the body may not go where it would, if it may not.
 */
export async function nextHop(
  hop: Hop,
  { status, location }: Pick<Redirect, "status" | "location">,
  whyNoBody: (next: Hop) => Promise<string | undefined>,
): Promise<Next> {
  const next = followLocation(hop, status, location);
  const reason = typeof next === "string" ? next : await whyNoBody(next);
  return typeof next === "string" || reason !== undefined
    ? { kind: "answer", warning: `The redirect was not followed: ${reason}` }
    : { kind: "hop", hop: next };
}

/** As the Fetch standard has it in "HTTP-redirect fetch", but for what the rule of origins decides. */
function followLocation(hop: Hop, status: number, location: string): Hop | string {
  const url = resolve(location, hop.url);
  if (typeof url === "string") return url;
  if (!url.hash) url.hash = hop.url.hash;
  const kept = url.origin === hop.url.origin ? hop.authorization : undefined;
  const authorization = takeCredentials(url) ?? kept;
  const { method, headers, body } = rewrite(hop, status);
  return { method, url, headers, body, ...(authorization === undefined ? {} : { authorization }) };
}

function resolve(location: string, base: URL): URL | string {
  let url: URL;
  try {
    url = new URL(fromBytes(location), base);
  } catch {
    return `its Location "${location}" is not a URL`;
  }
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  return `its Location "${location}" is neither http nor https`;
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
