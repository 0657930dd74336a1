/**
 * What is shown of an exchange besides its request line, headers and bodies: cookies, time and size.
 */

export { viewCookies } from "./cookies.ts";
export { factsOf, viewTiming } from "./timing.ts";
