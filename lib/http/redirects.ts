import { detailsOf, type Redirect, statusClass } from "../exchange/mod.ts";
import { isBodiless } from "../fetch/mod.ts";
import { excludeHeaders } from "./headers.ts";
import { sendHop } from "./hops.ts";
import { atMost } from "./in-flight.ts";
import { bodyRefusal } from "./origin-rule.ts";
import { type Outgoing, takeCredentials } from "./outgoing.ts";
import { drainBody } from "./read-body.ts";
import type { Send } from "./send.ts";

/** Sends the first hop of an attempt, follows its redirects and records them. */
export async function followRedirects(send: Send, first: Outgoing): Promise<Response> {
  const { redirect: mode, maxRedirects } = send.settings;
  send.redirects = [];
  for (let hop = first; ; ) {
    send.hop = hop;
    const response = await sendHop(send, hop);
    if (mode === "manual" || !REDIRECTS.has(response.status)) return response;
    const [location, ...others] = locationsOf(response);
    if (location === undefined) return response;
    const { status, statusText } = response;
    const { method, url } = hop;
    const redirect: Redirect = {
      method,
      url: url.href,
      status,
      statusText,
      statusClass: statusClass(status),
      location,
    };
    if (mode === "error") {
      void drainBody(response);
      throw new RedirectError({ kind: "redirected", redirect });
    }
    const next =
      others.length > 0
        ? `it has ${others.length + 1} different headers Location`
        : followLocation(hop, status, location);
    const reason = typeof next === "string" ? next : bodyRefusal(send, next);
    if (reason !== undefined) {
      send.warnings.push(`The redirect was not followed: ${reason}`);
      return response;
    }
    send.redirects.push(redirect);
    // What is there at once leaves its connection for the next hop.
    await atMost(DRAIN_TIME, drainBody(response));
    if (send.redirects.length > maxRedirects) {
      throw new RedirectError({ kind: "too-many-redirects" });
    }
    hop = next as Outgoing;
  }
}

/** The different values of Location, which a server should send once. */
function locationsOf(response: Response): readonly string[] {
  const joined = response.headers.get("location");
  if (joined === null) return [];
  const lines = detailsOf(response)?.headers.filter(([name]) => /^location$/i.test(name)) ?? [];
  return lines.length < 2 ? [joined] : [...new Set(lines.map(([, value]) => value))];
}

/** Milliseconds for the body of a redirect, which some servers send slowly or without end. */
const DRAIN_TIME = 50;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = /^(?:content-(?:encoding|language|location|type|length))$/i;

/**
 * HTTP-redirect fetch of the Fetch Standard; the origin rule handles the headers for other origins.
 *
 * @returns The next hop, or why there is none.
 */
function followLocation(hop: Outgoing, status: number, location: string): Outgoing | string {
  const url = resolve(location, hop.url);
  if (typeof url === "string") return url;
  if (!url.hash) url.hash = hop.url.hash;
  const kept = url.origin === hop.url.origin ? hop.authorization : undefined;
  const authorization = takeCredentials(url) ?? kept;
  const next = rewrite(hop, status);
  // A written Host is for the server that it was written for.
  const headers =
    url.host === hop.url.host ? next.headers : excludeHeaders(next.headers, [["host", ""]]);
  return { ...next, headers, url, authorization };
}

function resolve(location: string, base: URL): URL | string {
  if (location === "") return "its Location is empty";
  let url: URL;
  try {
    // Each character is a byte, which the URL parser would encode as UTF-8 once more.
    url = new URL(location.replace(/[\x80-\xff]/g, encodeByte), base);
  } catch {
    return `its Location "${location}" is not a URL`;
  }
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  return `its Location "${location}" is neither http nor https`;
}

function encodeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;
}

function rewrite(hop: Outgoing, status: number): Outgoing {
  const toGet =
    ((status === 301 || status === 302) && hop.method === "POST") ||
    // A 303 names another resource, which the body of a GET does not ask about either.
    (status === 303 && (!isBodiless(hop.method) || hop.body !== undefined));
  if (!toGet) return hop;
  const headers = hop.headers.filter(([name]) => !BODY_HEADERS.test(name));
  return { ...hop, method: hop.method === "HEAD" ? "HEAD" : "GET", headers, body: undefined };
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
