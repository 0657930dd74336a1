import type { Hop } from "../request/mod.ts";
import { type Middleware, type Tell, withHeader } from "../request/mod.ts";
import type { CookieJar } from "./cookies/mod.ts";

/** Gives each hop the cookies of its URL, and keeps those of each answer. */
export function withCookies(jar: CookieJar, tell: Tell): Middleware {
  return (next) => async (hop) => {
    const response = await next(addKeptCookies(hop, jar));
    const lines = response.headers.getSetCookie();
    if (lines.length > 0) (await jar.receive(hop.url, lines)).forEach(tell);
    return response;
  };
}

/** A hop with the kept cookies of its URL; a cookie that is written goes before the kept one of its name. */
export function addKeptCookies(hop: Hop, jar: CookieJar): Hop {
  const kept = jar.header(hop.url);
  if (kept === undefined) return hop;
  const written = hop.headers.filter(([name]) => name.toLowerCase() === "cookie");
  if (written.length === 0) return withHeader(hop, "Cookie", kept);
  const own = written.map(([, value]) => value).join("; ");
  const names = new Set(own.split(/;\s*/).map(nameOf));
  const others = kept.split(/;\s*/).filter((pair) => !names.has(nameOf(pair)));
  return withHeader(hop, "Cookie", [own, ...others].join("; "));
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0]?.trim() ?? "";
}
