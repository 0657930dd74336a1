import { type Hop, type Middleware, type Warn, withHeader } from "../request/mod.ts";
import type { CookieJar } from "./cookies/mod.ts";

/** Adds the cookies of each URL, and stores those of each response. */
export function withCookies(jar: CookieJar, warn: Warn): Middleware {
  return (next) => async (hop) => {
    const response = await next(addStoredCookies(hop, jar));
    const warnings = await jar.receive(hop.url, response.headers.getSetCookie());
    for (const warning of warnings) warn(warning);
    return response;
  };
}

/** Adds the stored cookies of a URL to a hop. A cookie in its headers replaces the stored one of its name. */
export function addStoredCookies(hop: Hop, jar: CookieJar): Hop {
  const stored = jar.header(hop.url);
  if (stored === undefined) return hop;
  const written = hop.headers.filter(([name]) => name.toLowerCase() === "cookie");
  if (written.length === 0) return withHeader(hop, "Cookie", stored);
  const own = written.map(([, value]) => value).join("; ");
  const names = new Set(own.split(/;\s*/).map(nameOf));
  const others = stored.split(/;\s*/).filter((pair) => !names.has(nameOf(pair)));
  return withHeader(hop, "Cookie", [own, ...others].join("; "));
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0]?.trim() ?? "";
}
