import type { Credentials, Token } from "../credentials/mod.ts";
import type { ClientOptions } from "./client.ts";
import { startDeadline } from "./deadline.ts";
import { authorizerOf } from "./outfit.ts";
import { createReach } from "./reach.ts";
import { abortedBefore, type SenderParts } from "./sender.ts";

/** Gets a token; `undefined` for credentials that have none. */
export type FetchToken = (
  credentials: Credentials,
  signal?: AbortSignal,
) => Promise<Token | undefined>;

/** Creates what gets tokens; `pending` and `abort` know of each until it is there. */
export function createFetchToken(
  options: ClientOptions,
  parts: Pick<SenderParts, "inFlight" | "secrets" | "tokens" | "authorizers">,
): FetchToken {
  const reach = createReach(options, parts.secrets);
  return async (credentials, signal) => {
    const authorizer = await authorizerOf(credentials, options, parts, {
      fetch: async (input, init) => (await reach()).fetch(input, init),
      timeout: options.timeout ?? 30_000,
    });
    // A person may have to log in, for which no time limit holds.
    const waiting = startDeadline(0, signal);
    const url = credentials.type === "oauth2" ? (credentials.tokenEndpoint ?? "") : "";
    const flight = { method: "LOGIN", url, startedAt: new Date() };
    parts.inFlight.set(waiting, flight);
    try {
      return await authorizer.token?.(waiting.signal);
    } catch (cause) {
      if (waiting.stop === undefined) throw cause;
      throw abortedBefore(flight, waiting.signal.reason);
    } finally {
      parts.inFlight.delete(waiting);
      waiting.release();
    }
  };
}
