/** Writes requests as curl commands for a POSIX shell, or as `fetch` calls. */

export { quoteWord } from "./quote.ts";
export { writeCurl } from "./write-curl.ts";
export { writeFetch } from "./write-fetch.ts";
export { isPlaceholders, type WrittenRequest } from "./written.ts";
