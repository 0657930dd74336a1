import { currentOwner, runOutsideCells } from "./output.ts";

/** Marks the runtime's fetch for the client, which may use the platform's in its place. */
const RUNTIME_FETCH = Symbol.for("restlab.runtime-fetch");

const runtimeFetch = globalThis.fetch;

/** The runtime's fetch, whose requests end with the owner of the cell that sends them. */
export const ownedFetch: typeof fetch = Object.assign(
  async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const owner = currentOwner();
    if (owner === undefined) return await runtimeFetch(input, init);
    if (owner.reason !== undefined) throw owner.reason;
    const signals = [init?.signal ?? (input instanceof Request ? input.signal : undefined)];
    const signal = AbortSignal.any([owner.signal, ...signals.filter((it) => it != null)]);
    // Other cells share the connections and their timers.
    return await runOutsideCells(() => runtimeFetch(input, { ...init, signal }));
  },
  { [RUNTIME_FETCH]: runtimeFetch, toString: () => String(runtimeFetch) },
);
