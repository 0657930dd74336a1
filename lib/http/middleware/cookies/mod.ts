/** A cookie jar on `tough-cookie` (RFC 6265), which is loaded with the first `Set-Cookie`. */

export { type Cookie, type CookieJar, type Cookies, createCookieJar } from "./jar.ts";
