import { type Redirect, statusClass } from "../exchange/mod.ts";
import type { Attempt, Hop, Middleware, Warn } from "./attempt.ts";
import { isBodiless } from "./fetch-limits.ts";
import { fromByteString, takeCredentials } from "./prepare.ts";
import { drainBody } from "./read-body.ts";
import type { Settings } from "./transport.ts";

/**
 * Follows redirects and records them.
 *
 * @param bodyRefusal Returns why the body may not be sent to the next URL.
 */
export function followRedirects(
  { redirect: mode, maxRedirects }: Pick<Settings, "redirect" | "maxRedirects">,
  attempt: Attempt,
  bodyRefusal: (next: Hop) => Promise<string | undefined>,
  warn: Warn,
): Middleware {
  return (next) => async (first) => {
    attempt.redirects = [];
    for (let hop = first; ; ) {
      attempt.hop = hop;
      const response = await next(hop);
      if (mode === "manual" || !isRedirect(response)) return response;
      const redirect = describe(hop, response);
      if (mode === "error") {
        void drainBody(response);
        throw new RedirectError({ kind: "redirected", redirect });
      }
      const following = await nextHop(hop, redirect, bodyRefusal);
      if (typeof following === "string") {
        warn(following);
        return response;
      }
      attempt.redirects.push(redirect);
      await drainBody(response);
      if (attempt.redirects.length > maxRedirects) {
        throw new RedirectError({ kind: "too-many-redirects" });
      }
      hop = following;
    }
  };
}

function describe({ method, url }: Hop, { status, statusText, headers }: Response): Redirect {
  return {
    method,
    url: url.href,
    status,
    statusText,
    statusClass: statusClass(status),
    location: headers.get("location") ?? "",
  };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = /^(?:content-(?:encoding|language|location|type|length))$/i;

/** Whether fetch would follow a response as a redirect. */
function isRedirect(response: Response): boolean {
  return REDIRECTS.has(response.status) && response.headers.has("location");
}

/**
 * Creates the next hop of a redirect. The 3xx itself is returned if its Location is invalid, or if the body
 * may not be sent there.
 *
 * @param bodyRefusal Returns why the body may not be sent to the next URL.
 * @returns The next hop, or a warning if there is none.
 */
async function nextHop(
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

/** Why a redirect ended a request. */
export type RedirectReason =
  | { readonly kind: "redirected"; readonly redirect: Redirect }
  | { readonly kind: "too-many-redirects" };

/** A redirect ended a request: redirects are errors, or there were too many. */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
  readonly reason: RedirectReason;

  constructor(reason: RedirectReason) {
    super("A redirect was not followed");
    this.reason = reason;
  }
}
