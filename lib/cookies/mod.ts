/**
 * The cookies of a client: taken from answers and given to requests as browsers do (RFC 6265bis). Most
 * of the rules are tough-cookie's, which is loaded when the first cookie comes; what it lacks is in
 * `storage-rules.ts`. It knows URLs and header lines, no client and no network.
 */

export { type Cookie, type CookieJar, type Cookies, createCookieJar } from "./jar.ts";
