import type { Redirect } from "../../exchange/mod.ts";
import { fromByteString, type Hop, isBodiless, takeCredentials } from "../request/mod.ts";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = /^(?:content-(?:encoding|language|location|type|length))$/i;

/** Whether fetch would follow a response as a redirect. */
export function isRedirect(response: Response): boolean {
  return REDIRECTS.has(response.status) && response.headers.has("location");
}

/**
 * Creates the next hop of a redirect. The 3xx itself is returned if its Location is invalid, or if the body
 * may not be sent there.
 *
 * @param bodyRefusal Returns why the body may not be sent to the next URL.
 * @returns The next hop, or a warning if there is none.
 */
export async function nextHop(
  hop: Hop,
  { status, location }: Pick<Redirect, "status" | "location">,
  bodyRefusal: (next: Hop) => Promise<string | undefined>,
): Promise<Hop | string> {
  const next = followLocation(hop, status, location);
  const reason = typeof next === "string" ? next : await bodyRefusal(next);
  return reason === undefined ? (next as Hop) : `The redirect was not followed: ${reason}`;
}

/** HTTP-redirect fetch of the Fetch Standard; the origin rule handles the headers for other origins. */
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
    url = new URL(fromByteString(location), base);
  } catch {
    return `its Location "${location}" is not a URL`;
  }
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  return `its Location "${location}" is neither http nor https`;
}

function rewrite(hop: Hop, status: number): Omit<Hop, "url"> {
  const toGet =
    ((status === 301 || status === 302) && hop.method === "POST") ||
    // A 303 names another resource, which the body of a GET does not ask about either.
    (status === 303 && (!isBodiless(hop.method) || hop.body !== undefined));
  if (!toGet) return hop;
  const headers = hop.headers.filter(([name]) => !BODY_HEADERS.test(name));
  return { method: hop.method === "HEAD" ? "HEAD" : "GET", headers, body: undefined };
}
