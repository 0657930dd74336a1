/**
 * The cookies of a client: taken from answers and given to requests as browsers do (RFC 6265). The
 * rules are tough-cookie's, which is loaded when the first cookie comes. It knows URLs and header
 * lines, no client and no network.
 */

export { type Cookie, type CookieJar, type Cookies, createCookieJar } from "./jar.ts";
