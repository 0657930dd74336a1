/** Parts of the display of an exchange beside its headers and bodies: cookies, timing, results of assertions. */

export { viewAssertions, viewResults } from "./assertions.ts";
export { viewCookies } from "./cookies.ts";
export { sizeOf, timeOf, viewTiming } from "./timing.ts";
