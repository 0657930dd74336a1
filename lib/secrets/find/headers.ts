import { HIDDEN } from "../search/mod.ts";

/**
 * Headers whose values are credentials, in lower case.
 *
 * @example
 * ```ts
 * CREDENTIAL_HEADERS.includes("x-api-key"); // true
 * ```
 */
export const CREDENTIAL_HEADERS: readonly string[] = [
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "api-key",
  "apikey",
  "x-auth-token",
  "x-access-token",
  "x-csrf-token",
  "x-xsrf-token",
  "x-amz-security-token",
  "x-goog-api-key",
  "x-functions-key",
  "x-gitlab-token",
  "x-vault-token",
  "private-token",
  "ocp-apim-subscription-key",
  "x-rapidapi-key",
  "x-mashape-key",
  "x-honeycomb-team",
  "dd-application-key",
  "x-goog-iap-jwt-assertion",
  "cf-access-jwt-assertion",
  "authentication-info",
  "dpop",
];

const KNOWN: ReadonlySet<string> = new Set(CREDENTIAL_HEADERS);
const SCHEME =
  /^((?:Basic|Bearer|Digest|Negotiate|NTLM|Token|ApiKey|DPoP|Hawk|AWS4-HMAC-SHA256)\s+)?([\s\S]*)$/i;

/** A value with a scheme of HTTP authentication: a credential under any name, a misspelt one too. */
const AUTHENTICATION = /^\s*(?:Bearer\s+\S|Basic\s+[A-Za-z\d+/_-]{8,}=*\s*$)/i;

/** Whether the value of a header is a credential, by the name or by the value. */
export function isCredentialHeader(name: string, value = ""): boolean {
  return (name.length < 100 && KNOWN.has(name.toLowerCase())) || AUTHENTICATION.test(value);
}

/** Masks the value of a credential header: only its scheme and placeholders remain. */
export function hideCredential(value: string, mask: (text: string) => string): string {
  const [, scheme = "", rest = ""] = SCHEME.exec(value) ?? [];
  if (rest === "") return mask(value);
  const masked = mask(rest);
  const isHidden = /^(?:\{\{[^{}]*\}\}|•••|[\s:;,])+$/.test(masked);
  return scheme + (isHidden ? masked : HIDDEN);
}

/** The secret texts of a credential header. */
export function secretsOfHeader(name: string, value: string): string[] {
  const kind = name.toLowerCase();
  if (kind === "cookie") return value.split(/;\s*/).map(cookieValue);
  // Attributes such as Path follow the first pair.
  if (kind === "set-cookie") return value.split(";", 1).map(cookieValue);
  const [, scheme = "", rest = ""] = SCHEME.exec(value.trim()) ?? [];
  return /^basic/i.test(scheme) ? [rest, ...pairOf(rest)] : [rest];
}

function cookieValue(pair: string): string {
  return pair.slice(pair.indexOf("=") + 1).replace(/^"(.*)"$/, "$1");
}

/** The password of Basic credentials, and both together. */
function pairOf(encoded: string): string[] {
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const pair = new TextDecoder().decode(bytes);
    const colon = pair.indexOf(":");
    return colon < 0 ? [] : [pair.slice(colon + 1), pair];
  } catch {
    // Not base64: only the value itself is a secret.
    return [];
  }
}
