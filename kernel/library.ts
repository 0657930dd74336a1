import { type Client, type ClientOptions, createClient as createPlainClient } from "../lib/mod.ts";
import {
  createConnect,
  limitTime,
  openWebSocket,
  permittedEnvironment,
  replacedFetch,
} from "./platform/mod.ts";

export * from "../lib/mod.ts";

/**
 * The library as the package exports it to Node, Deno and Bun: its clients send by `node:http` and `node:http2`, and
 * open WebSockets by ws. Browsers and JSR get `lib/mod.ts` itself.
 *
 * @module
 */

const defaults: ClientOptions = {
  connect: (connection) => createConnect(permittedEnvironment())(connection),
  fetch: replacedFetch(),
  openWebSocket,
  limitTime,
};

/** Creates a client, as {@link createPlainClient} does. */
export function createClient(options: ClientOptions = {}): Client {
  return createPlainClient({ ...defaults, ...options });
}

/** A default client, shared by everything that imports it. */
export const client: Client = /* @__PURE__ */ createClient();
