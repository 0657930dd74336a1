/**
 * Generated values: `$uuid` and the like, dates, random numbers and texts, and faker if it is installed.
 */

export { createFakerLoader, type FakerLoader } from "./faker-loader.ts";
export { generateValue, type Outside } from "./generated.ts";
export { needsOf } from "./needs.ts";
export { createRandom, type Random } from "./random.ts";
