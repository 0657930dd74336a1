/**
 * The library as Node has it: the same, but that its clients send by Node's own HTTP client where they
 * are not given a `fetch`. Deno, Bun and browsers get `lib/mod.ts` itself.
 *
 * @module
 */

import process from "node:process";
import { type Client, type ClientOptions, createClient as createPlainClient } from "../lib/mod.ts";
import { createDispatch, currentRuntime } from "./platform/mod.ts";

export * from "../lib/mod.ts";

const dispatch = createDispatch(currentRuntime(), process.env);

/** Creates a client with variables and a history of its own, as {@link createPlainClient} does. */
export function createClient(options: ClientOptions = {}): Client {
  return createPlainClient(dispatch === undefined ? options : { dispatch, ...options });
}

/** A client to begin with, shared by everything that imports it. */
export const client: Client = createClient();
