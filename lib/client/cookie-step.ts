import type { CookieJar } from "../cookies/mod.ts";
import type { Hop } from "./hop.ts";
import { type HopStep, withHeader } from "./hop-steps.ts";

/** Gives each hop the cookies of its URL, and keeps those of each answer. */
export function createCookieStep(jar: CookieJar): HopStep {
  return {
    prepare(hop) {
      const kept = jar.header(hop.url);
      return kept === undefined ? hop : addCookies(hop, kept);
    },
    receive(hop, response, tell) {
      const lines = response.headers.getSetCookie();
      if (lines.length === 0) return;
      return jar.receive(hop.url, lines).then((warnings) => warnings.forEach(tell));
    },
  };
}

/** A cookie that is written goes before the kept one of its name. */
function addCookies(hop: Hop, kept: string): Hop {
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
