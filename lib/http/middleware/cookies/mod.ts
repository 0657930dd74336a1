/**
 * A cookie jar by `tough-cookie` (RFC 6265), loaded with the first `Set-Cookie`.
 */

export { type Cookie, type CookieJar, type Cookies, createCookieJar } from "./jar.ts";
