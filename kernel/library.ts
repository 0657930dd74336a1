import process from "node:process";
import { type Client, type ClientOptions, createClient as createPlainClient } from "../lib/mod.ts";
import { createConnect, limitTime, replacedFetch } from "./platform/mod.ts";

export * from "../lib/mod.ts";

/**
 * The library as the package exports it to Node, Deno and Bun: its clients send by `node:http` and `node:http2`.
 * Browsers and JSR get `lib/mod.ts` itself.
 *
 * @module
 */

const defaults: ClientOptions = {
  connect: createConnect(process.env),
  fetch: replacedFetch(),
  limitTime,
};

/** Creates a client, as {@link createPlainClient} does. */
export function createClient(options: ClientOptions = {}): Client {
  return createPlainClient({ ...defaults, ...options });
}

/** A default client, shared by everything that imports it. */
export const client: Client = createClient();
