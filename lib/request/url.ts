import { hasScheme } from "./target.ts";

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
