import type { Runtime } from "../platform.ts";
import type { Dispatch } from "./dispatch.ts";
import { createNodeSend } from "./node-send.ts";
import { type Environment, namesProxy } from "./proxy.ts";

/**
 * Gives what sends requests on this runtime where its fetch is slow, or cannot: on Node all of them, on
 * Bun those with a method that its fetch does not know, on Deno none.
 *
 * @param environment Where it names a proxy there is nothing either: `node:http` does not follow it.
 */
export function createDispatch(
  { name }: Pick<Runtime, "name">,
  environment: Environment,
): Dispatch | undefined {
  if (name === "deno" || namesProxy(environment)) return undefined;
  const send = createNodeSend();
  if (name === "node") return send;
  return (outgoing, byFetch) => (knows(outgoing.method) ? byFetch(outgoing) : send(outgoing));
}

/** Bun 1.4 makes a GET of what it does not know. */
function knows(method: string): boolean {
  return new Request("http://localhost/", { method }).method === method;
}
