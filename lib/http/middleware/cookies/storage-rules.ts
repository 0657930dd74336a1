import type * as Tough from "tough-cookie";

type Library = typeof Tough;

/** The cookies that were set over https, which http may not replace. */
export type SecurelySet = WeakSet<Tough.Cookie>;

/**
 * Stores a cookie by the rules of RFC 6265bis, section 5.7, that tough-cookie 6.1 does not implement.
 *
 * @throws {Error} The cookie is rejected; the message is the reason.
 */
export function storeCookie(
  library: Library,
  jar: Tough.CookieJar,
  securelySet: SecurelySet,
  line: string,
  url: URL,
): void {
  const cookie = library.Cookie.parse(line);
  if (cookie === undefined) throw new Error("it cannot be parsed");
  checkPrefix(cookie);
  normalizeDomain(library, cookie, url);
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  if (!isSecure) checkSecureCookies(library, jar, securelySet, cookie, url);
  const kept = jar.setCookieSync(cookie, url.href);
  if (isSecure && kept !== undefined) securelySet.add(kept);
}

/** Public suffixes that are not on the list. */
const SUFFIXES: ReadonlySet<string> = new Set(["localhost", "invalid"]);

/** Makes a cookie host-only if its Domain is an IP address or a public suffix, as browsers do. */
function normalizeDomain(library: Library, cookie: Tough.Cookie, url: URL): void {
  const domain = cookie.cdomain();
  if (cookie.domain === null || domain === undefined) return;
  const isOwn = domain === library.canonicalDomain(url.hostname);
  if (isOwn && (isAddress(url) || isSuffix(library, domain))) cookie.domain = null;
  else if (SUFFIXES.has(domain)) throw new Error(`its Domain "${domain}" is a public suffix`);
}

function isSuffix(library: Library, domain: string): boolean {
  if (SUFFIXES.has(domain)) return true;
  const options = { allowSpecialUseDomain: true, ignoreError: true };
  return library.getPublicSuffix(domain, options) === undefined;
}

/** The URL parser normalizes IPv4 addresses and puts IPv6 addresses in brackets. */
function isAddress({ hostname }: URL): boolean {
  return hostname.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

/** In any letter case, since some servers ignore it. */
function checkPrefix({ key, secure, domain, path }: Tough.Cookie): void {
  const prefix = /^__(?:secure|host)-/i.exec(key)?.[0];
  if (prefix === undefined) return;
  if (!secure) throw new Error(`a name that begins with "${prefix}" requires Secure`);
  if (/^__secure-$/i.test(prefix)) return;
  if (domain !== null) throw new Error(`a name that begins with "${prefix}" does not allow Domain`);
  if (path !== "/") throw new Error(`a name that begins with "${prefix}" requires Path=/`);
}

/** A cookie set over http may not replace or shadow one set over https, even on this machine. */
function checkSecureCookies(
  { canonicalDomain, defaultPath, domainMatch, pathMatch }: Library,
  jar: Tough.CookieJar,
  securelySet: SecurelySet,
  cookie: Tough.Cookie,
  url: URL,
): void {
  const domain = cookie.cdomain() ?? canonicalDomain(url.hostname);
  const path = cookie.path?.startsWith("/") ? cookie.path : defaultPath(url.pathname);
  const now = Date.now();
  let others: readonly Tough.Cookie[] = [];
  // The memory store calls back synchronously.
  jar.store.getAllCookies((_error, all) => {
    others = all ?? [];
  });
  const isGuarded = others.some(
    (other) =>
      other.key === cookie.key &&
      other.secure &&
      securelySet.has(other) &&
      (other.expiryTime() ?? Infinity) > now &&
      (domainMatch(other.domain ?? undefined, domain) === true ||
        domainMatch(domain, other.domain ?? undefined) === true) &&
      pathMatch(path, other.path ?? "/"),
  );
  if (isGuarded) {
    throw new Error(
      "a Secure cookie of that name was set over https, and this response came over http",
    );
  }
}
