import type * as Tough from "tough-cookie";
import type { Cookie as ToughCookie, CookieJar as ToughJar } from "tough-cookie";
import { messageOf } from "../interpolation/mod.ts";
import { type Outgoing, withHeader } from "./outgoing.ts";

/** A stored cookie (RFC 6265). */
export interface Cookie {
  /** Its name. */
  readonly name: string;
  /** Its value, unchanged. */
  readonly value: string;
  /** The host that it is sent to. */
  readonly domain: string;
  /** Whether it is sent to subdomains as well. */
  readonly subdomains: boolean;
  /** The path prefix that it is sent to. */
  readonly path: string;
  /** When it expires; left out for a session cookie. */
  readonly expires?: Date | undefined;
  /** Whether it is sent only over https, or to this machine. */
  readonly secure: boolean;
  /** Whether it is hidden from scripts of a page. */
  readonly httpOnly: boolean;
}

/** The cookies of a client, as its user sees them. */
export interface Cookies {
  /** The number of cookies. */
  readonly size: number;
  /** All cookies that have not expired. */
  all(): readonly Cookie[];
  /** The cookies that a request to a URL sends. */
  of(url: string): readonly Cookie[];
  /**
   * Sets a cookie, as a response of the URL with this `Set-Cookie` value would.
   *
   * @throws {TypeError} The cookie is invalid, or the URL may not set it.
   */
  set(url: string, line: string): Promise<void>;
  /** Removes all cookies, or those of a domain, and returns how many there were. */
  clear(domain?: string): number;
}

/** The cookies of a client, as its requests use them. */
export interface CookieJar extends Cookies {
  /** The `Cookie` header for a URL. */
  header(url: URL): string | undefined;
  /** Stores the cookies of `Set-Cookie` values, and returns a warning for each one that was rejected. */
  receive(url: URL, lines: readonly string[]): Promise<readonly string[]>;
}

/** Creates an empty jar. */
export function createCookieJar(): CookieJar {
  let jar: ToughJar | undefined;
  const securelySet: SecurelySet = new WeakSet();
  async function load(): Promise<(line: string, url: URL) => void> {
    const library = await import("tough-cookie");
    // Another call may have created the jar meanwhile.
    jar ??= new library.CookieJar();
    const loaded = jar;
    return (line, url) => storeCookie(library, loaded, securelySet, line, url);
  }
  function all(): readonly Cookie[] {
    const now = new Date();
    const kept = jar?.serializeSync()?.cookies ?? [];
    return kept.map(toCookie).filter(({ expires }) => expires === undefined || expires > now);
  }
  return {
    get size() {
      return jar === undefined ? 0 : all().length;
    },
    all,
    of: (url) => (jar?.getCookiesSync(url) ?? []).map((it) => toCookie(it.toJSON())),
    async set(url, line) {
      try {
        (await load())(line, new URL(url));
      } catch (cause) {
        const action = `Cannot set the cookie "${nameOf(line)}" for "${url}"`;
        throw new TypeError(`${action}: ${messageOf(cause)}`, { cause });
      }
    },
    clear(domain) {
      const gone = all().filter((it) => domain === undefined || it.domain === domain.toLowerCase());
      if (jar === undefined) return 0;
      if (domain === undefined) jar.removeAllCookiesSync();
      else jar.store.removeCookies(domain.toLowerCase(), null, () => undefined);
      return gone.length;
    },
    header: (url) => jar?.getCookieStringSync(url.href) || undefined,
    async receive(url, lines) {
      if (lines.length === 0) return [];
      const store = await load();
      return lines.flatMap((line) => {
        try {
          store(line, url);
          return [];
        } catch (error) {
          return [`The cookie "${nameOf(line)}" was rejected: ${messageOf(error)}`];
        }
      });
    },
  };
}

function toCookie(cookie: ReturnType<ToughCookie["toJSON"]>): Cookie {
  const { key, value, domain, path, expires, maxAge, creation, hostOnly, secure, httpOnly } =
    cookie;
  const end =
    typeof maxAge === "number"
      ? new Date(new Date(String(creation)).getTime() + maxAge * 1000)
      : typeof expires === "string" && expires !== "Infinity"
        ? new Date(expires)
        : undefined;
  return {
    name: String(key ?? ""),
    value: String(value ?? ""),
    domain: String(domain ?? ""),
    subdomains: hostOnly === false,
    path: String(path ?? "/"),
    ...(end === undefined ? {} : { expires: end }),
    secure: secure === true,
    httpOnly: httpOnly === true,
  };
}

/** Without the value, which may be a secret. */
function nameOf(line: string): string {
  return line.split(/[=;]/, 1)[0]?.trim() ?? "";
}

type Library = typeof Tough;

/** The cookies that were set over https, which http may not replace. */
type SecurelySet = WeakSet<Tough.Cookie>;

/**
 * Stores a cookie by the rules of RFC 6265bis, section 5.7, that tough-cookie 6.1 does not implement.
 *
 * @throws {Error} The cookie is rejected; the message is the reason.
 */
function storeCookie(
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

/** Adds the stored cookies of its URL to a request. A cookie in its headers replaces the stored one of its name. */
export function addStoredCookies(hop: Outgoing, jar: CookieJar): Outgoing {
  const stored = jar.header(hop.url);
  if (stored === undefined) return hop;
  const written = hop.headers.filter(([name]) => name.toLowerCase() === "cookie");
  if (written.length === 0) return withHeader(hop, "Cookie", stored);
  const own = written.map(([, value]) => value).join("; ");
  const names = new Set(own.split(/;\s*/).map(nameOfPair));
  const others = stored.split(/;\s*/).filter((pair) => !names.has(nameOfPair(pair)));
  return withHeader(hop, "Cookie", [own, ...others].join("; "));
}

function nameOfPair(pair: string): string {
  return pair.split("=", 1)[0]?.trim() ?? "";
}
