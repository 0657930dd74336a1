import type { Cookie as ToughCookie, CookieJar as ToughJar } from "tough-cookie";
import { keepCookie, type SecurelySet } from "./storage-rules.ts";

/** A cookie as a server set it. */
export interface Cookie {
  /** Its name. */
  readonly name: string;
  /** Its value, as it came. */
  readonly value: string;
  /** The host that gets it. */
  readonly domain: string;
  /** Whether hosts below the domain get it, too. */
  readonly subdomains: boolean;
  /** The path below which it is sent. */
  readonly path: string;
  /** When it ends; left out where it ends with the session. */
  readonly expires?: Date;
  /** Whether only https, and this machine, get it. */
  readonly secure: boolean;
  /** Whether pages' scripts would not see it. */
  readonly httpOnly: boolean;
}

/** The cookies of a client, for its user. */
export interface Cookies {
  /** How many there are. */
  readonly size: number;
  /** All of them, those that have ended left out. */
  all(): readonly Cookie[];
  /** Those that a request to this URL gets. */
  of(url: string): readonly Cookie[];
  /**
   * Sets a cookie as if the URL had answered with this `Set-Cookie` line.
   *
   * @throws {TypeError} The line is no cookie, or the URL may not set it.
   */
  set(url: string, line: string): Promise<void>;
  /** Removes all, or those of a domain, and says how many that were. */
  clear(domain?: string): number;
}

/** The cookies of a client, for what sends its requests. */
export interface CookieJar extends Cookies {
  /** What a request to this URL has to send; nothing for most. */
  header(url: URL): string | undefined;
  /** Takes the `Set-Cookie` lines of an answer, and says what is wrong with those it cannot take. */
  receive(url: URL, lines: readonly string[]): Promise<readonly string[]>;
}

/** Creates an empty jar. Nothing is loaded before the first cookie comes. */
export function createCookieJar(): CookieJar {
  let jar: ToughJar | undefined;
  const securelySet: SecurelySet = new WeakSet();
  async function load(): Promise<(line: string, url: URL) => void> {
    const library = await import("tough-cookie");
    // A jar that was made while this one waited stays the jar.
    jar ??= new library.CookieJar();
    const loaded = jar;
    return (line, url) => keepCookie(library, loaded, securelySet, line, url);
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
        throw new TypeError(`Cannot set the cookie "${nameOf(line)}" for "${url}": ${why(cause)}`, {
          cause,
        });
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
      const keep = await load();
      return lines.flatMap((line) => {
        try {
          keep(line, url);
          return [];
        } catch (error) {
          return [`The cookie "${nameOf(line)}" was rejected: ${why(error)}`];
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

/** The value is a secret more often than not. */
function nameOf(line: string): string {
  return line.split(/[=;]/, 1)[0]?.trim() ?? "";
}

function why(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
