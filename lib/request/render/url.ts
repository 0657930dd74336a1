import { hasScheme } from "../draft/mod.ts";

/** A target that no host can be found for. */
export type UrlProblem = "empty" | "no host";

/**
 * Makes a rendered target a URL: adds the scheme, and for a path the host of a `Host` header. A
 * target that has a scheme stays exactly as it is.
 *
 * @param target The target, its placeholders filled.
 * @param host The value of the `Host` header, if there is one.
 * @returns The URL, or what keeps it from being one.
 */
export function completeUrl(
  target: string,
  host: string | undefined,
): { readonly url: string } | { readonly problem: UrlProblem } {
  if (hasScheme(target.trimStart())) return { url: target };
  if (target.trim() === "") return { problem: "empty" };
  if (target.startsWith("//")) return { url: `${schemeFor(target.slice(2))}:${target}` };
  if (!/^[/?#]/.test(target)) return { url: `${schemeFor(target)}://${target}` };
  if (host === undefined || host === "") return { problem: "no host" };
  const origin = hasScheme(host) ? host : `${schemeFor(host)}://${host}`;
  return { url: `${origin.replace(/\/$/, "")}${target.startsWith("/") ? "" : "/"}${target}` };
}

/** Why a target cannot be sent, for what it begins with. */
export interface SchemeProblem {
  readonly message: string;
  readonly hint: string;
}

/**
 * What is wrong with the scheme of a target: one that cannot be sent, or a slash or colon too few, or
 * a character in it that no scheme has. A target without a scheme has nothing wrong with it.
 *
 * @param target The target, or as much of its beginning as is known.
 * @param isWhole Whether nothing follows that is not known yet.
 */
export function schemeProblem(target: string, isWhole = false): SchemeProblem | undefined {
  const start = target.trim();
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(start)?.[1];
  if (scheme !== undefined) {
    if (PROTOCOLS.has(scheme.toLowerCase())) return undefined;
    return { message: `The scheme "${scheme}" is not supported`, hint: "Write http or https" };
  }
  const isBroken =
    (/^https?:/i.test(start) && (isWhole || !/:\/?$/.test(start))) ||
    /^(?:https?\/\/|[^/?#]*:\/\/)/i.test(start);
  const hint = 'Write "http://" or "https://"';
  return isBroken ? { message: "The scheme of the URL is malformed", hint } : undefined;
}

const PROTOCOLS: ReadonlySet<string> = new Set(["http", "https", "ws", "wss"]);

/** `http` on this machine's own addresses, where certificates are rare, `https` elsewhere. */
function schemeFor(authority: string): "http" | "https" {
  const host = (/^[^/?#]*/.exec(authority)?.[0] ?? "")
    .replace(/^.*@/, "")
    .replace(/:\d*$/, "")
    .replace(/\.$/, "")
    .toLowerCase();
  const loopback =
    host === "localhost" ||
    host.endsWith(".localhost") ||
    /^127(?:\.\d{1,3}){3}$/.test(host) ||
    /^\[(?:::|(?:0{1,4}:){7})0{0,3}1\]$/.test(host);
  return loopback ? "http" : "https";
}
