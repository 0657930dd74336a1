import type { Cookie as ToughCookie, CookieJar as ToughJar } from "tough-cookie";
import { type SecurelySet, storeCookie } from "./storage-rules.ts";

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
  readonly expires?: Date;
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
