import { hasScheme } from "../draft/mod.ts";

/**
 * Completes a rendered target: adds a scheme, and a host to a path. A target with a scheme is unchanged.
 *
 * @param host The value of the `Host` header or of the variable `host`, if there is one.
 * @returns `undefined` without a host.
 */
export function completeUrl(target: string, host: string | undefined): string | undefined {
  if (hasScheme(target.trimStart())) return target;
  if (target.trim() === "") return undefined;
  if (target.startsWith("//")) return `${schemeFor(target.slice(2))}:${target}`;
  if (!/^[/?#]/.test(target)) return `${schemeFor(target)}://${target}`;
  if (host === undefined || host === "") return undefined;
  const origin = hasScheme(host) ? host : `${schemeFor(host)}://${host}`;
  return `${origin.replace(/\/$/, "")}${target.startsWith("/") ? "" : "/"}${target}`;
}

interface SchemeProblem {
  readonly message: string;
  readonly hint: string;
}

/**
 * Checks the scheme of a target: it may be unsupported, or malformed because a slash or colon is missing. A
 * target without a scheme is valid.
 *
 * @param target The target, or its known beginning.
 * @param isWhole Whether `target` is complete.
 */
export function schemeProblem(target: string, isWhole: boolean): SchemeProblem | undefined {
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

/** `http` for hosts of this machine and of a private network, which rarely have certificates, else `https`. */
function schemeFor(authority: string): "http" | "https" {
  const whole = (/^[^/?#]*/.exec(authority)?.[0] ?? "").replace(/^.*@/, "").toLowerCase();
  const port = /:(\d*)$/.exec(whole)?.[1];
  if (port === "443" || port === "8443") return "https";
  const host = whole.replace(/:\d*$/, "").replace(/\.$/, "");
  return LOCAL.some((pattern) => pattern.test(host)) ? "http" : "https";
}

/** A name without a dot, such as one of Docker Compose; loopback and private addresses (RFC 1918, 3927). */
const LOCAL: readonly RegExp[] = [
  /^[^.[\]]+$/,
  /\.localhost$/,
  /^(?:127|10)(?:\.\d{1,3}){3}$/,
  /^(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}$/,
  /^\[(?:::|(?:0{1,4}:){7})0{0,3}1\]$/,
];
