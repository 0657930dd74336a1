/**
 * Generated values: `$uuid` and its kin, dates, random numbers and texts, and faker where it is installed.
 */

export type { Faker } from "./faker.ts";
export { generateValue, needsFaker, type Outside } from "./generated.ts";
export { createRandom, type Random } from "./random.ts";
