/**
 * Command lines of curl: read into what they ask for, and written from a request; and the same
 * request as a call of `fetch`. What cannot be done, or would be guessed, is reported with its place.
 * It sends nothing, reads no file and knows no values: placeholders stay as they stand.
 */

export type { CurlBody, CurlCommand, CurlConnection, CurlField } from "./command.ts";
export { type CurlReading, parseCurl, startsAsCurl } from "./parse.ts";
export { quoteWord } from "./quote.ts";
export type { Report } from "./word.ts";
export { writeCurl } from "./write-curl.ts";
export { writeFetch } from "./write-fetch.ts";
export { isPlaceholders, type WrittenRequest } from "./written.ts";
