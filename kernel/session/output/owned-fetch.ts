import { currentOwner, runOutsideCells } from "./output.ts";

/** By this the client knows that a fetch is the runtime's, in whose place that of the platform may send. */
const RUNTIME_FETCH = Symbol.for("restlab.runtime-fetch");

const runtimeFetch = globalThis.fetch;

/** The runtime's fetch; what a cell has on its way by it ends with the cell's owner. */
export const ownedFetch: typeof fetch = Object.assign(
  async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const owner = currentOwner();
    if (owner === undefined) return await runtimeFetch(input, init);
    if (owner.reason !== undefined) throw owner.reason;
    const signals = [init?.signal ?? (input instanceof Request ? input.signal : undefined)];
    const signal = AbortSignal.any([owner.signal, ...signals.filter((it) => it != null)]);
    // Connections and their timers serve other cells as well.
    return await runOutsideCells(() => runtimeFetch(input, { ...init, signal }));
  },
  // Whoever looks for the runtime's own finds it.
  { [RUNTIME_FETCH]: runtimeFetch, toString: () => String(runtimeFetch) },
);
