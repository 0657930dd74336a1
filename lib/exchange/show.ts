import type { DisplayData } from "./exchange.ts";

/** How a value is shown: an exchange, or the variables as an object. */
export type Show = (value: object) => DisplayData;

/** What `console.log` asks a value for under Node and Bun. */
export const nodeInspect: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** What `console.log` asks a value for under Deno. */
export const denoInspect: unique symbol = Symbol.for("Deno.customInspect");
