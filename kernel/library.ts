/**
 * The library as the package gives it to Node, Deno and Bun: the same, but that its clients send what
 * the runtime's fetch is slow at, or cannot, by `node:http`. Browsers and JSR get `lib/mod.ts` itself.
 *
 * @module
 */

import process from "node:process";
import { type Client, type ClientOptions, createClient as createPlainClient } from "../lib/mod.ts";
import { createPlatformFetch, currentRuntime } from "./platform/mod.ts";

export * from "../lib/mod.ts";

const platformFetch = createPlatformFetch(currentRuntime(), process.env);

/** Creates a client with variables and a history of its own, as {@link createPlainClient} does. */
export function createClient(options: ClientOptions = {}): Client {
  return createPlainClient(platformFetch === undefined ? options : { platformFetch, ...options });
}

/** A client to begin with, shared by everything that imports it. */
export const client: Client = createClient();
