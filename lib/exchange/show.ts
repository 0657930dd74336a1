import type { DisplayData } from "./exchange.ts";

/** Displays a value: an exchange, or the variables as an object. */
export type Show = (value: object) => DisplayData;

/** The method that `console.log` of Node and Bun calls. */
export const nodeInspect: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** The method that `console.log` of Deno calls. */
export const denoInspect: unique symbol = Symbol.for("Deno.customInspect");
