/**
 * A request as a curl command or a `fetch` call, quoted so that a shell takes it as it stands.
 */

export { writeCurl } from "./write-curl.ts";
export { writeFetch } from "./write-fetch.ts";
export { isPlaceholders, type WrittenRequest } from "./written.ts";
