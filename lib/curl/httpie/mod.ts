/** Translates command lines of HTTPie into those of curl. Files are read by a function that is passed in. */

export { HttpieError } from "./errors.ts";
export { httpieToCurl } from "./to-curl.ts";
